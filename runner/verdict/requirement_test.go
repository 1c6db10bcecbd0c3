package verdict

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func TestRequirement(t *testing.T) {
	// Faster and slower go together: 100 q/s in 1 ms, 200 in 4 ms, 300 in 20 ms.
	var trials []result.Trial
	for i, p99 := range []float64{0.001, 0.004, 0.020} {
		for repeat := 1; repeat <= 3; repeat++ {
			x := trial([]int{1, 2, 4}[i], 10, repeat, float64(100*(i+1)))
			x.Measure.Latency = distribution(t, repeated(p99, 100)...)
			trials = append(trials, x)
		}
	}
	for _, c := range []struct {
		require string
		want    Outcome
		threads int
	}{
		{"qps>=300", Pass, 4},
		{"qps>=150,p99<5ms", Pass, 2},
		// Each is met somewhere, both nowhere; 200 misses 250 by less than 20 ms misses 5 ms.
		{"qps>=250,p99<5ms", Fail, 2},
		{"qps>=1k", Fail, 4},
		{"connects>10", Fail, 4},
		{"connects>10,qps>=1k", Fail, 4},
		{"errors<1", Pass, 4},
		{"p99<1ms", Fail, 1},
	} {
		a := archive(trials...)
		a.Run.Plan.Require = plan.Texts{c.require}
		v := Of(a)
		r := v.Requirement
		if r.Outcome != c.want || r.Point.Threads != c.threads {
			t.Errorf("%s: %s at %d threads; want %s at %d", c.require, r.Outcome, r.Point.Threads, c.want, c.threads)
		}
		if v.RequirementMet() != (c.want == Pass) {
			t.Errorf("%s: met %v", c.require, v.RequirementMet())
		}
	}
	if v := Of(archive(trials...)); v.Requirement != nil || !v.RequirementMet() {
		t.Error("a requirement that nobody has")
	}
}

func repeated(v float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// Every metric that a plan may require has a figure here once it was measured.
func TestMetric(t *testing.T) {
	x := quiet()
	x.Measure.Reconnects = 10
	x.Measure.Latency = distribution(t, repeated(0.001, 1000)...)
	x.Measure.Connects = distribution(t, 0.002, 0.004)
	a := archive(x)
	c := Of(a).Sweeps[0].Cells[0]
	for _, m := range []struct {
		name string
		want float64
	}{
		{"qps", 1e6}, {"tps", 1e6}, {"connects", 10}, {"p50", 0.001}, {"p95", 0.001}, {"p99", 0.001}, {"p999", 0.001}, {"mean", 0.001}, {"max", 0.001},
		{"connect_mean", 0.003}, {"connect_max", 0.004}, {"runnable/cpu", 0.5}, {"load1", 0.5}, {"errors", 0}, {"server_cpu", 0.3}, {"client_cpu", 0.3},
	} {
		if _, err := plan.ParseRequirements(m.name + "<0"); err != nil {
			t.Errorf("%v", err)
		}
		about(t, m.name, Metric(&c, m.name), m.want, 1e-9)
	}
	if Metric(&Cell{}, "p99") != nil || Metric(&Cell{}, "load1") != nil || Metric(&Cell{}, "what") != nil {
		t.Error("a figure for what was not measured")
	}
}
