package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// endpoint is the existing server of a case, nil when it has a private one.
func (s *sweep) endpoint(c plan.Case) *server.Endpoint { return s.Endpoints[c.Name] }

// reach logs in to the existing server of a case, takes its lock and puts back
// what a killed run has left there. A server that other cases know by another
// address is theirs as well.
func (s *sweep) reach(ctx context.Context, c plan.Case) (*opened, error) {
	target, err := s.comeBack(ctx, c)
	if err != nil && len(c.Restart) > 0 && ctx.Err() == nil {
		target, err = s.runRestart(ctx, c, time.Time{}) // one that is down is not beyond them
	}
	if err != nil {
		return nil, err
	}
	identity, err := target.Identity(ctx)
	if err != nil {
		target.Close()
		return nil, err
	}
	for _, o := range s.paused {
		if o.private == nil && o.identity == identity {
			target.Close()
			s.sameAs[s.homeOf(c)] = o.home
			return o, s.comeBackTo(ctx, o, c)
		}
	}
	o := &opened{Case: c, home: s.homeOf(c), endpoint: s.endpoint(c), target: target, identity: identity,
		loaded: map[string]bool{}, warm: map[string]bool{}, written: map[string]bool{}}
	if err := s.takeHold(ctx, o); err != nil {
		target.Close()
		return nil, err
	}
	s.answered[o.home] = true
	if err := s.begin(ctx, o, c); err != nil {
		s.leave(o)
		return nil, err
	}
	return o, nil
}

// takeHold makes an existing server ours for the time of the run.
func (s *sweep) takeHold(ctx context.Context, o *opened) error {
	lock, err := o.target.Lock(ctx, LockName(&s.Plan))
	if errors.Is(err, server.ErrNoLocks) {
		s.note("no-lock", "%v", err)
		err = nil
	}
	if err != nil {
		return err
	}
	o.lock = lock
	if err = s.undoLeftOver(ctx, o); err == nil {
		err = s.reachReplicas(ctx, o)
	}
	if err != nil && lock != nil {
		lock.Release()
	}
	return err
}

// comeBackTo goes on with an existing server that was set aside.
func (s *sweep) comeBackTo(ctx context.Context, o *opened, c plan.Case) error {
	delete(s.paused, o.home)
	err := s.begin(ctx, o, c)
	if err == nil && o.lock != nil {
		err = s.keepLock(ctx, o)
	}
	if err == nil {
		return nil
	}
	if answers(ctx, o.target, partingWithin) == nil {
		s.paused[o.home] = o // good for other cases
	} else {
		s.leave(o)
	}
	return err
}

func (s *sweep) keepLock(ctx context.Context, o *opened) error {
	if err := o.lock.Keep(ctx); err != nil {
		return fmt.Errorf("the lock on the server was lost: %w", err)
	}
	return nil
}

// begin makes an existing server ready for a case: it is asked over the case's
// own login, and restarted by the case's commands.
func (s *sweep) begin(ctx context.Context, o *opened, c plan.Case) error {
	o.Case = c
	if e := s.endpoint(c); *e != *o.endpoint {
		target, err := server.Open(ctx, *e)
		if err != nil {
			return err
		}
		o.target.Close()
		o.target, o.endpoint = target, e
	}
	if len(c.Restart) > 0 {
		return s.restartByCommands(ctx, o)
	}
	if o.restartedBy != "" {
		s.note("restart", "case %s has no restart commands: its server runs as those of case %s have left it", c.Name, o.restartedBy)
	}
	if c.Start != "" {
		o.warm = map[string]bool{}
	}
	return nil
}

// backWithin is how long an existing server that was there may take to come
// back, e.g. when somebody restarts it.
const backWithin = 30 * time.Second

// comeBack logs in to the existing server of a case. One that answered before is
// waited for.
func (s *sweep) comeBack(ctx context.Context, c plan.Case) (*server.Target, error) {
	for deadline := time.Now().Add(backWithin); ; {
		target, err := server.Open(ctx, *s.endpoint(c))
		if err == nil || !s.answered[s.homeOf(c)] || time.Now().After(deadline) {
			return target, err
		}
		s.doing("waiting for the server to come back: %v", err)
		if err := pause(ctx, 500*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// partingWithin is how long a server that is to be left may take to answer.
const partingWithin = 2 * time.Second

// pause waits, unless the run is cut off.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// LockName is the lock on an existing server by which runs that work in the same
// schema exclude each other.
func LockName(p *plan.Plan) string { return "mysweep/" + p.Server.Database }

// leave cleans up on an existing server. One that does not answer is asked for
// no more: a user who waits for the end would wait for each limit in turn.
func (s *sweep) leave(o *opened) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := answers(ctx, o.target, partingWithin); err != nil {
		if len(o.undo) > 0 {
			s.note("not-undone", "the server does not answer, so what case %s has set there is still set, until the next run on it or: %s", o.Name, server.UndoByHand(o.undo))
		}
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
