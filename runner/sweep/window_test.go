package sweep

import (
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// TestRampUpKeepsRates: with and without a ramp-up of five times the measured
// time, what a query costs agrees but for noise: all counters are those of the
// measured window, or are divided by the time that they cover. The two trials'
// own rates are not compared: other load on the machine changes between them.
func TestRampUpKeepsRates(t *testing.T) {
	plain, ramped := timedTrial(t, 0), timedTrial(t, 2500*time.Millisecond)
	if e := plain.Evidence; e.WindowSeconds != nil || e.StatusSeconds != nil {
		t.Errorf("without a ramp-up the window is %v, %v; want none", e.WindowSeconds, e.StatusSeconds)
	}
	e := ramped.Evidence
	if e.WindowSeconds == nil || e.StatusSeconds == nil || e.ServerCPUSeconds == nil || e.Client == nil {
		t.Fatalf("evidence %+v, notes %v; want the window's", e, e.Notes)
	}
	before, after := *plain.Measure.QueriesPerSecond(), *ramped.Measure.QueriesPerSecond()
	for name, figures := range map[string][2]float64{
		"connects per query":     {1, float64(ramped.Measure.Reconnects) / float64(ramped.Measure.Queries)},
		"selects per query":      {1, e.Status["Com_select"] / *e.StatusSeconds / after},
		"client's cost, seconds": {ramped.Measure.Elapsed, ramped.Measure.Client.Seconds},
		"server's CPU per query": {
			*plain.Evidence.ServerCPUSeconds / plain.Measure.ElapsedWithConnect / before,
			*e.ServerCPUSeconds / *e.WindowSeconds / after},
		"window in seconds": {plain.Measure.Elapsed, *e.WindowSeconds},
	} {
		if ratio := figures[1] / figures[0]; ratio < 1.0/3 || ratio > 3 {
			t.Errorf("%s: %g without a ramp-up, %g with one", name, figures[0], figures[1])
		}
	}
	used := *e.ServerCPUSeconds / *e.WindowSeconds + *ramped.Measure.Client.CPUs(0)
	if most := 1.1 * e.Client.UsableCPUs; used > most { // two clocks, with ticks of 10 ms
		t.Errorf("server and client used %.2f CPUs of %g", used, e.Client.UsableCPUs)
	}
	if *ramped.Measure.Client.LoopBusy > 1 {
		t.Errorf("the busiest loop was %g busy", *ramped.Measure.Client.LoopBusy)
	}
}

// timedTrial is one trial of 500 ms that connects for each query.
func timedTrial(t *testing.T, rampUp time.Duration) result.Trial {
	t.Helper()
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	p := &job.Plan
	p.Threads, p.Queries, p.Repeat, p.Confirm = plan.Ints{4}, nil, 1, 0
	p.Time, p.RampUp, p.Reconnect = plan.Duration(500*time.Millisecond), plan.Duration(rampUp), "query"
	if _, err := Go(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Trials) != 1 || a.Trials[0].Status != result.OK {
		t.Fatalf("trials %+v; want one that is ok", a.Trials)
	}
	return *a.FullOf([]*result.Trial{&a.Trials[0]})[0]
}
