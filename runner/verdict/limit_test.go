package verdict

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func TestLimit(t *testing.T) {
	shared := func(t *result.Trial) {
		t.Evidence.SharedHost, t.Evidence.Server = true, nil
	}
	for _, c := range []struct {
		name   string
		kind   string
		text   string
		change func(t *result.Trial)
	}{
		{"server CPU", LimitServerCPU,
			"The server's CPU limits it: 2 CPUs 97 % busy, 4.1 runnable per CPU; load generator 50 % busy, client CPUs 30 % busy, " +
				"network eth1 of the server at 10 % of its link and disk sda of the server 20 % busy.",
			func(t *result.Trial) {
				t.Evidence.Server.BusyRatio, t.Evidence.Server.RunnableMean = ptr(0.97), ptr(8.2)
			}},
		{"client loop", LimitClient, "The client limits it, so the figure is a lower bound: load generator 96 % busy; server CPUs 30 % busy",
			func(t *result.Trial) { t.Measure.Client.LoopBusy = ptr(0.96) }},
		{"client before server", LimitClient, "server CPUs 95 % busy",
			func(t *result.Trial) {
				t.Measure.Client.LoopBusy, t.Evidence.Server.BusyRatio = ptr(0.96), ptr(0.95)
			}},
		{"shared CPUs", LimitSharedCPU, "The CPUs of the one machine limit it: 2 CPUs 99 % busy, 1.5 runnable per CPU, of which the server used 1.2 and the client 0.5; load generator 50 % busy",
			func(t *result.Trial) {
				shared(t)
				t.Evidence.Client.BusyRatio, t.Evidence.Client.RunnableMean = ptr(0.99), ptr(3.0)
				t.Evidence.ServerCPUSeconds = ptr(1.2)
			}},
		{"shared CPUs that others use too", LimitSharedCPU, "of which the server used 0.5 and the client 0.5, but others 1.0;",
			func(t *result.Trial) {
				shared(t)
				t.Evidence.Client.BusyRatio, t.Evidence.ServerCPUSeconds = ptr(1.0), ptr(0.5)
			}},
		{"network", LimitNetwork, "The network limits it: eth1 of the server at 93 % of its link;",
			func(t *result.Trial) { t.Evidence.Server.Samples[0].Values["nic.eth1.link_ratio"] = 0.93 }},
		{"softirq", LimitOneCPU, "One CPU limits it: interrupts on CPU 1 of the server take 91 % of its time;",
			func(t *result.Trial) { t.Evidence.Server.CPUs[1] = result.CPU{ID: 1, SoftIRQ: 0.91} }},
		{"disk", LimitDisk, "The disk seems to limit it: sda of the server had requests under way 95 % of the time;",
			func(t *result.Trial) { t.Evidence.Server.Samples[0].Values["disk.sda.busy_ratio"] = 0.95 }},
		{"log flushes", LimitLogFlush, "Flushing the log seems to limit it: by the time of one flush, all take about 80 % of the time;", // 500 × 1.6 ms in 1 s
			func(t *result.Trial) { t.Evidence.Status = map[string]float64{"Innodb_os_log_fsyncs": 500} }},
		{"row locks", LimitRowLocks, "Row locks limit it: threads wait for them 40 % of their time;", // 4 s of 10 threads × 1 s
			func(t *result.Trial) { t.Evidence.Status = map[string]float64{"Innodb_row_lock_time": 4000} }},
		{"waits", LimitWaits, "The threads wait inside the server: 9.0 of 10 threads run there, yet server CPUs 30 % busy",
			func(t *result.Trial) { t.Evidence.ThreadsRunningMean = ptr(9.0) }},
		{"unknown", LimitUnknown, "What limits it is not known: server CPUs 30 % busy", func(*result.Trial) {}},
		{"nothing seen", LimitUnknown, "What limits it is not known: nothing was seen beside the trials.",
			func(t *result.Trial) { t.Evidence, t.Measure.Client = result.Evidence{}, result.ClientCost{} }},
		{"rate", LimitRate, "The rate was set to 5,000 a second", func(t *result.Trial) { t.Rate = ptr(5000.0) }},
	} {
		x := quiet()
		c.change(&x)
		a := archive(x)
		a.Run.Cases[0].FsyncP50 = ptr(1.6e-3)
		got := Of(a).Sweeps[0].Limit
		if got.Kind != c.kind || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s: %s %q, want %s %q", c.name, got.Kind, got.Text, c.kind, c.text)
		}
	}
}

func TestLimitThinkTime(t *testing.T) {
	x := quiet()
	x.Workload, x.Threads = "dbt1", 100
	x.Measure.Transactions = 49 // of 100 / 2 s = 50
	a := archive(x)
	a.Run.Plan.Workloads = []plan.Workload{{Name: "dbt1", Options: map[string]string{"think-time": "2s"}}}
	got := Of(a).Sweeps[0].Limit
	want := "The users' think time limits it: 100 users that think 2.0 s each allow 50 rounds/s, and 98 % of that was reached;"
	if got.Kind != LimitThinkTime || !strings.HasPrefix(got.Text, want) {
		t.Errorf("%+v, want %q", got, want)
	}
	if thinkTime(&plan.Plan{Workloads: []plan.Workload{{Name: "dbt1"}}}, "dbt1") != 7.2 {
		t.Error("the think time that nobody set is not 7.2 s")
	}
}

// Where it still rises and nothing is used up, more threads may bring more.
func TestLimitRising(t *testing.T) {
	a := archive(curve(10, []int{1, 2, 4}, []float64{100, 200, 400})...)
	got := Of(a).Sweeps[0].Limit
	if got.Kind != LimitThreads || got.Text != "It still rose at 4 threads, the most that were tried: nothing was seen beside the trials." {
		t.Errorf("%+v", got)
	}
	if none := Of(archive()); len(none.Sweeps) != 0 || none.Main() != nil {
		t.Errorf("%+v", none)
	}
}
