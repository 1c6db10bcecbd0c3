package command_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// fault is something that goes wrong in a run of four trials, after the first of them.
type fault struct {
	name            string
	existing, tcp   bool // it takes an existing server, over TCP
	server          bool // it is the server's, which nobody shares
	root            bool
	prepare, strike func(c *cell)
	exits           []int
	hit             []result.Status // of a trial after the first; nil: as the others
	trials          int             // lines of the journal at least, of four
	lost            string          // why there is no report, from stderr; "" when there is one
	ends            time.Duration   // after the strike at most; 0: faultTime
}

const within = 300 * time.Millisecond // of the second trial

// hitWithin strikes in the middle of the second trial, whatever is done.
func hitWithin(do func(c *cell)) func(c *cell) {
	return func(c *cell) {
		time.Sleep(within)
		do(c)
	}
}

func (c *cell) killServer() {
	c.Helper()
	if err := syscall.Kill(c.pid(), syscall.SIGKILL); err != nil {
		c.Fatal(err)
	}
}

// startServer starts the existing server again; a private one is mysweep's.
func (c *cell) startServer() {
	c.Helper()
	if c.private {
		return
	}
	time.Sleep(time.Second)
	if err := c.server.Resume(c.Context()); err != nil {
		c.Fatal(err)
	}
}

func signals(group bool, pause time.Duration, list ...syscall.Signal) func(c *cell) {
	return hitWithin(func(c *cell) {
		for i, s := range list {
			if i > 0 {
				time.Sleep(pause)
			}
			c.signal(s, group)
		}
	})
}

func environment(env ...string) func(c *cell) {
	return func(c *cell) {
		c.env = append([]string{}, env...)
	}
}

func limited(command string) func(c *cell) {
	return func(c *cell) { c.wrap = []string{"sh", "-c", command + `; exec "$@"`, "sh"} }
}

var interruptedOnce = []result.Status{result.Interrupted}

func faults() []fault {
	broken := []result.Status{result.Invalid, result.Failed}
	return []fault{
		{name: "none", exits: []int{0}, trials: 4},
		{name: "server killed within a trial", server: true, strike: hitWithin(func(c *cell) { c.killServer(); c.startServer() }), exits: []int{3}, hit: broken, trials: 4},
		{name: "server killed between trials", server: true, strike: func(c *cell) { c.killServer(); c.startServer() }, exits: []int{0, 3}, trials: 4},
		{name: "server killed for good", server: true, prepare: (*cell).ownProgram, strike: hitWithin(func(c *cell) { c.removeProgram(); c.killServer() }), exits: []int{3},
			hit: broken, trials: 4},
		{name: "server restarted", server: true, existing: true, strike: hitWithin(func(c *cell) { c.server.Pause(); c.startServer() }), exits: []int{3}, hit: broken, trials: 4},
		{name: "server stopped for 3 s", server: true, strike: hitWithin(func(c *cell) { c.stopFor(c.pid(), 3*time.Second) }), exits: []int{0, 3}, trials: 4},
		{name: "mysweep stopped for 3 s", strike: hitWithin(func(c *cell) { c.stopFor(c.run.Process.Pid, 3*time.Second) }), exits: []int{3},
			hit: []result.Status{result.Invalid}, trials: 4},
		{name: "network closed", existing: true, tcp: true, strike: hitWithin(func(c *cell) { c.link.cut(false) }), exits: []int{3}, hit: broken, trials: 4},
		{name: "network reset", existing: true, tcp: true, strike: hitWithin(func(c *cell) { c.link.cut(true) }), exits: []int{3}, hit: broken, trials: 4},
		{name: "network down for 2 s", existing: true, tcp: true, strike: hitWithin(func(c *cell) {
			c.link.set(false, true)
			c.link.cut(true)
			time.Sleep(2 * time.Second)
			c.link.set(false, false)
		}), exits: []int{3}, hit: broken, trials: 4},
		{name: "network loses connections", existing: true, tcp: true, strike: hitWithin(func(c *cell) { c.link.lose(c.server.Endpoint.Port) }), exits: []int{3}, hit: broken, trials: 4},
		{name: "network silent for 2 s", existing: true, tcp: true, strike: hitWithin(func(c *cell) {
			c.link.set(true, false)
			time.Sleep(2 * time.Second)
			c.link.set(false, false)
		}), exits: []int{0, 3}, trials: 4},
		{name: "sessions killed", strike: hitWithin((*cell).killSessions), exits: []int{3}, hit: broken, trials: 4},
		{name: "read only", server: true, strike: hitWithin(func(c *cell) { c.sql("SET GLOBAL read_only = 1") }), exits: []int{0}, trials: 4},
		{name: "output removed", strike: hitWithin(func(c *cell) { os.RemoveAll(c.out) }), exits: []int{1}, lost: "the results are lost"},
		{name: "output full", root: true, prepare: func(c *cell) { c.mountOut("mode=750,size=400k") }, strike: hitWithin((*cell).fillOut), exits: []int{1}, trials: 1,
			lost: "trials.jsonl: .*no space left"},
		{name: "output read-only", root: true, prepare: func(c *cell) { c.mountOut("mode=750,size=4m") }, strike: hitWithin((*cell).freezeOut), exits: []int{1}, trials: 1,
			lost: "read-only file system"},
		{name: "file size limit", existing: true, prepare: limited("ulimit -f 400"), exits: []int{1}, trials: 4, lost: "report.html: .*file too large"},
		{name: "few files", existing: true, prepare: limited("ulimit -n 16"), exits: []int{0, 2, 3}},
		{name: "SIGTERM", strike: signals(false, 0, syscall.SIGTERM), exits: []int{143}, hit: interruptedOnce, trials: 2},
		{name: "SIGTERM twice", strike: signals(false, time.Millisecond, syscall.SIGTERM, syscall.SIGTERM), exits: []int{143}, hit: interruptedOnce, trials: 2},
		{name: "SIGINT", strike: signals(true, 0, syscall.SIGINT), exits: []int{130}, hit: interruptedOnce, trials: 2},
		{name: "SIGINT twice at once", strike: signals(true, 50*time.Millisecond, syscall.SIGINT, syscall.SIGINT), exits: []int{130}, hit: interruptedOnce, trials: 2},
		{name: "SIGINT, again after a second", server: true, strike: hitWithin((*cell).impatient), exits: []int{130}, trials: 1,
			lost: "press Ctrl-C again to stop at once", ends: time.Minute},
		{name: "SIGHUP", strike: signals(false, 0, syscall.SIGHUP), exits: []int{129}, hit: interruptedOnce, trials: 2},
		{name: "SIGHUP, then SIGTERM", strike: signals(false, time.Second, syscall.SIGHUP, syscall.SIGTERM), exits: []int{129}, hit: interruptedOnce, trials: 2},
		{name: "timeout", prepare: func(c *cell) { c.wrap = []string{"timeout", "100"} }, strike: signals(false, 0, syscall.SIGTERM), exits: []int{143, 124},
			hit: interruptedOnce, trials: 2},
		{name: "empty environment", prepare: environment(), exits: []int{0}, trials: 4},
		{name: "no PATH", prepare: environment("HOME=/nonexistent", "LC_ALL=C.UTF-8"), exits: []int{0}, trials: 4},
		{name: "no HOME, odd time zone and locale", prepare: environment("PATH="+os.Getenv("PATH"), "LC_ALL=C", "TZ=Nowhere/Odd"), exits: []int{0}, trials: 4},
		{name: "two at once", strike: hitWithin((*cell).second), exits: []int{0}, trials: 4},
	}
}

// TestFaults: whatever goes wrong, mysweep ends, says so by its exit status, keeps the trials that
// have ended with right counts, marks the one that was hit, and leaves nothing behind. A selection
// in which each fault meets each setting runs here, all of them with MYSWEEP_TEST_ALL.
func TestFaults(t *testing.T) {
	servertest.Needed(t)
	inheritNoIgnores(t)
	list := faults()
	forbidden := func(row []int) bool {
		f := list[row[0]]
		return f.existing && row[1] == 0 || f.tcp && row[2] == 0
	}
	levels := []int{len(list), 2, 2, 2}
	rows := pairs(levels, forbidden)
	if everything() {
		rows = product(levels, forbidden)
	}
	book := &faultBook{cells: map[string]int{}, failed: map[string]int{}, skipped: map[string]string{}}
	servers := newFaultServers(t)
	sideBySide(len(rows), func(i int) {
		row := rows[i]
		f, s := list[row[0]], setting{private: row[1] == 0, tcp: row[2] == 1, loadgen: []string{"loop", "goroutine"}[row[3]]}
		t.Run(f.name+" "+s.String(), func(t *testing.T) {
			defer book.add(f.name, t)
			f.run(t, servers, s)
		})
	})
	t.Log("\n" + book.table(list))
}

// inheritNoIgnores lets programs start with signals as a terminal's, where this test runs below
// nohup or in the background of a shell: mysweep ignores what was ignored when it began.
func inheritNoIgnores(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, s) // a handler is no part of what a program inherits
			t.Cleanup(func() { signal.Ignore(s) })
		}
	}
}

// sideBySide does something n times, several at a time, as most of a cell's time is waiting;
// parallel tests would be as many as there are CPUs.
func sideBySide(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(6)
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	group.Wait()
}

func (f *fault) run(t *testing.T, servers *faultServers, s setting) {
	if f.root && os.Getuid() != 0 {
		t.Skip("needs root, for a file system of its own")
	}
	c := servers.newCell(t, s, f.server)
	if f.prepare != nil {
		f.prepare(c)
	}
	c.start()
	if f.strike != nil {
		c.trialEnded()
		f.strike(c)
	}
	struck := time.Now()
	c.finish()
	if took := time.Since(struck); f.ends > 0 && took > f.ends {
		t.Errorf("mysweep ended after %v, want at most %v", took, f.ends)
	}
	if !slices.Contains(f.exits, c.status) {
		t.Errorf("exit status %d, want one of %v; stderr:\n%s", c.status, f.exits, c.stderr.String())
	}
	c.nothingLeft()
	f.check(c)
	if t.Failed() {
		t.Logf("stderr:\n%s", c.stderr.String())
	}
}

// check looks at what the run has left to be read.
func (f *fault) check(c *cell) {
	c.Helper()
	if f.lost != "" && !matches(f.lost, c.stderr.String()) {
		c.Errorf("stderr does not say %q", f.lost)
	}
	if f.trials == 0 {
		return
	}
	a, err := result.Read(c.out)
	if err != nil {
		c.Error(err)
		return
	}
	if a.Torn > 0 && f.name != "output full" || len(a.Trials) < f.trials {
		c.Errorf("%d trials, %d torn; want %d and 0", len(a.Trials), a.Torn, f.trials)
	}
	// On a busy machine the strike may come late, in the trial after the second.
	if f.hit != nil && !slices.ContainsFunc(a.Trials[1:], func(t result.Trial) bool { return slices.Contains(f.hit, t.Status) }) {
		c.Errorf("no trial after the first is one of %v; the second is %s: %s", f.hit, a.Trials[1].Status, a.Trials[1].Error)
	}
	for i := range a.Trials {
		trial := &a.Trials[i]
		if (i == 0 || len(f.exits) == 1 && f.exits[0] == 0) && trial.Status != result.OK {
			c.Errorf("trial %d is %s: %s", i+1, trial.Status, trial.Error)
		}
		c.rightCounts(trial)
	}
	if f.lost == "" {
		c.complete(len(a.Trials))
	}
}

// rightCounts: a round is two statements, and no failure is counted as an answer.
func (c *cell) rightCounts(t *result.Trial) {
	c.Helper()
	m := &t.Measure
	if m.Queries < 2*m.Transactions || m.Queries > 2*m.Transactions+int64(t.Threads) || m.Latency.Count != m.Queries+m.Late {
		c.Errorf("trial %d: %d queries in %d rounds, %d late, %d latencies", t.Seq, m.Queries, m.Transactions, m.Late, m.Latency.Count)
	}
	if t.Status == result.OK && (m.Queries == 0 || m.Errors > 0) {
		c.Errorf("trial %d is ok with %d queries and %d errors", t.Seq, m.Queries, m.Errors)
	}
}

// complete: the report, the summary and a row for each trial are there.
func (c *cell) complete(trials int) {
	c.Helper()
	for _, name := range []string{"report.html", "summary.txt"} {
		if info, err := os.Stat(filepath.Join(c.out, name)); err != nil || info.Size() == 0 {
			c.Errorf("no %s: %v", name, err)
		}
	}
	f, err := os.Open(filepath.Join(c.out, "results.csv"))
	if err != nil {
		c.Error(err)
		return
	}
	defer f.Close()
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != trials+1 {
		c.Errorf("results.csv has %d lines, %v; want %d", len(rows), err, trials+1)
	}
}

// faultBook keeps what became of the cells of each fault.
type faultBook struct {
	mutex         sync.Mutex
	cells, failed map[string]int
	skipped       map[string]string
}

func (b *faultBook) add(name string, t *testing.T) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.cells[name]++
	if t.Failed() {
		b.failed[name]++
	}
	if t.Skipped() {
		b.skipped[name] = "skipped: needs root"
	}
}

func (b *faultBook) table(list []fault) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-36s %5s  %s\n", "fault", "cells", "result")
	for _, f := range list {
		outcome := "ok"
		if n := b.failed[f.name]; n > 0 {
			outcome = fmt.Sprintf("%d failed", n)
		}
		if why := b.skipped[f.name]; why != "" {
			outcome = why
		}
		fmt.Fprintf(&text, "%-36s %5d  %s\n", f.name, b.cells[f.name], outcome)
	}
	return text.String()
}
