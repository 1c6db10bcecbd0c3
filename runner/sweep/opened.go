package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mysweep/runner/plan"
	"mysweep/runner/result"
	"mysweep/runner/server"
)

// opened is a case whose server answers.
type opened struct {
	plan.Case
	target  *server.Target
	private *server.Server // nil when the server exists without us
	lock    *server.Lock   // on an existing server
	loaded  map[string]bool
	warm    map[string]bool
	facts   *result.Case
}

// enter makes the case and workload ready for trials: the server runs, the
// machine has come to rest, the tables are loaded, the caches are warm.
func (s *sweep) enter(ctx context.Context, c plan.Case, w plan.Workload) error {
	if s.open != nil && s.open.Name != c.Name {
		if err := s.checkData(ctx); err != nil {
			return err
		}
		s.closeCase()
	}
	if s.open == nil {
		if err := s.openCase(ctx, c); err != nil {
			return err
		}
	}
	if !s.open.loaded[w.Label()] {
		if err := s.loadTables(ctx, w); err != nil {
			return fmt.Errorf("case %s: workload %s: %w", c.Name, w.Label(), err)
		}
		s.open.loaded[w.Label()] = true
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
	if !s.open.warm[w.Label()] {
		if err := s.warmUp(ctx, w); err != nil {
			return fmt.Errorf("case %s: warm-up: %w", c.Name, err)
		}
		s.open.warm[w.Label()] = true
	}
	return nil
}

func (s *sweep) openCase(ctx context.Context, c plan.Case) error {
	o := &opened{Case: c, loaded: map[string]bool{}, warm: map[string]bool{}}
	var err error
	if s.Endpoint != nil {
		err = s.reach(ctx, o)
	} else {
		err = s.start(ctx, o)
	}
	if err != nil {
		facts := s.caseFacts(c.Name)
		facts.Status, facts.Error = result.Failed, err.Error()
		if ctx.Err() != nil {
			facts.Status = result.Interrupted
		}
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	s.open = o
	s.eyes.turn(o)
	if err := s.describe(ctx, o); err != nil {
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	if host := s.Plan.Server.SSH; host != "" && s.Run.Server != nil && !s.Run.SharedHost && s.eyes.far == nil {
		if err := s.eyes.lookFar(ctx, host, s.Run.Server); err != nil {
			s.note("server-unseen", "the load of the server's machine cannot be watched: %v", err)
		}
	}
	return s.saveRun()
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

// closeCase undoes what was made for the open case. It works after the
// context has ended, each step within its own limit.
func (s *sweep) closeCase() {
	if s.open == nil {
		return
	}
	o := s.open
	s.eyes.away()
	if o.private != nil {
		if err := o.private.Stop(); err != nil {
			s.note("left-behind", "%v", err)
		}
	} else {
		s.leave(o)
	}
	s.open = nil
}

// leave cleans up on an existing server.
func (s *sweep) leave(o *opened) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
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
