package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// reading is what one run of a tool gave.
type reading struct {
	queries   int64
	perSecond float64
	p95       float64 // seconds
	cpu       float64 // seconds, user and system, of the whole process
	overhead  float64 // seconds, connects of a burst
}

// login is how a tool's process logs in as the private server's own account.
func (b *bench) login() (user, password, socket string, port int) {
	config := b.server.Config()
	return config.User, config.Passwd, filepath.Join(b.server.Folder(), "mysqld.sock"), portOf(config.Addr)
}

func portOf(address string) int {
	port, _ := strconv.Atoi(address[strings.LastIndexByte(address, ':')+1:])
	return port
}

// start runs a program, pinned if the group is, and returns its output and its costs.
func (b *bench) start(ctx context.Context, during func(pid int), name string, args ...string) ([]byte, *os.ProcessState, error) {
	_, password, _, _ := b.login()
	if b.pinned {
		name, args = "taskset", append([]string{"-c", "1", name}, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "MYSQL_PWD="+password)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	if during != nil {
		go during(cmd.Process.Pid)
	}
	if err := cmd.Wait(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w\n%s", strings.ReplaceAll(strings.Join(cmd.Args, " "), password, "..."), err, tail(out.Bytes()))
	}
	return out.Bytes(), cmd.ProcessState, nil
}

func tail(out []byte) []byte { return out[max(0, len(out)-800):] }

func cpuOf(p *os.ProcessState) float64 { return (p.UserTime() + p.SystemTime()).Seconds() }

// run measures a workload for some seconds with either tool.
func (b *bench) run(ctx context.Context, mysweep bool, workload, transport string, threads int, seconds float64) (reading, error) {
	if mysweep {
		return b.runMysweep(ctx, workload, transport, threads, "--time", fmt.Sprintf("%gs", seconds))
	}
	return b.runSysbench(ctx, nil, workload, transport, threads, seconds)
}

// sysbenchArgs log in and name the table.
func (b *bench) sysbenchArgs(workload, transport string, threads int) []string {
	user, password, socket, port := b.login()
	args := []string{workload, "--mysql-user=" + user, "--mysql-password=" + password, "--mysql-db=sbtest",
		"--table-size=" + strconv.Itoa(tableRows), "--rand-type=uniform", "--threads=" + strconv.Itoa(threads)}
	if transport == "TCP" {
		return append(args, "--mysql-host=127.0.0.1", "--mysql-port="+strconv.Itoa(port))
	}
	return append(args, "--mysql-socket="+socket)
}

var (
	sysbenchQueries = regexp.MustCompile(`queries:\s+(\d+)\s+\(([\d.]+) per sec`)
	sysbenchP95     = regexp.MustCompile(`95th percentile:\s+([\d.]+)`)
)

func (b *bench) runSysbench(ctx context.Context, during func(int), workload, transport string, threads int, seconds float64) (reading, error) {
	args := append(b.sysbenchArgs(workload, transport, threads), fmt.Sprintf("--time=%g", seconds), "--mysql-ssl=off", "run")
	out, state, err := b.start(ctx, during, "sysbench", args...)
	if err != nil {
		return reading{}, err
	}
	counts, p95 := sysbenchQueries.FindSubmatch(out), sysbenchP95.FindSubmatch(out)
	if counts == nil || p95 == nil {
		return reading{}, fmt.Errorf("sysbench's report is not understood:\n%s", tail(out))
	}
	r := reading{cpu: cpuOf(state), p95: number(p95[1]) / 1e3, perSecond: number(counts[2])}
	r.queries = int64(number(counts[1]))
	return r, nil
}

func number(text []byte) float64 {
	f, _ := strconv.ParseFloat(string(text), 64)
	return f
}

// runMysweep runs the program itself, with archive and report and all, on sysbench's table.
func (b *bench) runMysweep(ctx context.Context, workload, transport string, threads int, args ...string) (reading, error) {
	return b.runMysweepDuring(ctx, nil, workload, transport, threads, args...)
}

func (b *bench) runMysweepDuring(ctx context.Context, during func(int), workload, transport string, threads int, args ...string) (reading, error) {
	user, _, socket, port := b.login()
	out := filepath.Join(b.work, "archive")
	os.RemoveAll(out)
	all := append([]string{"run", "--workload", workload, "--table-size", strconv.Itoa(tableRows), "--rand-type", "uniform", "--existing-tables",
		"--database", "sbtest", "--user", user, "--protocol", "prepared", "--threads", strconv.Itoa(threads),
		"--repeat", "1", "--confirm", "0", "--warmup", "0", "--quiet", "--out", out, "--ssl-mode", "disabled"}, args...)
	if transport == "TCP" {
		all = append(all, "--host", "127.0.0.1", "--port", strconv.Itoa(port))
	} else {
		all = append(all, "--socket", socket)
	}
	_, state, err := b.start(ctx, during, b.mysweep, all...)
	if err != nil {
		return reading{}, err
	}
	r, err := readResults(filepath.Join(out, "results.csv"))
	r.cpu = cpuOf(state)
	return r, err
}

// lastRow reads the last row of results.csv, by column.
func lastRow(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil, errors.Join(fmt.Errorf("%s has no results", path), err)
	}
	row := map[string]string{}
	for i, column := range rows[0] {
		row[column] = rows[len(rows)-1][i]
	}
	return row, nil
}

// readResults reads the last row of results.csv.
func readResults(path string) (reading, error) {
	row, err := lastRow(path)
	if err != nil {
		return reading{}, err
	}
	if row["status"] != "ok" {
		return reading{}, fmt.Errorf("the trial is %s: %s", row["status"], row["error"])
	}
	value := func(column string) float64 { return number([]byte(row[column])) }
	r := reading{queries: int64(value("queries_total")), perSecond: value("queries_per_second"), p95: value("transaction_latency_p95_seconds")}
	if value("connects_per_second") > 0 {
		r.perSecond = value("connects_per_second")
	}
	if with := value("queries_per_second_with_connect"); with > 0 {
		r.overhead = value("queries_total")/with - value("elapsed_seconds")
	}
	return r, nil
}

// makeTable fills sysbench's table with sysbench.
func (b *bench) makeTable(ctx context.Context) error {
	db, err := b.server.Pool(1)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE DATABASE sbtest"); err != nil {
		return err
	}
	_, _, err = b.start(ctx, nil, "sysbench", append(b.sysbenchArgs("oltp_read_only", "socket", 1), "prepare")...)
	return err
}

// memory is the greatest RSS of a tool in the midst of a run, when all threads have been at work
// for a while and nothing is being reported yet.
func (b *bench) memory(ctx context.Context, mysweep bool, threads int) (int64, error) {
	const starting, watching, rest = 3, 2, 2 // seconds
	got := make(chan int64, 1)
	during := func(pid int) {
		time.Sleep(starting * time.Second)
		most := int64(0)
		for began := time.Now(); time.Since(began) < watching*time.Second; time.Sleep(50 * time.Millisecond) {
			most = max(most, rss(pid))
		}
		got <- most
	}
	var err error
	if mysweep {
		_, err = b.runMysweepDuring(ctx, during, "oltp_point_select", "socket", threads, "--time", fmt.Sprintf("%ds", starting+watching+rest))
	} else {
		_, err = b.runSysbench(ctx, during, "oltp_point_select", "socket", threads, starting+watching+rest)
	}
	if err != nil {
		return 0, err
	}
	return <-got, nil
}

// rss reads VmRSS of a process, 0 when it is gone.
func rss(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kb * 1024
}
