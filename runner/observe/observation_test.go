package observe

import (
	"database/sql"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestWindow: the edges of the measured window bound the server's counters, its
// samples and the machine's; statements outside of it, and the observer's own,
// are nobody else's.
func TestWindow(t *testing.T) {
	private := servertest.Start(t, server.Private{AllowMemory: true})
	pool, err := private.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := pool.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	facts := hwinfo.Read(t.Context(), hwinfo.Options{})
	observer := New(time.Now(), &facts)
	defer observer.Close()
	subject := Subject{Target: private.Target, PID: private.PID(), Shared: true}

	for _, row := range []struct {
		name    string
		edges   bool
		selects float64
	}{{"whole trial", false, 60}, {"window", true, 20}} {
		t.Run(row.name, func(t *testing.T) {
			began := time.Now()
			o := observer.Begin(t.Context(), subject)
			selects(t, pool, 10)
			time.Sleep(2 * firstSample) // one sample before the window
			if row.edges {
				o.WindowBegins(t.Context())
			}
			selects(t, pool, 20)
			if row.edges {
				o.WindowEnds(t.Context())
			}
			selects(t, pool, 30)
			e := o.End(&result.Measure{Queries: 20, Unmeasured: 38, OwnStatements: 2})
			if got := e.Status["Com_select"]; got != row.selects {
				t.Errorf("the server counted %g selects; want %g", got, row.selects)
			}
			if e.ForeignQueries == nil || *e.ForeignQueries != 0 {
				t.Errorf("foreign queries %v; want 0", e.ForeignQueries)
			}
			if seen := len(e.ServerSamples) > 0; seen == row.edges || seen != (e.ThreadsRunningMean != nil) {
				t.Errorf("%d samples, mean of running threads %v; want them in the whole trial alone", len(e.ServerSamples), e.ThreadsRunningMean)
			}
			if e.Client == nil || !e.SharedHost || e.ServerCPUSeconds == nil || len(e.Notes) > 0 {
				t.Errorf("evidence %+v; want that of a shared machine and no note", e)
			}
			if most := time.Since(began).Seconds() * e.Client.UsableCPUs; *e.ServerCPUSeconds > most {
				t.Errorf("the server used %g s of CPU time in %g", *e.ServerCPUSeconds, most)
			}
		})
	}
}

// TestRoutine: statements inside a routine are the caller's one statement, and nobody else's.
func TestRoutine(t *testing.T) {
	private := servertest.Start(t, server.Private{AllowMemory: true})
	pool, err := private.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, sql := range []string{"CREATE DATABASE routines", "CREATE PROCEDURE routines.two() BEGIN SELECT 1 INTO @a; SELECT 2 INTO @a; END"} {
		if _, err := pool.ExecContext(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	facts := hwinfo.Read(t.Context(), hwinfo.Options{})
	observer := New(time.Now(), &facts)
	defer observer.Close()
	for _, others := range []int{0, 7} {
		o := observer.Begin(t.Context(), Subject{Target: private.Target, PID: private.PID(), Shared: true})
		for range 20 {
			if _, err := pool.ExecContext(t.Context(), "CALL routines.two()"); err != nil {
				t.Fatal(err)
			}
		}
		selects(t, pool, others)
		e := o.End(&result.Measure{Queries: 20})
		if e.ForeignQueries == nil || *e.ForeignQueries != int64(others) {
			t.Errorf("foreign queries %v; want %d", e.ForeignQueries, others)
		}
	}
}

// TestServerGone: counters that cannot be read are unknown, with a note.
func TestServerGone(t *testing.T) {
	private := servertest.Start(t, server.Private{AllowMemory: true})
	facts := hwinfo.Read(t.Context(), hwinfo.Options{})
	observer := New(time.Now(), &facts)
	defer observer.Close()
	o := observer.Begin(t.Context(), Subject{Target: private.Target, PID: private.PID(), Shared: true})
	if err := syscall.Kill(private.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); private.Running(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the killed server still runs after 20 s")
		}
	}
	e := o.End(&result.Measure{})
	if e.Status != nil || e.ForeignQueries != nil || len(e.Notes) != 1 || e.Notes[0].Code != "counters-unknown" {
		t.Errorf("counters %v, foreign queries %v, notes %v; want them unknown and one note", e.Status, e.ForeignQueries, e.Notes)
	}
}

func selects(t *testing.T, pool *sql.DB, n int) {
	t.Helper()
	for i := range n {
		var got int
		if err := pool.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d", i)).Scan(&got); err != nil || got != i {
			t.Fatalf("%d, %v", got, err)
		}
	}
}
