package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"mysweep/runner/plan"
	"mysweep/runner/result"
	"mysweep/runner/server"
)

// opened is a server that answers, or a private one that is paused, with the
// case that it stands for at the moment: cases that vary one another share a
// server and its tables.
type opened struct {
	plan.Case
	home    string // whose server it is, see homeOf
	target  *server.Target
	private *server.Server  // nil when the server exists without us
	given   plan.Options    // of the case with which the private server was started
	lock    *server.Lock    // on an existing server
	cpus    []int           // that the private server may use, nil for all
	ours    unix.CPUSet     // of the load generator, before it made room; empty when it did not
	undo    []server.Change // global variables that were set for the case
	loaded  map[string]bool // workloads
	warm    map[string]bool // workloads, since the server was started
	data    data

	replicas []*replica
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
	if !s.open.loaded[w.Label()] {
		if err := s.loadTables(ctx, w); err != nil {
			return fmt.Errorf("case %s: workload %s: %w", c.Name, w.Label(), err)
		}
		s.open.loaded[w.Label()] = true
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
	if s.Endpoint == nil && ctx.Err() == nil {
		s.refused[c.Name] = err // a private server that did not start will not the next time
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
	s.eyes.turn(o)
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
	s.watchFar(ctx)
	return s.saveRun()
}

// wake is the server of a case, running.
func (s *sweep) wake(ctx context.Context, c plan.Case) (*opened, error) {
	if o := s.paused[s.homeOf(c)]; o != nil {
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
	o := &opened{Case: c, home: s.homeOf(c), loaded: map[string]bool{}, warm: map[string]bool{}}
	if s.Endpoint != nil {
		return o, s.reach(ctx, o)
	}
	return o, s.start(ctx, o)
}

// watchFar begins to watch the server's machine, where there is a way to it.
func (s *sweep) watchFar(ctx context.Context) {
	host := s.Plan.Server.SSH
	if host == "" || s.Run.Server == nil || s.Run.SharedHost || s.eyes.far != nil {
		return
	}
	if err := s.eyes.lookFar(ctx, host, s.Run.Server); err != nil {
		s.note("server-unseen", "the load of the server's machine cannot be watched: %v", err)
	}
}

// reach logs in to the existing server and takes its lock.
func (s *sweep) reach(ctx context.Context, o *opened) error {
	target, err := s.comeBack(ctx)
	if err != nil {
		return err
	}
	o.target = target
	o.lock, err = target.Lock(ctx, LockName(&s.Plan))
	if errors.Is(err, server.ErrNoLocks) {
		s.note("no-lock", "%v", err)
		err = nil
	}
	if err == nil {
		err = s.undoLeftOver(ctx, o)
	}
	if err == nil {
		err = s.reachReplicas(ctx, o)
	}
	if err != nil {
		target.Close()
	}
	return err
}

// backWithin is how long an existing server that was there may take to come
// back, e.g. when somebody restarts it.
const backWithin = 30 * time.Second

// comeBack logs in to the existing server. One that answered before is waited
// for.
func (s *sweep) comeBack(ctx context.Context) (*server.Target, error) {
	seen := len(s.Run.Cases) > 0
	for deadline := time.Now().Add(backWithin); ; {
		target, err := server.Open(ctx, *s.Endpoint)
		if err == nil || !seen || time.Now().After(deadline) {
			return target, err
		}
		s.doing("waiting for the server to come back: %v", err)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// LockName is the lock on an existing server that keeps two runs apart.
func LockName(p *plan.Plan) string { return "mysweep/" + p.Server.Database }

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
	if s.open == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := s.open.target.ThreadsRunning(ctx)
	return err == nil
}

// answers says why a server gave no sign of life.
func answers(ctx context.Context, t *server.Target) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_, err := t.ThreadsRunning(ctx)
	return err
}

// pauseCase makes room for another case. A private server is stopped and keeps
// its datadir, so that coming back to it costs a restart and no load.
func (s *sweep) pauseCase(ctx context.Context) error {
	if err := s.checkData(ctx); err != nil {
		return err
	}
	o := s.open
	if o.private == nil {
		s.closeCase()
		return nil
	}
	s.setAside()
	return nil
}

// setAside pauses the open private server.
func (s *sweep) setAside() {
	o := s.open
	s.open = nil
	s.eyes.away()
	s.spreadOut(o)
	for _, r := range o.replicas {
		r.pause()
	}
	o.private.Pause()
	o.warm, o.undo = map[string]bool{}, nil
	s.paused[o.home] = o
}

// closeCase undoes what was made for the open case. It works after the
// context has ended, each step within its own limit.
func (s *sweep) closeCase() {
	if s.open == nil {
		return
	}
	o := s.open
	s.open = nil
	s.eyes.away()
	s.spreadOut(o)
	if o.private != nil {
		s.remove(o)
	} else {
		s.leave(o)
	}
}

// closeAll closes the open case and removes the paused ones.
func (s *sweep) closeAll() {
	s.closeCase()
	for _, o := range s.paused {
		s.remove(o)
	}
}

func (s *sweep) remove(o *opened) {
	if err := errors.Join(o.closeReplicas(), o.private.Stop()); err != nil {
		s.note("left-behind", "%v", err)
	}
}

// leave cleans up on an existing server. One that does not answer is asked for
// no more: a user who waits for the end would wait for each limit in turn.
func (s *sweep) leave(o *opened) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := answers(ctx, o.target); err != nil {
		s.note("left-behind", "what was made in schema %s is still there, the server does not answer: %v: mysweep cleanup removes it", s.Plan.Server.Database, err)
		if o.lock != nil {
			o.lock.Abandon()
		}
		o.target.Close()
		return
	}
	s.restore(ctx, o) // what it could not do is noted
	if !s.Plan.KeepTables && !s.Plan.ExistingTables {
		if err := s.dropTables(ctx, o); err != nil {
			s.note("left-behind", "tables of schema %s could not be dropped: %v: mysweep cleanup does it", s.Plan.Server.Database, err)
		}
	}
	o.closeReplicas()
	if o.lock != nil {
		o.lock.Release()
	}
	o.target.Close()
}
