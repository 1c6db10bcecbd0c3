package verdict

import (
	"math"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// shared puts server and client of a trial on one machine.
func shared(t *result.Trial) { t.Evidence.SharedHost, t.Evidence.Server = true, nil }

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		name      string
		kind      string
		cause     string // its What, empty without one
		certainty Certainty
		change    func(t *result.Trial)
	}{
		{"server CPU", LimitServerCPU, "server CPUs", Measured, func(t *result.Trial) {
			t.Evidence.Server.BusyRatio, t.Evidence.Server.RunnableMean = ptr(0.97), ptr(8.2)
		}},
		{"client loop", LimitClient, "load generator", Measured, func(t *result.Trial) { t.Measure.Client.LoopBusy = ptr(0.96) }},
		{"client before server, whose figure it bounds", LimitClient, "load generator", Measured, func(t *result.Trial) {
			t.Measure.Client.LoopBusy, t.Evidence.Server.BusyRatio = ptr(0.92), ptr(0.99)
		}},
		{"shared CPUs", LimitSharedCPU, "CPUs of the machine", Measured, func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(0.99), ptr(1.2)
		}},
		{"shared CPUs that others use too", LimitSharedCPU, "CPUs of the machine", Measured, func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.6)
		}},
		{"shared CPUs, by whom is unknown", LimitSharedCPU, "CPUs of the machine", Possible, func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio = ptr(0.99)
		}},
		// 2 CPUs full, 0.1 by the server and 0.1 by the client.
		{"others dominate", LimitUnknown, "", "", func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.1)
			t.Measure.Client.UserSeconds, t.Measure.Client.SystemSeconds, t.Measure.Client.LoopBusy = 0.1, 0, ptr(0.95)
		}},
		{"server on CPUs of its own", LimitServerCPU, "server CPUs", Measured, func(t *result.Trial) {
			t.Evidence.SharedHost, t.Evidence.ServerCPUSeconds = true, ptr(1.9)
			t.Evidence.Server.BusyRatio = ptr(0.99)
		}},
		{"others on the CPUs of the server", LimitUnknown, "", "", func(t *result.Trial) {
			t.Evidence.SharedHost, t.Evidence.ServerCPUSeconds = true, ptr(0.1)
			t.Evidence.Server.BusyRatio, t.Evidence.ThreadsRunningMean = ptr(0.99), ptr(20.0)
		}},
		{"row locks, while others use the CPUs", LimitRowLocks, "row lock waits", Measured, func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.1)
			t.Measure.Client.UserSeconds = 0.1
			t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 8700}
		}},
		{"row locks 87 % before CPU 93 %", LimitRowLocks, "row lock waits", Measured, func(t *result.Trial) {
			t.Evidence.Server.BusyRatio = ptr(0.93)
			// 8.7 s of 10 threads × 1 s.
			t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 8700}
		}},
		{"CPU 99 % before row locks 30 %", LimitServerCPU, "server CPUs", Measured, func(t *result.Trial) {
			t.Evidence.Server.BusyRatio = ptr(0.99)
			t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 3000}
		}},
		{"network", LimitNetwork, "network eth1 of the server", Measured, func(t *result.Trial) { t.Evidence.Server.Samples[0].Values["nic.eth1.link_ratio"] = 0.93 }},
		{"softirq", LimitOneCPU, "interrupts on CPU 1 of the server", Measured, func(t *result.Trial) { t.Evidence.Server.CPUs[1] = result.CPU{ID: 1, SoftIRQ: 0.91} }},
		{"disk", LimitDisk, "disk sda of the server", Indirect, func(t *result.Trial) { t.Evidence.Server.Samples[0].Values["disk.sda.busy_ratio"] = 0.95 }},
		// 500 × 1.6 ms in 1 s.
		{"log flushes, counters of MariaDB 10.11", LimitLogFlush, "log flushes", Indirect, func(t *result.Trial) {
			t.Evidence.Status = map[string]float64{"Innodb_data_fsyncs": 500, "Innodb_os_log_written": 262144}
		}},
		{"log flushes, counters of MySQL", LimitLogFlush, "log flushes", Indirect, func(t *result.Trial) {
			t.Evidence.Status = map[string]float64{"Innodb_data_fsyncs": 900, "Innodb_os_log_fsyncs": 500, "Innodb_os_log_written": 262144}
		}},
		{"flushes without a write to the log", LimitUnknown, "", "", func(t *result.Trial) {
			t.Evidence.Status = map[string]float64{"Innodb_data_fsyncs": 900}
		}},
		// 4 s of 10 threads × 1 s.
		{"row locks", LimitRowLocks, "row lock waits", Measured, func(t *result.Trial) {
			t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 4000}
		}},
		{"waits", LimitWaits, "threads running in the server", Indirect, func(t *result.Trial) { t.Evidence.ThreadsRunningMean = ptr(9.0) }},
		{"unknown", LimitUnknown, "", "", func(*result.Trial) {}},
		{"nothing seen", LimitUnknown, "", "", func(t *result.Trial) { t.Evidence, t.Measure.Client = result.Evidence{}, result.ClientCost{} }},
		{"rate", LimitRate, "", "", func(t *result.Trial) { t.Rate = ptr(5000.0) }},
		{"rate that was not kept up with", LimitUnknown, "", "", func(t *result.Trial) { t.Rate, t.Measure.Dropped = ptr(5000.0), 100 }},
		{"rate that the CPU did not keep up with", LimitServerCPU, "server CPUs", Measured, func(t *result.Trial) {
			t.Rate, t.Measure.Dropped, t.Evidence.Server.BusyRatio = ptr(5000.0), 100, ptr(1.0)
		}},
		{"2.5 ms are too short", LimitUnknown, "", "", func(t *result.Trial) {
			t.Measure.Elapsed, t.Evidence.Server.BusyRatio, t.Measure.Client.LoopBusy = 0.0025, ptr(1.0), ptr(0.99)
		}},
		// Two CPUs in steps of 10 ms.
		{"91 % in 0.2 s may be 86 %", LimitUnknown, "", "", func(t *result.Trial) {
			t.Measure.Elapsed, t.Evidence.Server.BusyRatio = 0.2, ptr(0.91)
		}},
	} {
		x := quiet()
		c.change(&x)
		a := archive(x)
		a.Run.Cases[0].FsyncP50 = ptr(1.6e-3)
		got := Of(a).Sweeps[0].Limit
		cause := ""
		if got.Cause != nil {
			cause = got.Cause.What
		}
		if got.Kind != c.kind || cause != c.cause || got.Certainty != c.certainty {
			t.Errorf("%s: %s by %q, %s; want %s by %q, %s", c.name, got.Kind, cause, got.Certainty, c.kind, c.cause, c.certainty)
		}
	}
}

// Few rounds of users who think may come much faster than the think time
// allows on average: that is chance, and no limit.
func TestLimitThinkTime(t *testing.T) {
	for _, c := range []struct {
		name           string
		threads        int
		rounds         int64 // in 16 s with a think time of 2 s
		kind           string
		share, problem float64
	}{
		{"at the line", 100, 784, LimitThinkTime, 0.98, 0.035},
		{"far below the line", 100, 400, LimitUnknown, 0.5, 0.025},
		{"four rounds where 2.8 are expected", 1, 11, LimitUnknown, 1.375, 0.415},
		{"44 % above the line, with many rounds", 100, 1152, LimitUnknown, 1.44, 0.0424},
	} {
		x := quiet()
		x.Workload, x.Threads, x.Evidence.ThreadsRunningMean = "dbt1", c.threads, nil
		x.Measure.Threads, x.Measure.Transactions, x.Measure.Elapsed = c.threads, c.rounds, 16
		a := archive(x)
		a.Run.Plan.Workloads = []plan.Workload{{Name: "dbt1", Options: map[string]string{"think-time": "2s"}}}
		got := Of(a).Sweeps[0].Limit
		for _, u := range got.Uses {
			if u.Kind == LimitThinkTime && (math.Abs(u.Share-c.share) > 1e-9 || math.Abs(u.Error-c.problem) > 1e-3) {
				t.Errorf("%s: %+v", c.name, u)
			}
		}
		if got.Kind != c.kind || got.Think != 2 {
			t.Errorf("%s: %+v, want %s", c.name, got, c.kind)
		}
	}
	if thinkTime(&plan.Plan{Workloads: []plan.Workload{{Name: "dbt1"}}}, "dbt1") != 7.2 {
		t.Error("the default think time is not 7.2 s")
	}
}

// Where it still rises and nothing is used up, more threads may bring more.
func TestLimitRising(t *testing.T) {
	a := archive(curve(10, []int{1, 2, 4}, []float64{100, 200, 400})...)
	got := Of(a).Sweeps[0].Limit
	if got.Kind != LimitThreads || got.Threads != 4 {
		t.Errorf("%+v", got)
	}
	skipped := a.Trials[0]
	skipped.Threads, skipped.Status, skipped.Capacity, skipped.Measure = 8, result.Skipped, "max_connections", result.Measure{}
	a.Trials = append(a.Trials, skipped)
	if got := Of(a).Sweeps[0].Limit; got.Kind != LimitCapacity || got.Capacity != "max_connections" || got.Threads != 4 {
		t.Errorf("%+v", got)
	}
	if none := Of(archive()); len(none.Sweeps) != 0 || none.Main() != nil {
		t.Errorf("%+v", none)
	}
}
