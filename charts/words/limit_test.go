package words

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func TestLimit(t *testing.T) {
	shared := func(t *result.Trial) { t.Evidence.SharedHost, t.Evidence.Server = true, nil }
	for _, c := range []struct {
		name, want string
		change     func(t *result.Trial)
	}{
		{"server CPU", "Limited by server CPU (2 CPUs 97 % busy, 4.1 runnable tasks per CPU); load generator 50 % busy, client CPUs 30 % busy, " +
			"network eth1 of the server at 10 % of its link speed and disk sda of the server 20 % busy.", func(t *result.Trial) {
			t.Evidence.Server.BusyRatio, t.Evidence.Server.RunnableMean = ptr(0.97), ptr(8.2)
		}},
		{"client", "Limited by the client, so the figure is a lower bound: load generator 96 % busy; server CPUs 30 % busy",
			func(t *result.Trial) { t.Measure.Client.LoopBusy = ptr(0.96) }},
		{"shared CPUs", "Limited by CPU: client and server share this machine (2 CPUs 99 % busy, 0.5 runnable tasks per CPU; server 1.2, load generator 0.5); load",
			func(t *result.Trial) {
				shared(t)
				t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(0.99), ptr(1.2)
			}},
		{"others too", "server 0.6, load generator 0.5, other processes 0.9);", func(t *result.Trial) {
			shared(t)
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.6)
		}},
		{"by whom is unknown", "Possibly limited by CPU: client and server share this machine (2 CPUs 99 % busy, 0.5 runnable tasks per CPU; by which processes is unknown);",
			func(t *result.Trial) {
				shared(t)
				t.Evidence.Client.BusyRatio = ptr(0.99)
			}},
		{"others dominate", "Other processes used 1.4 of 2 CPUs, more than server and load generator together (server 0.1, load generator 0.5). Limit unknown:",
			func(t *result.Trial) {
				shared(t)
				t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.1)
			}},
		{"network", "Limited by the network: eth1 of the server at 93 % of its link speed;",
			func(t *result.Trial) { t.Evidence.Server.Values["nic.eth1.link_ratio"] = 0.93 }},
		{"softirq", "Limited by one CPU: interrupts take 91 % of CPU 1 of the server;",
			func(t *result.Trial) { t.Evidence.Server.CPUs[1] = result.CPU{ID: 1, SoftIRQ: 0.91} }},
		{"disk", "Probably limited by the disk: sda of the server 95 % busy;",
			func(t *result.Trial) { t.Evidence.Server.Values["disk.sda.busy_ratio"] = 0.95 }},
		// 500 × 1.6 ms in 1 s.
		{"log flushes", "Probably limited by log flushes: at the time of one flush, they take about 80 % of the elapsed time;",
			func(t *result.Trial) {
				t.Evidence.Status = map[string]float64{"Innodb_data_fsyncs": 500, "Innodb_os_log_written": 262144}
			}},
		{"row locks", "Limited by row locks: threads wait for them 40 % of the time;",
			func(t *result.Trial) { t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 4000} }},
		{"waits", "Limited by waits inside the server: 9 of 10 threads are running there while its CPUs are mostly idle; on what they wait is unknown;",
			func(t *result.Trial) { t.Evidence.ThreadsRunningMean = ptr(9.0) }},
		{"unknown", "Limit unknown: server CPUs 30 % busy", func(*result.Trial) {}},
		{"nothing seen", "Limit unknown: nothing but the trials was observed.",
			func(t *result.Trial) { t.Evidence, t.Measure.Client = result.Evidence{}, result.ClientCost{} }},
		{"rate", "Limited by the requested rate of 5,000 rounds/s: this is not the maximum of the server.", func(t *result.Trial) { t.Rate = ptr(5000.0) }},
		{"rate, dropped", "The server did not keep up with the requested rate: 1,000,000 of 2,000,000 rounds/s reached, 7 rounds dropped. Limit unknown:",
			func(t *result.Trial) { t.Rate, t.Measure.Dropped = ptr(2e6), 7 }},
		{"too short", "Limit unknown: trials of 2.5 ms are too short to tell.", func(t *result.Trial) { t.Measure.Elapsed = 0.0025 }},
	} {
		x := quiet()
		c.change(&x)
		a := archive(x)
		a.Run.Cases[0].FsyncP50 = ptr(1.6e-3)
		got := say(a).Limit.Text()
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if c.name == "rate, dropped" && strings.Contains(got, "not the maximum") {
			t.Errorf("dropped rounds: %q", got)
		}
	}
}

func TestLimitThinkTime(t *testing.T) {
	x := quiet()
	x.Workload, x.Threads = "dbt1", 100
	x.Measure.Elapsed, x.Measure.Transactions = 16, 784 // of 16 × 100 / 2 s = 800
	a := archive(x)
	a.Run.Plan.Workloads = []plan.Workload{{Name: "dbt1", Options: map[string]string{"think-time": "2s"}}}
	want := "Limited by think time: 100 users with a mean think time of 2 s allow 50 rounds/s, of which 98 % were reached;"
	if got := say(a).Limit.Text(); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLimitCapacity(t *testing.T) {
	l := verdict.Limit{Kind: verdict.LimitCapacity, Capacity: "max_connections", Threads: 16}
	want := "Limited by max_connections of the server: throughput still increases at 16 threads, and more are not accepted; nothing but the trials was observed."
	if got := Limit(&verdict.Sweep{Peak: &verdict.Point{}, Limit: l}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The line of the summary does not say "limit" twice, and names what makes the
// limit unknown.
func TestLimitInShort(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(t *result.Trial)
	}{
		{"server CPU (2 CPUs 97 % busy, 0.5 runnable tasks per CPU)", func(t *result.Trial) { t.Evidence.Server.BusyRatio = ptr(0.97) }},
		{"the client, so the figure is a lower bound: load generator 96 % busy", func(t *result.Trial) { t.Measure.Client.LoopBusy = ptr(0.96) }},
		{"row locks: threads wait for them 40 % of the time", func(t *result.Trial) { t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 4000} }},
		{"probably the disk: sda of the server 95 % busy", func(t *result.Trial) { t.Evidence.Server.Values["disk.sda.busy_ratio"] = 0.95 }},
		{"unknown: other processes used 1.4 of 2 CPUs (server 0.1, load generator 0.5)", func(t *result.Trial) {
			t.Evidence.SharedHost, t.Evidence.Server = true, nil
			t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.1)
		}},
		{"possibly CPU: client and server share this machine (2 CPUs 99 % busy, 0.5 runnable tasks per CPU; by which processes is unknown)", func(t *result.Trial) {
			t.Evidence.SharedHost, t.Evidence.Server = true, nil
			t.Evidence.Client.BusyRatio = ptr(0.99)
		}},
		{"the requested rate of 5,000 rounds/s, not the server", func(t *result.Trial) { t.Rate = ptr(5000.0) }},
		{"unknown: trials of 2.5 ms are too short to tell", func(t *result.Trial) { t.Measure.Elapsed = 0.0025 }},
	} {
		x := quiet()
		c.change(&x)
		if got := say(archive(x)).LimitShort; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
