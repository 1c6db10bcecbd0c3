package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/runner/workload"
)

// smallJob is a 2 x 2 sweep of a workload on a private server.
func smallJob(t *testing.T, name string, options map[string]string) Job {
	t.Helper()
	servertest.Needed(t)
	p := plan.Default()
	p.Private.Wanted = true
	p.Workloads = []plan.Workload{{Name: name, Options: options}}
	p.Threads, p.Queries = plan.Ints{1, 3}, plan.Ints{5, 10}
	p.Repeat, p.Confirm, p.Warmup, p.MinTime = 2, 1, 0, 0
	p.Fill(plan.Sweep{})
	spec, ok := workload.Find(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	values, err := workload.NewValues(spec.Options, options)
	if err != nil {
		t.Fatal(err)
	}
	made, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	run := result.Run{Schema: result.SchemaVersion, ID: "test", Plan: p, Trials: p.Trials()}
	return Job{Plan: p, Dir: t.TempDir(), Run: run, Workloads: map[string]workload.Workload{name: made},
		Best: verdict.BestCell, Confirm: confirmBest}
}

// confirmBest has the best cell run again: how many cells of a plateau would be is a matter of
// noise.
func confirmBest(trials []result.Trial, caseName, workload string) []plan.Cell {
	cell, ok := verdict.BestCell(trials, caseName, workload)
	if !ok {
		return nil
	}
	return []plan.Cell{cell}
}

// Each trial is on disk, in the plan's order, and counts exactly what the
// server counted.
func TestSweep(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "500"})
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Trials) != 9 || a.Torn != 0 || a.Run.Status != result.OK {
		t.Fatalf("%d trials, %d torn, run %s; want 9, 0, ok", len(a.Trials), a.Torn, a.Run.Status)
	}
	cpus := 0
	for trial := range a.Full() {
		m := &trial.Measure
		want := int64(2 * trial.Threads * trial.Queries)
		if trial.Status != result.OK || m.Queries != want || trial.Evidence.Status["Com_select"] != float64(want) {
			t.Errorf("%+v: %s %s: %d queries, the server counted %g; want %d", trial.Slot(), trial.Status, trial.Error,
				m.Queries, trial.Evidence.Status["Com_select"], want)
		}
		if f := trial.Evidence.ForeignQueries; f == nil || *f != 0 {
			t.Errorf("%+v: foreign queries %v; want 0", trial.Slot(), f)
		}
		if trial.Evidence.Client == nil || trial.Evidence.Client.LoadBefore == nil {
			t.Errorf("%+v: nothing was seen of the machine", trial.Slot())
			continue
		}
		// None when the trial passes between two ticks of their account.
		cpus += len(trial.Evidence.Client.CPUs)
	}
	if cpus == 0 {
		t.Error("no trial shows the use of a CPU")
	}
	if last := a.Trials[8]; !last.Confirm || last.Repeat != 3 {
		t.Errorf("the last trial is %+v; want one that confirms", last.Slot())
	}
	tables := a.Run.Cases[0].Tables
	if len(tables) != 1 || tables[0].Rows != 500 || tables[0].DataBytes == nil {
		t.Errorf("tables %+v; want http_auth with 500 rows and a size", tables)
	}
}

// What is ok is not run again; all else is.
func TestResume(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "500"})
	job.Plan.Confirm = 0
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stopped by the test")
	job.Watch = func(e Event) {
		if e.Trial != nil && e.Done == 3 {
			cancel(stop)
		}
	}
	if _, err := Go(ctx, job); !errors.Is(err, stop) {
		t.Fatalf("%v; want the cause of the end", err)
	}
	first, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if first.Run.Status != result.Interrupted || len(first.Trials) != 3 {
		t.Fatalf("run %s with %d trials; want interrupted with 3", first.Run.Status, len(first.Trials))
	}
	job.Watch, job.Run, job.Done = nil, first.Run, first.Trials
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	again, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Trials) != 8 {
		t.Errorf("%d trials; want 8", len(again.Trials))
	}
	for _, old := range first.Trials {
		if !slices.ContainsFunc(again.Trials, func(t result.Trial) bool { return t.StartedAt.Equal(old.StartedAt) }) {
			t.Errorf("%+v ran again although it was ok", old.Slot())
		}
	}
}

// A case that cannot start fails alone, with its reason, and nothing is left.
func TestCaseThatCannotStart(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "500"})
	// The server's user must be able to enter.
	parent, err := os.MkdirTemp("/var/tmp", "sweep-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(parent)
	if err := os.Chmod(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	job.Plan.Private.DatadirParent = parent
	job.Plan.Cases = []plan.Case{{Name: "bad", Options: map[string]string{"no_such_option": "1"}}, {Name: "good"}}
	job.Plan.Repeat, job.Plan.Confirm = 1, 0
	if _, err := Go(context.Background(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range a.Trials {
		want := map[string]result.Status{"bad": result.Skipped, "good": result.OK}[trial.Case]
		if trial.Status != want {
			t.Errorf("%+v is %s (%s); want %s", trial.Slot(), trial.Status, trial.Error, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(parent, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Trials with more threads than the server accepts connections are skipped, and the others
// measured.
func TestThreadsAboveTheLimit(t *testing.T) {
	job := smallJob(t, "select-key", plan.Options{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm, job.Plan.Repeat = plan.Ints{8, 16, 32, 64}, plan.Ints{5}, 0, 1
	job.Plan.Cases = []plan.Case{{Name: "small", Options: plan.Options{"max_connections": "20"}}}
	if _, err := Go(t.Context(), job); !errors.Is(err, ErrTrials) {
		t.Errorf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]result.Status{8: result.OK, 16: result.OK, 32: result.Skipped, 64: result.Skipped}
	for _, trial := range a.Trials {
		if trial.Status != want[trial.Threads] {
			t.Errorf("%d threads: %s %s; want %s", trial.Threads, trial.Status, trial.Error, want[trial.Threads])
		}
		if why := fmt.Sprintf("needs %d connections, limit 20", trial.Threads); trial.Status == result.Skipped && !strings.HasPrefix(trial.Error, why) {
			t.Errorf("%d threads: %s; want %s", trial.Threads, trial.Error, why)
		}
	}
	if len(a.Trials) != len(want) {
		t.Errorf("%d trials", len(a.Trials))
	}
}
