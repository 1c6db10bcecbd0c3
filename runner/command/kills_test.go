package command_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestKills: after SIGKILL at a random moment what is there can be reported, the run can be resumed
// to its end, and nothing is left then. The moments differ from run to run; the log has them.
func TestKills(t *testing.T) {
	servertest.Needed(t)
	n := 5
	if everything() {
		n = 50
	}
	servers := newFaultServers(t)
	sideBySide(n, func(i int) {
		s := setting{private: i%2 == 0, tcp: i/2%2 == 0, loadgen: []string{"loop", "goroutine"}[i/4%2]}
		moment := time.Duration(rand.Int64N(int64(7 * time.Second)))
		t.Run(fmt.Sprintf("%d %s %s", i, s, moment.Round(time.Millisecond)), func(t *testing.T) {
			killAt(servers.newCell(t, s, false), moment)
		})
	})
}

func killAt(c *cell, moment time.Duration) {
	c.start()
	select {
	case c.status = <-c.exit: // it was done before
	case <-time.After(moment):
		c.signal(syscall.SIGKILL, false)
		c.finish()
	}
	before := 0
	if result.IsArchive(c.out) {
		if got := c.again("report", c.out); got != 0 {
			c.Errorf("report exits with %d:\n%s", got, c.stderr.String())
		}
		a, err := result.Read(c.out)
		if err != nil {
			c.Fatal(err)
		}
		before = len(a.Trials)
		resume := []string{"run", "--quiet", "--resume", c.out}
		if !c.private {
			resume = append(resume, "--defaults-file", c.options)
		}
		if got := c.again(resume...); got != 0 {
			c.Errorf("--resume exits with %d:\n%s", got, c.stderr.String())
		}
	} else { // killed before there was anything to resume
		c.out = filepath.Join(c.dir, "again")
		if got := c.again(c.arguments()[1:]...); got != 0 {
			c.Errorf("the next run exits with %d:\n%s", got, c.stderr.String())
		}
	}
	a, err := result.Read(c.out)
	if err != nil {
		c.Fatal(err)
	}
	if len(a.Trials) != 4 || a.Run.Status != result.OK {
		c.Errorf("%d trials after the resumption, %d before, run %s; want 4, ok", len(a.Trials), before, a.Run.Status)
	}
	for i := range a.Trials {
		if a.Trials[i].Status != result.OK {
			c.Errorf("trial %d is %s: %s", i+1, a.Trials[i].Status, a.Trials[i].Error)
		}
		c.rightCounts(&a.Trials[i])
	}
	c.complete(4)
	c.nothingLeft()
}

// TestResumeWithAllTrials: a run that was killed after its last trial has left its tables, and they
// go when it is resumed, though nothing is to be measured any more.
func TestResumeWithAllTrials(t *testing.T) {
	servertest.Needed(t)
	c := newFaultServers(t).newCell(t, setting{loadgen: "loop"}, false)
	c.start()
	if c.finish(); c.status != 0 {
		t.Fatalf("exit status %d:\n%s", c.status, c.stderr.String())
	}
	complete := c.out
	c.out = filepath.Join(c.dir, "killed") // what it leaves is what that run would have left
	c.start()
	c.trialEnded()
	c.signal(syscall.SIGKILL, false)
	c.finish()
	if c.sql("SHOW TABLES FROM "+c.database) == "" {
		t.Fatal("the killed run has left no table")
	}
	if got := c.again("run", "--quiet", "--resume", complete, "--defaults-file", c.options); got != 0 {
		t.Errorf("--resume exits with %d:\n%s", got, c.stderr.String())
	}
	c.nothingLeft()
}

// TestSoak: after the first hundred trials a run needs no more memory, however many follow.
func TestSoak(t *testing.T) {
	servertest.Needed(t)
	trials := 400
	if everything() {
		trials = 2000
	}
	c := newFaultServers(t).newCell(t, setting{loadgen: "loop"}, false)
	c.sweep = []string{"-t", "1,2", "-q", "1", "--min-time", "0", "-r", strconv.Itoa(trials / 2)}
	c.start()
	journal := filepath.Join(c.out, result.JournalFile)
	ended := func() int {
		text, _ := os.ReadFile(journal)
		return bytes.Count(text, []byte("\n"))
	}
	c.until("100 trials have ended", func() bool { return ended() >= 100 })
	early, late := c.memory(), int64(0)
	for ended() < trials-5 && len(c.exit) == 0 {
		late = c.memory()
		time.Sleep(50 * time.Millisecond)
	}
	c.finish()
	if c.status != 0 {
		t.Fatalf("exit status %d; stderr:\n%s", c.status, c.stderr.String())
	}
	t.Logf("%d MB after 100 trials, %d MB after %d", early>>20, late>>20, trials)
	if most := early + early/5; late > most || late == 0 {
		t.Errorf("%d bytes after 100 trials, %d after %d; want at most a fifth more", early, late, trials)
	}
	c.nothingLeft()
}

// memory is the most that mysweep has had in memory so far, in bytes; 0 when it has ended.
func (c *cell) memory() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.run.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	fmt.Sscan(rest, &kilobytes)
	return kilobytes << 10
}
