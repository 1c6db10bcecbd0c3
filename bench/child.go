package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/go-sql-driver/mysql"

	"mysweep/runner/load"
	"mysweep/runner/workload"
)

// outcome is what one run of either tool gave.
type outcome struct {
	Queries   int64   `json:"queries"`
	PerSecond float64 `json:"per_second"` // queries, or connects where those are measured
	P95       float64 `json:"p95_seconds"`
	Overhead  float64 `json:"overhead_seconds"` // of a burst beyond its queries
	Busy      float64 `json:"loop_busy"`
	Lag       float64 `json:"lag_seconds"`
	CPU       float64 `json:"cpu_seconds"`
}

// child runs one trial in a process of its own, so that its costs can be told from those of this program, and prints the
// outcome as JSON.
func child(args []string) error {
	flags := flag.NewFlagSet("child", flag.ContinueOnError)
	socket := flags.String("socket", "", "")
	tcp := flags.String("tcp", "", "")
	threads := flags.Int("threads", 1, "")
	seconds := flags.Float64("time", 2, "")
	queries := flags.Int("queries", 0, "")
	name := flags.String("workload", "oltp_point_select", "")
	size := flags.String("table-size", "100000", "")
	text := flags.Bool("text", false, "")
	loops := flags.Int("loops", 0, "")
	loadgen := flags.String("loadgen", "loop", "")
	reconnect := flags.String("reconnect", "never", "")
	bursts := flags.Int("bursts", 0, "")
	profile := flags.String("profile", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	config := mysql.NewConfig()
	config.User, config.DBName = "root", "sbtest"
	config.Net, config.Addr = "unix", *socket
	if *tcp != "" {
		config.Net, config.Addr = "tcp", *tcp
	}
	spec, ok := workload.Find(*name)
	if !ok {
		return fmt.Errorf("no workload %s", *name)
	}
	set := map[string]string{"table-size": *size}
	values, err := workload.NewValues(spec.Options, set)
	if err != nil {
		return err
	}
	w, err := spec.New(values)
	if err != nil {
		return err
	}
	trial := load.Trial{Threads: *threads, Prepared: !*text, LoadGen: *loadgen, Loops: *loops, Reconnect: *reconnect,
		ConnectParallel: 8, QueryTimeout: time.Minute, Seed: 1}
	if *queries > 0 {
		trial.Queries = *queries
	} else {
		trial.Time = time.Duration(*seconds * float64(time.Second))
	}
	m, err := load.Run(context.Background(), load.Target{Config: config}, w, trial)
	if err != nil {
		return err
	}
	o := outcome{Queries: m.Queries, PerSecond: float64(m.Queries) / m.Elapsed, CPU: m.Client.CPUSeconds(), Overhead: m.ElapsedWithConnect - m.Elapsed}
	if m.Latency.P95 != nil {
		o.P95 = *m.Latency.P95
	}
	if m.Client.LoopBusy != nil {
		o.Busy = *m.Client.LoopBusy
	}
	if m.Client.Lag.Mean != nil {
		o.Lag = *m.Client.Lag.Mean
	}
	if *reconnect != "never" {
		o.PerSecond = float64(m.Reconnects) / m.Elapsed
	}
	_ = bursts
	return json.NewEncoder(os.Stdout).Encode(o)
}
