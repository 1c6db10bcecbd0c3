package testbed

import (
	"context"
	"errors"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// endpoint is the existing server of a case, nil when it has a private one.
func (s *Site) endpoint(c plan.Case) *server.Endpoint { return s.endpoints[c.Name] }

// reach logs in to the existing server of a case, takes its lock and puts back
// what a killed run has left there. When another case names the same server by
// another address, both share one bed.
func (s *Site) reach(ctx context.Context, c plan.Case) (*Bed, error) {
	target, err := s.login(ctx, c)
	if err != nil && len(c.Restart) > 0 && ctx.Err() == nil {
		target, err = s.runRestart(ctx, c, time.Time{}) // its commands may start it
	}
	if err != nil {
		return nil, err
	}
	identity, err := target.Identity(ctx)
	if err != nil {
		target.Close()
		return nil, err
	}
	for _, b := range s.paused {
		if b.private == nil && b.identity == identity {
			target.Close()
			s.sameAs[s.keyOf(c)] = b.key
			return s.resumeExisting(ctx, b, c)
		}
	}
	b := s.newBed(c)
	b.endpoint, b.target, b.identity = s.endpoint(c), target, identity
	if err := b.acquire(ctx); err != nil {
		target.Close()
		return nil, err
	}
	s.answered[b.key] = true
	if err := b.begin(ctx, c); err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

// acquire makes an existing server ours for the time of the run.
func (b *Bed) acquire(ctx context.Context) error {
	lock, err := b.target.Lock(ctx, LockName(&b.site.plan))
	if errors.Is(err, server.ErrNoLocks) {
		b.site.report.Note("no-lock", "%v", err)
		err = nil
	}
	if err != nil {
		return err
	}
	b.lock = lock
	if nodes := b.target.ClusterSize(ctx); nodes > 1 && lock != nil {
		b.site.report.Note("no-lock", "the server is one of a cluster of %d nodes, and its lock is not the others': a run on another node may use the same tables", nodes)
	}
	if err = b.undoLeftOver(ctx); err == nil {
		err = b.reachReplicas(ctx)
	}
	if err != nil && lock != nil {
		lock.Release()
	}
	if err == nil {
		b.site.undone(b.identity)
	}
	return err
}

// resumeExisting goes on with an existing server that was set aside. One that went away meanwhile
// is waited for and reached again.
func (s *Site) resumeExisting(ctx context.Context, b *Bed, c plan.Case) (*Bed, error) {
	delete(s.paused, b.key)
	err := b.begin(ctx, c)
	if err == nil {
		err = b.Hold(ctx)
	}
	if err == nil {
		return b, nil
	}
	if ping(ctx, b.target, partingWithin) == nil {
		s.paused[b.key] = b // good for other cases
		return nil, err
	}
	b.release()
	var held *server.LockedError
	if ctx.Err() != nil || errors.As(err, &held) {
		return nil, err
	}
	return s.reach(ctx, c)
}

// begin makes an existing server ready for a case: it is asked over the case's
// own login, and restarted by the case's commands.
func (b *Bed) begin(ctx context.Context, c plan.Case) error {
	b.Case = c
	if e := b.site.endpoint(c); *e != *b.endpoint {
		target, err := server.Open(ctx, *e)
		if err != nil {
			return err
		}
		b.target.Close()
		b.target, b.endpoint = target, e
	}
	if len(c.Restart) > 0 {
		return b.restartByCommands(ctx)
	}
	if b.restartedBy != "" {
		b.site.report.Note("restart", "case %s has no restart commands: its server runs as those of case %s have left it", c.Name, b.restartedBy)
	}
	if c.Start != "" {
		b.warm = map[string]bool{}
	}
	return nil
}

// backWithin is how long an existing server that was there may take to come
// back, e.g. when somebody restarts it.
const backWithin = 30 * time.Second

// login logs in to the existing server of a case. One that answered before is
// waited for.
func (s *Site) login(ctx context.Context, c plan.Case) (*server.Target, error) {
	for deadline := time.Now().Add(backWithin); ; {
		target, err := server.Open(ctx, *s.endpoint(c))
		if err == nil || !s.answered[s.keyOf(c)] || time.Now().After(deadline) {
			return target, err
		}
		s.report.Progress("waiting for the server to come back: %v", err)
		if err := sleep(ctx, 500*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// partingWithin is how long a server that is to be left may take to answer.
const partingWithin = 2 * time.Second

// sleep waits, unless the run is cut off.
func sleep(ctx context.Context, d time.Duration) error {
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

// release cleans up on an existing server. One that does not answer is not asked
// anything else: each statement would wait for its own limit.
func (b *Bed) release() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := ping(ctx, b.target, partingWithin); err != nil {
		b.noteOutage(err)
		if b.lock != nil {
			b.lock.Abandon()
		}
		b.target.Close()
		return
	}
	b.restore(ctx) // what it could not do is noted
	if !b.site.plan.KeepTables && !b.site.plan.ExistingTables {
		if err := b.dropTables(ctx); err != nil {
			b.noteLeftBehind("tables of schema %s could not be dropped: %v: mysweep cleanup does it", b.site.plan.Server.Database, err)
		} else {
			b.site.removed(b.identity)
		}
	}
	b.closeReplicas()
	if b.lock != nil {
		b.lock.Release()
	}
	b.target.Close()
}
