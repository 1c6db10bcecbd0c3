package sweep

import (
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/runner/workload"
)

// TestRampUpKeepsRates: with and without a ramp-up of twice the measured time,
// what a query costs agrees: all counters are those of the measured window, or
// are divided by the time that they cover. A ramp-up inside a figure would make
// it three times as large. Trials of half a second are too short for this: the
// server has not begun to clean up after closed connections, so that a query
// costs it less. The two trials' rates are not compared: other load on the
// machine changes between them.
func TestRampUpKeepsRates(t *testing.T) {
	plain, ramped := timedTrial(t, 0), timedTrial(t, 4*time.Second)
	if e := plain.Evidence; e.WindowSeconds != nil || e.StatusSeconds != nil {
		t.Errorf("without a ramp-up the window is %v, %v; want none", e.WindowSeconds, e.StatusSeconds)
	}
	e := ramped.Evidence
	if e.WindowSeconds == nil || e.StatusSeconds == nil || e.ServerCPUSeconds == nil || e.Client == nil {
		t.Fatalf("evidence %+v, notes %v; want the window's", e, e.Notes)
	}
	before, after := *plain.Measure.QueriesPerSecond(), *ramped.Measure.QueriesPerSecond()
	for _, row := range []struct {
		name       string
		want, got  float64
		difference float64 // a factor
	}{
		{"connects per query", 1, float64(ramped.Measure.Reconnects) / float64(ramped.Measure.Queries), 1.02},
		{"selects per query", 1, e.Status["Com_select"] / *e.StatusSeconds / after, 1.3},
		{"seconds of the client's cost", ramped.Measure.Elapsed, ramped.Measure.Client.Seconds, 1.3},
		{"seconds of the window", ramped.Measure.Elapsed, *e.WindowSeconds, 1.3},
		{"client's CPU per query", *plain.Measure.Client.CPUs(0) / before, *ramped.Measure.Client.CPUs(0) / after, 2},
		{"server's CPU per query", *plain.Evidence.ServerCPUSeconds / plain.Measure.ElapsedWithConnect / before, *e.ServerCPUSeconds / *e.WindowSeconds / after, 2},
	} {
		if ratio := row.got / row.want; ratio < 1/row.difference || ratio > row.difference {
			t.Errorf("%s: %g with a ramp-up, want %g", row.name, row.got, row.want)
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

// TestLateStatements: statements that end long after the deadline of a trial are
// in no share. Without a ramp-up too, no more CPU is used than there is, and no
// thread waits for longer than the trial.
func TestLateStatements(t *testing.T) {
	for _, row := range []struct {
		name  string
		round func(workload.Session) workload.Round
	}{
		{"CPU", statements("select 1", "select benchmark(1000000, sha2('x', 256))")},
		{"row locks", statements("begin", "update http_auth set pass=rand() order by username limit 1", "do sleep(0.8)", "commit")},
	} {
		t.Run(row.name, func(t *testing.T) {
			job := limitJob(t, row.round)
			l := limitOf(t, job)
			a, err := result.Read(job.Dir)
			if err != nil {
				t.Fatal(err)
			}
			trial := a.Trials[0]
			if trial.Measure.Late == 0 {
				t.Errorf("no statement was late: %+v", trial.Measure)
			}
			for _, u := range l.Uses {
				if u.Share > 1 {
					t.Errorf("%s: %.0f %%", u.What, 100*u.Share)
				}
			}
			cell := verdict.Of(a).Sweeps[0].Cells[0]
			if cell.ServerProcess == nil || cell.ClientProcess == nil || *cell.ServerProcess+*cell.ClientProcess > 1.1*trial.Evidence.Client.UsableCPUs {
				t.Errorf("server %v, client %v of %g CPUs", cell.ServerProcess, cell.ClientProcess, trial.Evidence.Client.UsableCPUs)
			}
		})
	}
}

// timedTrial is one trial of 2 s that connects for each query.
func timedTrial(t *testing.T, rampUp time.Duration) result.Trial {
	t.Helper()
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	p := &job.Plan
	p.Threads, p.Queries, p.Repeat, p.Confirm = plan.Ints{4}, nil, 1, 0
	p.Time, p.RampUp, p.Reconnect = plan.Duration(2*time.Second), plan.Duration(rampUp), "query"
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
