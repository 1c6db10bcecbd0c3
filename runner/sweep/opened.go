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

// opened is a case whose server answers, or a private one that is paused.
type opened struct {
	plan.Case
	target  *server.Target
	private *server.Server  // nil when the server exists without us
	lock    *server.Lock    // on an existing server
	cpus    []int           // that the private server may use, nil for all
	ours    unix.CPUSet     // of the load generator, before it made room; empty when it did not
	undo    []server.Change // global variables that were set on an existing server
	loaded  map[string]bool // workloads
	warm    map[string]bool // workloads, since the server was started
}

// enter makes the case and workload ready for trials: the server runs, the
// tables are loaded, the machine has come to rest, the caches are as asked.
func (s *sweep) enter(ctx context.Context, c plan.Case, w plan.Workload) error {
	if s.open != nil && s.open.Name != c.Name {
		if err := s.pauseCase(ctx); err != nil {
			return err
		}
	}
	if s.open == nil {
		if err := s.openCase(ctx, c); err != nil {
			return fmt.Errorf("case %s: %w", c.Name, err)
		}
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

// openCase starts or reaches the case's server, or wakes it when it is paused,
// and makes it what the case says.
func (s *sweep) openCase(ctx context.Context, c plan.Case) error {
	o, err := s.wake(ctx, c)
	if err != nil {
		facts := s.caseFacts(c.Name)
		facts.Status, facts.Error = result.Failed, err.Error()
		var lacking *lackingCPUs
		switch {
		case ctx.Err() != nil:
			facts.Status = result.Interrupted
		case errors.As(err, &lacking):
			facts.Status = result.Skipped
		}
		return err
	}
	s.open = o
	s.eyes.turn(o)
	if err := s.makeRoom(o); err != nil {
		return err
	}
	if err := s.shape(ctx); err != nil {
		return err
	}
	if err := s.describe(ctx, o); err != nil {
		return err
	}
	s.watchFar(ctx)
	return s.saveRun()
}

// wake is the case with its server running.
func (s *sweep) wake(ctx context.Context, c plan.Case) (*opened, error) {
	if o := s.paused[c.Name]; o != nil {
		s.doing("starting the server of case %s again", c.Name)
		delete(s.paused, c.Name)
		if err := o.private.Resume(ctx); err != nil {
			o.private.Stop()
			return nil, err
		}
		return o, nil
	}
	o := &opened{Case: c, loaded: map[string]bool{}, warm: map[string]bool{}}
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
	private, err := privateServer(&s.Plan, o.Case)
	if err != nil {
		return err
	}
	o.private, err = server.StartPrivate(ctx, private)
	if err != nil {
		return err
	}
	o.target = o.private.Target
	o.cpus = private.CPUs
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
	s.eyes.away()
	s.spreadOut(o)
	o.private.Pause()
	o.warm = map[string]bool{}
	s.paused[o.Name] = o
	s.open = nil
	return nil
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
	if err := o.private.Stop(); err != nil {
		s.note("left-behind", "%v", err)
	}
}

// leave cleans up on an existing server.
func (s *sweep) leave(o *opened) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	s.restore(ctx, o)
	if !s.Plan.KeepTables && !s.Plan.ExistingTables {
		if err := s.dropTables(ctx, o); err != nil {
			s.note("left-behind", "tables of schema %s could not be dropped: %v: mysweep cleanup does it", s.Plan.Server.Database, err)
		}
	}
	if o.lock != nil {
		o.lock.Release()
	}
	o.target.Close()
}
