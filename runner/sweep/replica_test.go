package sweep

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// pair is a primary and a replica that exist without the sweep.
func pair(t *testing.T) (primary, replica *server.Server) {
	t.Helper()
	primary = servertest.Start(t, server.Private{TCP: true, AllowMemory: true, Options: server.PrimaryOptions()})
	replicas, err := server.StartReplicas(t.Context(), primary, 1, server.Private{AllowMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { replicas[0].Stop() })
	return primary, replicas[0]
}

// A replica that exists is waited for, asked for its lag while trials run, and
// compared; a row that somebody has changed there is found.
func TestExistingReplica(t *testing.T) {
	primary, existing := pair(t)
	job := smallJob(t, "update-select", plan.Options{"rows": "400"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.MinTime, job.Plan.Confirm, job.Plan.Repeat = plan.Ints{2}, plan.Ints{20}, plan.Duration(1500*time.Millisecond), 0, 1
	e := existing.Endpoint
	job.Plan.Replicas = plan.Texts{fmt.Sprintf("%s:%s@unix(%s)/", e.User, e.Password, e.Socket)}
	job.Plan.Cases = []plan.Case{{Name: "sound"}, {Name: "corrupt", SetGlobal: plan.Options{"innodb_io_capacity": "333"}}}
	endpoint := primary.Endpoint
	job.Endpoints = map[string]*server.Endpoint{"sound": &endpoint, "corrupt": &endpoint}
	job.Watch = func(event Event) {
		if event.Trial != nil && event.Trial.Case == "corrupt" {
			corrupt(t, primary.Target, existing.Target)
		}
	}
	if _, err := Go(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, same := range []bool{true, false} {
		c := a.Run.Cases[i]
		if len(c.Replicas) != 1 {
			t.Fatalf("case %s: %d replicas; want 1", c.Name, len(c.Replicas))
		}
		r := c.Replicas[0]
		if r.Error != "" || r.Name != e.Socket || r.CatchUpSeconds == nil || r.MaxLagSeconds == nil || r.Same == nil || *r.Same != same {
			t.Errorf("case %s: %+v; want it caught up and same %t", c.Name, r, same)
		}
		if differences := strings.Join(r.Differences, "; "); !same && !strings.Contains(differences, "table http_auth: same number of rows, but different checksums") {
			t.Errorf("case %s: differences %q", c.Name, differences)
		}
	}
	for trial := range a.Full() {
		known := 0
		for _, lag := range trial.Evidence.Lag {
			if lag.Replica == e.Socket && lag.Seconds != nil {
				known++
			}
		}
		if known < 2 {
			t.Errorf("%+v: %d samples of the lag in %.1f s; want two", trial.Slot(), known, trial.Measure.ElapsedWithConnect)
		}
	}
}

// corrupt changes a row on the replica when that has repeated all.
func corrupt(t *testing.T, primary, replica *server.Target) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	position, err := primary.Position(ctx)
	if err == nil {
		_, err = replica.AwaitPosition(ctx, position, time.Minute)
	}
	if err != nil {
		t.Error(err)
		return
	}
	pool, err := replica.Pool(1)
	if err != nil {
		t.Error(err)
		return
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, "UPDATE mysweep.http_auth SET pass='corrupt' LIMIT 1"); err != nil {
		t.Error(err)
	}
}
