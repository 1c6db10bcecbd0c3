package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// opened is a server that answers, or one that is set aside, with the case that
// it stands for at the moment: cases that vary one another, and those that name
// the same existing server, share it and its tables.
type opened struct {
	plan.Case
	home    home
	target  *server.Target
	private *server.Server  // nil when the server exists without us
	given   plan.Options    // of the case with which the private server was started
	cpus    []int           // that the private server may use, nil for all
	ours    unix.CPUSet     // of the load generator, before it made room; empty when it did not
	undo    []server.Change // global variables that were set for the case
	loaded  map[string]bool // workloads
	warm    map[string]bool // workloads, since the server was started
	written map[string]bool // tables that trials have written to since they were loaded
	data    data

	replicas []*replica
	shared   bool   // the server is on this machine
	ssh      string // host name for ssh of the server's machine, "" when it is not sampled

	// Of an existing server:
	endpoint    *server.Endpoint // by which target logged in
	identity    string
	lock        *server.Lock
	fresh       bool   // nothing has used it since its restart
	restartedBy string // the case whose commands restarted it last
}

// data is what the tables of a server came to, which all its cases have.
type data struct {
	tables      []result.TableFact
	loadSeconds *float64
	notes       []result.Note
	fsync       *float64
}

// enter makes the case and workload ready for trials: the server runs, the
// tables are loaded, the machine has come to rest, the caches are as asked.
func (s *sweep) enter(ctx context.Context, c plan.Case, w plan.Workload) error {
	if err := s.refused[c.Name]; err != nil {
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	if s.open != nil && s.open.home != s.homeOf(c) {
		if err := s.pauseCase(ctx); err != nil {
			return err
		}
	}
	if err := s.openCase(ctx, c); err != nil {
		s.failed(ctx, c, err)
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	if err := s.tablesReady(ctx, w); err != nil {
		return fmt.Errorf("case %s: workload %s: %w", c.Name, w.Label(), err)
	}
	if s.open.warm[w.Label()] {
		return nil
	}
	if err := s.cacheState(ctx, w); err != nil {
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	s.open.warm[w.Label()] = true
	return s.settle(ctx)
}

// failed writes down why a case could not be opened.
func (s *sweep) failed(ctx context.Context, c plan.Case, err error) {
	facts := s.caseFacts(c.Name)
	facts.Status, facts.Error = result.Failed, err.Error()
	var lacking *lackingError
	switch {
	case ctx.Err() != nil:
		facts.Status = result.Interrupted
	case errors.As(err, &lacking):
		facts.Status = result.Skipped
	}
	var restart *restartError
	if ctx.Err() == nil && (s.endpoint(c) == nil || errors.As(err, &restart)) {
		s.refused[c.Name] = err // a server that did not start will not the next time
	}
}

// openCase makes the open server the case's; without one it starts, wakes or
// reaches it first.
func (s *sweep) openCase(ctx context.Context, c plan.Case) error {
	if s.open != nil {
		if s.open.Name == c.Name {
			return nil
		}
		return s.become(ctx, c)
	}
	home := s.homeCase(c)
	if err := s.switchSMT(home); err != nil {
		return err
	}
	o, err := s.wake(ctx, home)
	if err != nil {
		return err
	}
	s.open = o
	if err := s.settleIn(ctx, o); err != nil {
		s.closeCase() // half of a case is none
		return err
	}
	if home.Name != c.Name {
		return s.become(ctx, c)
	}
	return nil
}

// settleIn makes a server that has just been started or reached ready to load
// tables, and writes down what it is.
func (s *sweep) settleIn(ctx context.Context, o *opened) error {
	if err := s.makeRoom(o); err != nil {
		return err
	}
	if err := s.shape(ctx); err != nil {
		return err
	}
	if err := s.share(ctx); err != nil {
		return err
	}
	if err := s.describe(ctx, o); err != nil {
		return err
	}
	return s.saveRun()
}

// wake is the server of a case, running.
func (s *sweep) wake(ctx context.Context, c plan.Case) (*opened, error) {
	if o := s.paused[s.homeOf(c)]; o != nil {
		if o.private == nil {
			return o, s.comeBackTo(ctx, o, c)
		}
		s.doing("starting the server of case %s again", c.Name)
		delete(s.paused, o.home)
		if err := s.restart(ctx, o, c, o.private.Resume); err != nil {
			s.paused[o.home] = o // another case may still start on its data
			return nil, err
		}
		for _, r := range o.replicas {
			if err := r.resume(ctx); err != nil {
				s.note("replicas-unknown", "case %s: %s: %v", c.Name, r.name, err)
			}
		}
		return o, nil
	}
	if s.endpoint(c) != nil {
		return s.reach(ctx, c)
	}
	o := &opened{Case: c, home: s.homeOf(c), loaded: map[string]bool{}, warm: map[string]bool{}, written: map[string]bool{}}
	return o, s.start(ctx, o)
}

// start starts the case's private server.
func (s *sweep) start(ctx context.Context, o *opened) error {
	s.doing("starting a private server")
	private, err := privateServer(&s.Plan, o.Case, s.allowed)
	if err != nil {
		return err
	}
	o.private, err = server.StartPrivate(ctx, private)
	if err != nil {
		return err
	}
	o.target, o.given, o.cpus = o.private.Target, o.Options, private.CPUs
	if err := s.startReplicas(ctx, o); err != nil {
		return errors.Join(err, o.private.Stop())
	}
	return nil
}

// alive asks the open server for a sign of life.
func (s *sweep) alive(ctx context.Context) bool {
	return s.open != nil && answers(ctx, s.open.target, 5*time.Second) == nil
}

// answers says why a server gave no sign of life within a time.
func answers(ctx context.Context, t *server.Target, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, err := t.ThreadsRunning(ctx)
	return err
}

// pauseCase makes room for another case. A private server is stopped and keeps
// its datadir, so that coming back to it costs a restart and no load; an
// existing one keeps the tables, and we the lock.
func (s *sweep) pauseCase(ctx context.Context) error {
	if err := s.checkData(ctx); err != nil {
		return err
	}
	o := s.open
	if o.private == nil {
		if err := s.restore(ctx, o); err != nil { // noted
			s.closeCase()
			return nil
		}
	}
	s.setAside()
	return nil
}

// setAside puts the open server among the paused ones.
func (s *sweep) setAside() {
	o := s.open
	s.open = nil
	s.spreadOut(o)
	s.paused[o.home] = o
	if o.private == nil {
		return
	}
	for _, r := range o.replicas {
		r.pause()
	}
	o.private.Pause()
	o.warm, o.undo = map[string]bool{}, nil
}

// closeCase undoes what was made for the open case. It works after the
// context has ended, each step within its own limit.
func (s *sweep) closeCase() {
	if s.open == nil {
		return
	}
	o := s.open
	s.open = nil
	s.spreadOut(o)
	s.finish(o)
}

// closeAll closes the open case and those that are set aside.
func (s *sweep) closeAll() {
	s.closeCase()
	for _, o := range s.paused {
		s.finish(o)
	}
}

// finish ends what was begun with a server: a private one is removed, an
// existing one is left as it was found.
func (s *sweep) finish(o *opened) {
	if o.private == nil {
		s.leave(o)
		return
	}
	if err := errors.Join(o.closeReplicas(), o.private.Stop()); err != nil {
		s.note("left-behind", "%v", err)
	}
}
