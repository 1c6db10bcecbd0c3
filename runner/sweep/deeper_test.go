package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// A case with replicas and traces: both come back after another case, the
// replicas agree, and the traces are in the archive. A tracer that may not is
// a note.
func TestReplicasAndTraces(t *testing.T) {
	job := smallJob(t, "update-select", map[string]string{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm = plan.Ints{2}, plan.Ints{20}, 0
	job.Plan.Cases = []plan.Case{
		{Name: "first", Replicas: 1, Trace: plan.Texts{"syscalls", "perf", "slow-log"}, Options: plan.Options{"performance_schema": "ON"}},
		{Name: "other"},
	}
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	c := a.Run.Cases[0]
	if len(c.Replicas) != 1 || c.Replicas[0].Error != "" || c.Replicas[0].Same == nil || !*c.Replicas[0].Same || c.Replicas[0].CatchUpSeconds == nil {
		t.Errorf("replicas %+v", c.Replicas)
	}
	if len(a.Trials) != 4 {
		t.Errorf("%d trials; want 4: traces are none", len(a.Trials))
	}
	kinds := map[string]result.Trace{}
	for _, trace := range c.Traces {
		kinds[trace.Kind] = trace
		if strings.HasPrefix(trace.Note, "no trace") {
			t.Logf("%s: %s", trace.Kind, trace.Note)
			continue
		}
		if info, err := os.Stat(filepath.Join(job.Dir, trace.File)); trace.Kind != "file-waits" && (err != nil || info.Size() == 0) {
			t.Errorf("%s: %s: %v (%s)", trace.Kind, trace.File, err, trace.Note)
		}
	}
	for _, kind := range []string{"syscalls", "perf", "slow-log", "innodb-status", "file-waits"} {
		if _, ok := kinds[kind]; !ok {
			t.Errorf("no trace %s among %d", kind, len(c.Traces))
		}
	}
	if trace := kinds["perf"]; !strings.HasPrefix(trace.Note, "no trace") && len(trace.Stacks) == 0 {
		t.Errorf("CPU time without stacks: %+v", trace)
	}
	if trace := kinds["syscalls"]; !strings.HasPrefix(trace.Note, "no trace") && len(trace.Rows) < 3 {
		t.Errorf("system calls: %+v", trace)
	}
}

// A failing run leaves no replica behind either.
func TestReplicasThatCannotStart(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	job.Plan.Cases = []plan.Case{{Name: "first", Replicas: 1, Options: plan.Options{"skip_log_bin": ""}}, {Name: "other"}}
	job.Plan.Repeat, job.Plan.Confirm = 1, 0
	if _, err := Go(context.Background(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if c := a.Run.Cases[0]; c.Status != result.Failed || !strings.Contains(c.Error, "log_bin") {
		t.Errorf("case first is %s: %s", c.Status, c.Error)
	}
}
