package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mysweep/mysweep/runner/server"
)

// bar is one line of the table: what is measured and what it must reach.
type bar struct {
	name  string
	other string
	must  float64
	aim   float64
	less  bool   // less is better
	unit  string // of the values behind the ratio
	alone bool   // the value itself is held against the bar, not a ratio
	// measure returns one value of either tool.
	measure func(ctx context.Context, b *bench, mysweep bool) (float64, error)
	pairs   int // 0 = as set
}

// group is the bars that share a server.
type group struct {
	title  string
	pinned bool // server on the first CPU, clients on the second
	bars   []bar
}

// tableRows is the size of sysbench's table; it fits in the buffer pool.
const tableRows = 100_000

func groups(s settings) []group {
	return []group{
		{"server and client pinned to different CPUs", true, []bar{
			cpuBar("socket", 8, 0.70, 0.55), cpuBar("socket", 64, 0.58, 0.45),
			cpuBar("TCP", 8, 0.95, 0.75), cpuBar("TCP", 64, 0.70, 0.55),
		}},
		{"unpinned", false, []bar{
			cpuBar("socket", 8, 0.90, 0.65), cpuBar("socket", 64, 0.50, 0.35),
			rateBar("oltp_point_select", 1, 0.97, 1.05), rateBar("oltp_point_select", 8, 0.97, 1.05),
			rateBar("oltp_point_select", 64, 1.08, 1.25), rateBar("oltp_point_select", 400, 1.60, 1.90),
			pollerBar(1, "CPU"), pollerBar(8, "CPU"), pollerBar(64, "CPU"), pollerBar(400, "CPU"),
			pollerBar(8, "user CPU"), pollerBar(64, "user CPU"),
			pollerBar(1, "q/s"), pollerBar(8, "q/s"), pollerBar(64, "q/s"), pollerBar(400, "q/s"), pollerTailBar(64, 15_000),
			rateBar("oltp_read_only", 8, 0.95, 1.05), rateBar("oltp_read_only", 64, 0.95, 1.05),
			rateBar("oltp_read_write", 8, 0.95, 1.05), rateBar("oltp_read_write", 64, 0.95, 1.05),
			latencyBar(8),
			{name: "connects/s (connect, one query, close), socket, 8 threads", other: "mysqlslap --detach=1", must: 1.10, aim: 1.15, unit: "1/s", measure: connects},
			{name: "rows/s loading 500,000 rows with a secondary index", other: "sysbench prepare", must: 1.8, aim: 3.0, unit: "rows/s", measure: loadRows, pairs: 5},
			memoryBar(400), memoryBar(1000),
			{name: "a burst beyond its queries, connects included, 10 threads x 10 queries", other: "-", must: 8, aim: 3, less: true, unit: "ms", alone: true, measure: burstOverhead},
		}},
	}
}

func cpuBar(transport string, threads int, must, aim float64) bar {
	return bar{name: fmt.Sprintf("client CPU per query, point select prepared, %s, %d threads", transport, threads), other: "sysbench",
		must: must, aim: aim, less: true, unit: "us", measure: func(ctx context.Context, b *bench, mysweep bool) (float64, error) {
			// Both runs are long enough for the report to have all its charts, so that drawing
			// drops out.
			short, err := b.run(ctx, mysweep, "oltp_point_select", transport, threads, b.seconds)
			if err != nil {
				return 0, err
			}
			long, err := b.run(ctx, mysweep, "oltp_point_select", transport, threads, 2*b.seconds)
			return 1e6 * (long.cpu - short.cpu) / float64(long.queries-short.queries), err
		}}
}

func rateBar(workload string, threads int, must, aim float64) bar {
	return bar{name: fmt.Sprintf("q/s, %s, %d threads", workload, threads), other: "sysbench", must: must, aim: aim, unit: "q/s",
		measure: func(ctx context.Context, b *bench, mysweep bool) (float64, error) {
			r, err := b.run(ctx, mysweep, workload, "socket", threads, b.seconds)
			return r.perSecond, err
		}}
}

// latencyBar shows that both tools see the same p95; sysbench's buckets are 1.8 % wide.
func latencyBar(threads int) bar {
	return bar{name: fmt.Sprintf("p95 of a round, oltp_point_select, %d threads (for comparison; one sysbench bucket is 1.8 %%)", threads), other: "sysbench", unit: "ms",
		measure: func(ctx context.Context, b *bench, mysweep bool) (float64, error) {
			r, err := b.run(ctx, mysweep, "oltp_point_select", "socket", threads, b.seconds)
			return 1e3 * r.p95, err
		}}
}

func memoryBar(threads int) bar {
	return bar{name: fmt.Sprintf("memory per connection, %d threads", threads), other: "sysbench", must: 0.10, aim: 0.08, less: true, unit: "KB", pairs: 3,
		measure: func(ctx context.Context, b *bench, mysweep bool) (float64, error) {
			few, err := b.memory(ctx, mysweep, 1)
			if err != nil {
				return 0, err
			}
			many, err := b.memory(ctx, mysweep, threads)
			return float64(many-few) / float64(threads-1) / 1024, err
		}}
}

// private is the server that both tools use: large enough that the disk has no say, and open to
// root without a password.
func private(pinned bool) server.Private {
	options := []server.Option{
		{Name: "innodb_buffer_pool_size", Value: "512M"}, {Name: "innodb_log_file_size", Value: "512M"},
		{Name: "innodb_flush_log_at_trx_commit", Value: "2"}, {Name: "local_infile", Value: "ON"},
		{Name: "max_connections", Value: strconv.Itoa(1100)}, {Name: "back_log", Value: "1024"},
		{Name: "max_prepared_stmt_count", Value: "200000"},
		// sysbench takes the server's; mysweep says the same in its CREATE TABLE.
		{Name: "character_set_server", Value: "utf8mb4"}, {Name: "collation_server", Value: "utf8mb4_bin"},
	}
	p := server.Private{Options: options, TCP: true}
	if pinned {
		p.CPUs = []int{0}
	}
	return p
}
