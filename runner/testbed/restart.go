package testbed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// Bounds of a restart by commands: of the commands, which may wait for a long
// shutdown, and of the wait for the server's first answer after them. A server
// that answers from the process of before may be one whose restart only begins.
const (
	commandsWithin = 10 * time.Minute
	answerWithin   = time.Minute
	otherWithin    = 5 * time.Second
	// Limit for commands of an interrupted run: half a restart leaves a server that is down.
	finishWithin = 10 * time.Second
)

// restartError says that a case's restart commands did not bring its server
// back. They are not tried again for the case.
type restartError struct{ cause error }

func (e *restartError) Error() string { return "restart: " + e.cause.Error() }
func (e *restartError) Unwrap() error { return e.cause }

// restartByCommands lets the commands of the case restart an existing
// server, and waits for it. What was set there is restored before, since a
// restart would only hide it.
func (b *Bed) restartByCommands(ctx context.Context) error {
	if err := b.restore(ctx); err != nil {
		return err
	}
	before, err := b.target.Started(ctx)
	if err != nil {
		before = time.Time{} // it does not answer now
	}
	target, err := b.site.runRestart(ctx, b.Case, before)
	if err != nil {
		return err
	}
	b.target.Close()
	b.target = target
	b.warm, b.untouched, b.restartedBy = map[string]bool{}, true, b.Name
	if remembers, err := target.RemembersPages(ctx); b.FreshStart() && err == nil && remembers {
		b.site.report.Note("start", "case %s: start %s: its server has innodb_buffer_pool_load_at_startup on and reads pages of before its restart by itself", b.Name, b.Start)
	}
	if b.Start == "cold" {
		b.site.report.Note("start", "case %s: start cold: its server was restarted by commands; what the page cache holds is what they left there", b.Name)
	}
	return b.Hold(ctx) // its session ended with the old process
}

// runRestart runs the commands and returns the server when it answers. before
// is when its process was started, zero when there was none.
func (s *Site) runRestart(ctx context.Context, c plan.Case, before time.Time) (*server.Target, error) {
	s.report.Progress("restarting the server of case %s by its commands", c.Name)
	limited, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), commandsWithin, fmt.Errorf("not done within %s", commandsWithin))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finishWithin, cancel) })
	defer stop()
	if err := runCommands(limited, c.Restart); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if limited.Err() != nil {
			err = context.Cause(limited)
		}
		return nil, &restartError{err}
	}
	return s.awaitServer(ctx, c, before)
}

// awaitServer waits until the server of a case answers from another process
// than before. One that still answers from the old process was not restarted,
// which is a note.
func (s *Site) awaitServer(ctx context.Context, c plan.Case, before time.Time) (*server.Target, error) {
	began := time.Now()
	for {
		target, other, err := s.openOther(ctx, c, before)
		switch {
		case ctx.Err() != nil:
			if target != nil {
				target.Close()
			}
			return nil, context.Cause(ctx)
		case err == nil && other:
			return target, nil
		case err == nil && time.Since(began) > otherWithin:
			s.report.Note("not-restarted", "case %s: its restart commands ended well, but the server goes on in the process that ran before: it was not restarted", c.Name)
			return target, nil
		case err == nil:
			target.Close()
		case time.Since(began) > answerWithin:
			return nil, &restartError{fmt.Errorf("the server does not answer within %s of its restart commands: %w", answerWithin, err)}
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// openOther logs in and says whether the server's process is another than the
// one that was started at before. The server tells its age in whole seconds,
// so that one process may seem to begin a second earlier or later.
func (s *Site) openOther(ctx context.Context, c plan.Case, before time.Time) (target *server.Target, other bool, err error) {
	target, err = server.Open(ctx, *s.endpoint(c))
	if err != nil {
		return nil, false, err
	}
	started, err := target.Started(ctx)
	if err != nil {
		return nil, false, errors.Join(err, target.Close())
	}
	return target, before.IsZero() || started.Sub(before) >= time.Second, nil
}
