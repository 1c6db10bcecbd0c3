package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// slapQueries is how many connects one run of either tool makes.
const slapQueries = 16_000

var slapSeconds = regexp.MustCompile(`Average number of seconds to run all queries: ([\d.]+)`)

// connects is connects per second: each with one query.
func connects(ctx context.Context, b *bench, mysweep bool) (float64, error) {
	if mysweep {
		r, err := b.runMysweep(ctx, "oltp_point_select", "socket", 8, "--reconnect", "query", "--protocol", "text", "--queries", strconv.Itoa(slapQueries/8), "--min-time", "0")
		return r.perSecond, err
	}
	user, _, socket, _ := b.login()
	out, _, err := b.start(ctx, nil, "mysqlslap", "--skip-ssl", "--socket="+socket, "--user="+user, "--create-schema=sbtest", "--no-drop", "--concurrency=8",
		"--number-of-queries="+strconv.Itoa(slapQueries), "--detach=1", "--query=SELECT c FROM sbtest1 WHERE id=5000")
	if err != nil {
		return 0, err
	}
	seconds := slapSeconds.FindSubmatch(out)
	if seconds == nil {
		return 0, fmt.Errorf("mysqlslap's report is not understood:\n%s", tail(out))
	}
	return slapQueries / number(seconds[1]), nil
}

// loadRows is rows per second of loading sysbench's table, by the clock around the whole process.
func loadRows(ctx context.Context, b *bench, mysweep bool) (float64, error) {
	const rows = 500_000
	db, err := b.server.Pool(1)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	for _, sql := range []string{"DROP DATABASE IF EXISTS bulk", "CREATE DATABASE bulk"} {
		if _, err := db.ExecContext(ctx, sql); err != nil {
			return 0, err
		}
	}
	user, password, socket, _ := b.login()
	began := time.Now()
	if mysweep {
		_, _, err = b.start(ctx, nil, b.mysweep, "prepare", "--workload", "oltp_read_only", "--table-size", strconv.Itoa(rows), "--database", "bulk",
			"--user", user, "--socket", socket)
	} else {
		_, _, err = b.start(ctx, nil, "sysbench", "oltp_read_only", "--table-size="+strconv.Itoa(rows), "--mysql-db=bulk", "--mysql-user="+user,
			"--mysql-password="+password, "--mysql-socket="+socket, "prepare")
	}
	took := time.Since(began).Seconds()
	if err != nil {
		return 0, err
	}
	var n float64
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM bulk.sbtest1").Scan(&n); err != nil || n != rows {
		return 0, fmt.Errorf("%g rows were loaded, %v", n, err)
	}
	return rows / took, nil
}

// burstOverhead is what a burst of 10 threads and 10 queries takes beyond its queries, in
// milliseconds.
func burstOverhead(ctx context.Context, b *bench, _ bool) (float64, error) {
	r, err := b.runMysweep(ctx, "oltp_point_select", "socket", 10, "--queries", "10", "--min-time", "0")
	return 1e3 * r.overhead, err
}

// fact is one line about the machine.
type fact struct{ name, value string }

// machineFacts says where the figures come from.
func machineFacts() []fact {
	var facts []fact
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, value})
		}
	}
	cpu := regexp.MustCompile(`model name\s*: (.*)`).FindSubmatch(read("/proc/cpuinfo"))
	if cpu != nil {
		add("CPU", fmt.Sprintf("%s, %d online", cpu[1], len(regexp.MustCompile(`(?m)^processor`).FindAll(read("/proc/cpuinfo"), -1))))
	}
	memory := regexp.MustCompile(`MemTotal:\s*(\d+)`).FindSubmatch(read("/proc/meminfo"))
	if memory != nil {
		add("memory", fmt.Sprintf("%.1f GiB", number(memory[1])/1024/1024))
	}
	add("kernel", string(trim(read("/proc/sys/kernel/osrelease"))))
	add("clock source", string(trim(read(filepath.Join("/sys/devices/system/clocksource/clocksource0", "current_clocksource")))))
	add("load average before", string(trim(read("/proc/loadavg"))))
	add("sysbench", output("sysbench", "--version"))
	add("mysqlslap", output("mysqlslap", "--version"))
	return facts
}

func read(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}
