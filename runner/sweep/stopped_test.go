package sweep

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// stopping is a workload that has this process stopped once, while it runs.
type stopping struct {
	workload.Workload
	once *sync.Once
	stop func()
}

func (s stopping) Thread(session workload.Session) (workload.Round, error) {
	s.once.Do(s.stop)
	return s.Workload.Thread(session)
}

// TestStoppedProcess: a trial in which mysweep itself was stopped is invalid,
// and the next one, in which it was not, is ok.
func TestStoppedProcess(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	p := &job.Plan
	p.Threads, p.Queries, p.Repeat, p.Confirm = plan.Ints{2}, nil, 2, 0
	p.Time = plan.Duration(3 * time.Second)
	pid := os.Getpid()
	shell := exec.Command("sh", "-c", fmt.Sprintf("sleep 0.7; kill -STOP %d; sleep 1.5; kill -CONT %d", pid, pid))
	job.Workloads["select-key"] = stopping{job.Workloads["select-key"], &sync.Once{}, func() {
		if err := shell.Start(); err != nil {
			t.Error(err)
		}
	}}
	_, err := Go(t.Context(), job)
	if shell.Process == nil {
		t.Fatalf("no trial ran: %v", err)
	}
	if err := shell.Wait(); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Trials) != 2 {
		t.Fatalf("%d trials; want 2", len(a.Trials))
	}
	first, second := a.Trials[0], a.Trials[1]
	if s := first.Evidence.StoppedSeconds; s == nil || *s < 1 || first.Status != result.Invalid || !strings.Contains(first.Error, "was stopped for") {
		t.Errorf("first trial: %s %q, stopped for %v; want invalid, more than 1 s", first.Status, first.Error, s)
	}
	if s := second.Evidence.StoppedSeconds; s == nil || *s != 0 || second.Status != result.OK {
		t.Errorf("second trial: %s %q, stopped for %v; want ok, 0", second.Status, second.Error, s)
	}
}
