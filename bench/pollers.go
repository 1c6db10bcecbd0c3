package main

import (
	"context"
	"fmt"
	"path/filepath"
)

// pollerBar holds mysweep with io_uring against itself with epoll: client CPU per query (all of it,
// or what is spent outside the kernel) or queries per second, by the trial's own account.
func pollerBar(threads int, what string) bar {
	column, less := map[string]string{"CPU": "client_cpu_seconds", "user CPU": "client_user_cpu_seconds"}[what], true
	unit, scale := "us", 1e6
	if what == "q/s" {
		column, less, unit, scale = "queries_per_second", false, "q/s", 1
	}
	name := fmt.Sprintf("%s, point select prepared, socket, %d threads, io_uring against epoll", what, threads)
	if less {
		name = "client " + what + " per query" + name[len(what):]
	}
	return bar{name: name, other: "mysweep --poller epoll", less: less, unit: unit,
		measure: func(ctx context.Context, b *bench, uring bool) (float64, error) {
			row, err := b.withPoller(ctx, uring, threads)
			if err != nil {
				return 0, err
			}
			value := number([]byte(row[column]))
			if less {
				value /= number([]byte(row["queries_total"]))
			}
			return scale * value, nil
		}}
}

// pollerTailBar compares p99 at a rate that both pollers reach.
func pollerTailBar(threads int, rate float64) bar {
	return bar{name: fmt.Sprintf("p99 at --rate %g, point select prepared, socket, %d threads, io_uring against epoll", rate, threads),
		other: "mysweep --poller epoll", less: true, unit: "us",
		measure: func(ctx context.Context, b *bench, uring bool) (float64, error) {
			row, err := b.withPoller(ctx, uring, threads, "--rate", fmt.Sprint(rate))
			return 1e6 * number([]byte(row["transaction_latency_p99_seconds"])), err
		}}
}

// withPoller runs one trial and returns its row of results.csv by column.
func (b *bench) withPoller(ctx context.Context, uring bool, threads int, args ...string) (map[string]string, error) {
	poller := "epoll"
	if uring {
		poller = "uring"
	}
	args = append(args, "--poller", poller, "--time", fmt.Sprintf("%gs", b.seconds))
	if _, err := b.runMysweep(ctx, "oltp_point_select", "socket", threads, args...); err != nil {
		return nil, err
	}
	return lastRow(filepath.Join(b.work, "archive", "results.csv"))
}
