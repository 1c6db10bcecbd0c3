package sweep

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/runner/workload"
)

// rounds is a workload with a round of its own on the tables of another.
type rounds struct {
	workload.Workload
	round func(workload.Session) workload.Round
}

func (r rounds) Thread(s workload.Session) (workload.Round, error) { return r.round(s), nil }

// statements is a round of statements of fixed text.
func statements(list ...string) func(workload.Session) workload.Round {
	return func(s workload.Session) workload.Round {
		var handles []workload.Handle
		for _, sql := range list {
			handles = append(handles, s.Declare(workload.Statement{Type: sql, Kind: workload.KindOf(sql), SQL: sql}))
		}
		return func() error {
			for _, h := range handles {
				if _, err := s.Query(h, nil); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// computing spends its time in the load generator.
func computing(s workload.Session) workload.Round {
	h := s.Declare(workload.Statement{Type: "select", Kind: workload.Read, SQL: "select 1"})
	return func() error {
		for end := time.Now().Add(2 * time.Millisecond); time.Now().Before(end); {
		}
		_, err := s.Query(h, nil)
		return err
	}
}

// pausing waits outside of the server.
func pausing(s workload.Session) workload.Round {
	h := s.Declare(workload.Statement{Type: "select", Kind: workload.Read, SQL: "select 1"})
	return func() error {
		if err := s.Sleep(20 * time.Millisecond); err != nil {
			return err
		}
		_, err := s.Query(h, nil)
		return err
	}
}

// What limits a server is found by what a real one and a real machine tell.
func TestLimitsOfRealServers(t *testing.T) {
	programs := map[string]string{"usual": ""} // the first that is found
	if second := os.Getenv("MYSWEEP_TEST_MYSQLD"); second != "" {
		programs["second"] = second
	}
	for _, row := range []struct {
		name, want string
		round      func(workload.Session) workload.Round // nil: updates of random rows
		threads    plan.Ints
		options    plan.Options
		serverCPU  string
	}{
		{"CPU", verdict.LimitSharedCPU, statements("select benchmark(100000, sha2('x', 256))"), plan.Ints{8}, nil, ""},
		{"hot row", verdict.LimitRowLocks, statements("begin", "update http_auth set pass=rand() order by username limit 1", "do sleep(0.005)", "commit"), plan.Ints{16}, nil, ""},
		{"log flush", verdict.LimitLogFlush, nil, plan.Ints{4}, plan.Options{"innodb_flush_log_at_trx_commit": "1", "sync_binlog": "0"}, ""},
		{"client", verdict.LimitClient, computing, plan.Ints{4}, nil, "0"},
		{"connections", verdict.LimitCapacity, pausing, plan.Ints{1, 4, 200}, plan.Options{"max_connections": "20"}, ""},
	} {
		for name, program := range programs {
			t.Run(row.name+" "+name, func(t *testing.T) {
				var l verdict.Limit
				// While other processes use the machine, a run decides nothing.
				for range 3 {
					job := limitJob(t, row.round)
					p := &job.Plan
					// Two trials do not separate a rise from noise.
					p.Private.Mysqld, p.Threads, p.Repeat = program, row.threads, 3
					p.Cases = []plan.Case{{Name: "a", Options: row.options, CPUs: plan.CPUs{List: row.serverCPU}}}
					if l = limitOf(t, job); found(l, row.want) {
						return
					}
					if !l.OthersDominate {
						break
					}
				}
				t.Errorf("%+v, want %s", l, row.want)
			})
		}
	}
}

// limitJob is a sweep of short timed trials of a round.
func limitJob(t *testing.T, round func(workload.Session) workload.Round) Job {
	t.Helper()
	name, options := "select-key", map[string]string{"rows": "300"}
	if round == nil {
		name, options = "oltp_update_non_index", map[string]string{"table-size": "1000"}
	}
	job := smallJob(t, name, options)
	p := &job.Plan
	p.Threads, p.Queries, p.Repeat, p.Confirm, p.Time = plan.Ints{8}, nil, 1, 0, plan.Duration(time.Second)
	if round != nil {
		job.Workloads[name] = rounds{job.Workloads[name], round}
	}
	return job
}

// limitOf runs a sweep of one case and says what limits it.
func limitOf(t *testing.T, job Job) verdict.Limit {
	t.Helper()
	job.Run.Plan = job.Plan
	if _, err := Go(t.Context(), job); err != nil && err != ErrTrials {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	v := verdict.Of(a)
	sweep := v.Main()
	if sweep == nil || sweep.Peak == nil {
		t.Fatalf("no peak: %+v", a.Trials)
	}
	return sweep.Limit
}

// found reports whether a limit was named. Where other processes use most of
// the machine none is, by right; then its evidence must be there.
func found(l verdict.Limit, kind string) bool {
	if !l.OthersDominate || l.Kind == kind {
		return l.Kind == kind
	}
	if kind == verdict.LimitCapacity {
		return l.Capacity == "max_connections"
	}
	return slices.ContainsFunc(l.Uses, func(u verdict.Use) bool { return u.Kind == kind && u.Share >= u.Full })
}

// burn keeps CPUs busy by processes of others until the test ends.
func burn(t *testing.T, n int, command ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	for range n {
		c := exec.CommandContext(ctx, "sh", append([]string{"-c", "exec \"$@\"", "sh"}, command...)...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		go c.Wait()
	}
}

// Load of others is not taken for the server's: its process is read on a server
// that exists without us too.
func TestOthersLoadIsNoLimit(t *testing.T) {
	s := stand(t, server.Private{})
	job := limitJob(t, statements("do sleep(0.05)"))
	job.Plan.Private.Wanted = false
	job.Plan.Cases = []plan.Case{{Name: "a", Server: s.own()}}
	job.Endpoints = map[string]*server.Endpoint{"a": &s.endpoint}
	burn(t, 4, "sh", "-c", "while :; do :; done")
	l := limitOf(t, job)
	if !l.OthersDominate || l.Others == nil || l.Kind != verdict.LimitUnknown {
		t.Errorf("%+v", l)
	}
}

// A load generator that has one CPU with three other processes is starved, which
// is a fault of its figures; without them it is not.
func TestStarvedClient(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("needs two CPUs")
	}
	if _, err := exec.LookPath("taskset"); err != nil {
		t.Skip(err)
	}
	job := limitJob(t, statements("select 1"))
	job.Plan.Cases = []plan.Case{{Name: "a", CPUs: plan.CPUs{List: "0"}}}
	burn(t, 3, "taskset", "-c", "1", "sh", "-c", "while :; do :; done")
	limitOf(t, job)
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	trial := a.Trials[0]
	delay := trial.Measure.Client.LoopRunDelay
	if delay == nil || *delay < 0.4*trial.Measure.Elapsed || trial.Measure.Client.Loops != 1 {
		t.Fatalf("%d loops, run delay %v of %g s", trial.Measure.Client.Loops, delay, trial.Measure.Elapsed)
	}
	if !slices.ContainsFunc(verdict.Of(a).Notes, func(n verdict.Note) bool { return n.Code == "client-starved" }) {
		t.Errorf("no note says that the client was starved: %+v", verdict.Of(a).Notes)
	}
}
