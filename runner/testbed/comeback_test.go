package testbed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// restartLater starts a stopped server again after a while.
func restartLater(t *testing.T, s *server.Server, after time.Duration) (started chan error) {
	t.Helper()
	started = make(chan error, 1)
	time.AfterFunc(after, func() { started <- s.Resume(t.Context()) })
	t.Cleanup(func() { // the server is not stopped while it starts
		select {
		case <-started:
		case <-time.After(time.Minute):
		}
	})
	return started
}

// An existing server that went away while its bed was set aside is waited for, and its tables are
// loaded again where they are gone.
func TestResumeExistingThatWentAway(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a"}
	site, w, private := existingSite(t, report, c)
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	bed.makeWay(t.Context())
	if site.paused[site.keyOf(c)] != bed || site.Bed() != nil {
		t.Fatal("the bed is not set aside")
	}
	private.Pause()
	const away = 3 * time.Second
	began := time.Now()
	started := restartLater(t, private, away)
	if bed, err = site.Open(t.Context(), c, w); err != nil {
		t.Fatalf("%v; want that the server is waited for", err)
	}
	if took := time.Since(began); took < away {
		t.Errorf("the case was opened after %v, before the server was back", took)
	}
	started <- <-started
	if !strings.Contains(strings.Join(report.progress, "\n"), "waiting for the server to come back") {
		t.Errorf("progress %q does not say what is waited for", report.progress)
	}
	if err := bed.Hold(t.Context()); err != nil {
		t.Error(err)
	}
	if n := tableCount(t, private); n != 1 {
		t.Errorf("%d tables; want 1", n)
	}
	site.Close()
	if n := tableCount(t, private); n != 0 || len(report.notes) > 0 {
		t.Errorf("%d tables are left, notes %v; want none", n, report.notes)
	}
}

// A server that never comes back ends the wait with an error, within its limit.
func TestResumeExistingThatStaysAway(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a"}
	site, w, private := existingSite(t, report, c)
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	bed.makeWay(t.Context())
	private.Pause()
	began := time.Now()
	if _, err = site.Open(t.Context(), c, w); err == nil {
		t.Fatal("a case was opened on a server that is down")
	}
	if took := time.Since(began); took < backWithin || took > 2*backWithin {
		t.Errorf("waited %v, want about %v", took, backWithin)
	}
	site.Close()
	if len(report.notes) != 1 || report.notes[0].Code != "left-behind" {
		t.Errorf("notes %v; want that the tables are left behind", report.notes)
	}
}

// What is noted of a server that does not answer holds until it is back: its variables are put back
// when it is reached again, its tables dropped when it is left.
func TestNotesOfAnOutage(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a", SetGlobal: plan.Options{"max_connect_errors": "77"}}
	site, w, private := existingSite(t, report, c)
	before := globalValue(t, private, "max_connect_errors")
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	stopped(t, private, bed.Close)
	if got := report.codes(); got != "not-undone left-behind" {
		t.Errorf("notes of the outage: %s; want not-undone left-behind", got)
	}
	if got := globalValue(t, private, "max_connect_errors"); got != "77" {
		t.Fatalf("max_connect_errors is %s; want 77, as it could not be put back", got)
	}
	if _, err := site.Open(t.Context(), c, w); err != nil {
		t.Fatal(err)
	}
	if got := report.codes(); got != "left-behind restored" {
		t.Errorf("notes after the server was back: %s; want left-behind restored", got)
	}
	want := "max_connect_errors was left at 77 by this run when it lost the server and was put back to " + before
	if got := report.notes[len(report.notes)-1].Text; got != want {
		t.Errorf("note %q; want %q", got, want)
	}
	site.Close()
	if got := report.codes(); got != "restored" {
		t.Errorf("notes at the end: %s; want restored alone", got)
	}
	if got := globalValue(t, private, "max_connect_errors"); got != before {
		t.Errorf("max_connect_errors is %s; want %s", got, before)
	}
	if n := tableCount(t, private); n != 0 {
		t.Errorf("%d tables are left", n)
	}
}

// A server that does not answer the load check may be back soon: the check is repeated, and the
// lock, which ended with the server, is taken again.
func TestLoadCheckOfAServerThatComesBack(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a"}
	site, w, private := existingSite(t, report, c)
	limits, err := plan.ParseLoadLimits("Threads_running=100000")
	if err != nil {
		t.Fatal(err)
	}
	site.plan.MaxLoad = limits
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	private.Pause()
	started := restartLater(t, private, 3*time.Second)
	if err := bed.Guard(t.Context()); err != nil {
		t.Fatalf("%v; want that the check is repeated", err)
	}
	started <- <-started
	if _, err := private.Lock(t.Context(), LockName(&site.plan)); !EndsRun(err) {
		t.Errorf("lock: %v; want it held by the bed", err)
	}
	if !strings.Contains(strings.Join(report.progress, "\n"), "waiting for the server to answer") {
		t.Errorf("progress %q does not say what is waited for", report.progress)
	}
	site.Close()
	if len(report.notes) > 0 {
		t.Errorf("notes %v; want none", report.notes)
	}
}

// A server that stops answering while it is left is one that is noted of until it is back.
func TestNotesOfAnOutageMeanwhile(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a", SetGlobal: plan.Options{"max_connect_errors": "77"}}
	site, w, private := existingSite(t, report, c)
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	stopped(t, private, func() { bed.restore(ctx) })
	if got := report.codes(); got != "not-undone" {
		t.Errorf("notes %s; want not-undone", got)
	}
	bed.noteLeftBehind("its tables could not be dropped")
	bed.Close()
	if got := report.codes(); got != "" {
		t.Errorf("notes %s after the server was left as it was found; want none", got)
	}
	if n := tableCount(t, private); n != 0 {
		t.Errorf("%d tables are left", n)
	}
}

// A run that was killed after its trials has left its tables and variables. Nothing is to be
// measured any more when it is resumed, and its server is left as it was found all the same.
func TestCleanUpOfAResumedRun(t *testing.T) {
	c := plan.Case{Name: "a", SetGlobal: plan.Options{"max_connect_errors": "77"}}
	killed, w, private := existingSite(t, &recorder{}, c)
	before := globalValue(t, private, "max_connect_errors")
	bed, err := killed.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	bed.lock.Abandon() // as SIGKILL does
	bed.target.Close()
	report := &recorder{}
	config := Config{Plan: killed.plan, Endpoints: killed.endpoints, Workloads: killed.workloads, Report: report}
	for _, resumed := range []bool{false, true} {
		config.Resumed = resumed
		site := NewSite(config)
		if err := site.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		site.Close()
		want, left := "77", 1
		if resumed {
			want, left = before, 0
		}
		if got, n := globalValue(t, private, "max_connect_errors"), tableCount(t, private); got != want || n != left {
			t.Errorf("resumed %v: max_connect_errors is %s, %d tables; want %s and %d", resumed, got, n, want, left)
		}
	}
	if got := report.codes(); got != "restored" {
		t.Errorf("notes %v; want restored", report.notes)
	}
}

// stopped does something while a server is stopped.
func stopped(t *testing.T, s *server.Server, do func()) {
	t.Helper()
	pid := s.PID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	for { // its threads stop one after another
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		if !slices.ContainsFunc(threads, func(path string) bool {
			text, _ := os.ReadFile(path)
			return len(text) > 0 && !strings.Contains(string(text), ") T ")
		}) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	do()
}
