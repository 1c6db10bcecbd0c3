package sweep

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// shape makes the open server what the case says: global variables, then the
// statements after the start. A restart loses both, so it comes after each.
func (s *sweep) shape(ctx context.Context) error {
	o := s.open
	if err := s.setGlobals(ctx, o); err != nil {
		return err
	}
	for _, statement := range o.AfterStart {
		if err := s.execBare(ctx, statement); err != nil {
			return fmt.Errorf("after_start: %s: %w", statement, err)
		}
	}
	return nil
}

// setGlobals sets the case's global variables; on an existing server its
// options are such as well. What they were is written down first there, so that
// even a run that is killed can be undone.
func (s *sweep) setGlobals(ctx context.Context, o *opened) error {
	wanted := plan.Options{}
	maps.Copy(wanted, o.SetGlobal)
	if o.private == nil {
		maps.Copy(wanted, o.Options)
	}
	if len(wanted) == 0 {
		return nil
	}
	changes, err := o.target.PlanGlobals(ctx, differing(nil, wanted))
	if err != nil {
		return err
	}
	if o.private == nil {
		if err := rememberUndo(o.home.address, LockName(&s.Plan), changes); err != nil {
			return err
		}
	}
	if err := o.target.SetGlobals(ctx, changes); err != nil {
		return err
	}
	o.undo = append(o.undo, changes...)
	return nil
}

// restore puts back the global variables that were set for the case.
func (s *sweep) restore(ctx context.Context, o *opened) error {
	if len(o.undo) == 0 {
		return nil
	}
	if err := o.target.RestoreGlobals(ctx, o.undo); err != nil {
		s.note("not-undone", "%v", err)
		return err
	}
	o.undo = nil
	if o.private == nil {
		forgetUndo(o.home.address, LockName(&s.Plan))
	}
	return nil
}

// cacheState brings the server's caches into the state that the case's start
// asks for: cold (the page cache without the datadir's files, a fresh
// process), restart (a fresh process), or warm, which is also the default.
func (s *sweep) cacheState(ctx context.Context, w plan.Workload) error {
	o := s.open
	if o.FreshStart() {
		return s.freshStart(ctx, o)
	}
	o.fresh = false
	if err := s.warmUp(ctx, w); err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	if o.Start == "warm" {
		return s.flush(ctx)
	}
	return nil
}

// freshStart restarts the server just before the trials.
func (s *sweep) freshStart(ctx context.Context, o *opened) error {
	switch {
	case o.private != nil:
		between := o.private.DropCache
		if o.Start == "restart" {
			between = nil
		}
		s.doing("restarting the server of case %s", o.Name)
		if err := s.restart(ctx, o, o.Case, func(ctx context.Context) error { return o.private.Restart(ctx, between) }); err != nil {
			return err
		}
	case len(o.Restart) == 0:
		s.note("start", "case %s: start %s needs a private server, or restart commands: its caches were left as they were", o.Name, o.Start)
		return nil
	case o.fresh:
		o.fresh = false // it will be used now
		return nil
	default:
		if err := s.restartByCommands(ctx, o); err != nil {
			return err
		}
		o.fresh = false
	}
	return s.shape(ctx)
}

// flushWithin bounds the wait for dirty pages and for the purge of old row
// versions.
const flushWithin = 2 * time.Minute

// flush waits until dirty pages are written and old row versions are gone, so
// that loading and warming up do not bill the first trial.
func (s *sweep) flush(ctx context.Context) error {
	s.doing("flushing dirty pages")
	undo, err := s.open.target.SetGlobal(ctx, []server.Option{{Name: "innodb_max_dirty_pages_pct", Value: "0"}})
	if err != nil {
		return err
	}
	defer undo(context.WithoutCancel(ctx))
	for deadline := time.Now().Add(flushWithin); time.Now().Before(deadline); {
		counters, err := s.open.target.Counters(ctx)
		if err != nil {
			return err
		}
		// A handful of pages is dirtied all the time by the server itself.
		if counters["Innodb_buffer_pool_pages_dirty"] < 20 && counters["Innodb_history_list_length"] < 100 {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
	s.note("unsettled", "case %s: dirty pages were not all written within %s", s.open.Name, flushWithin)
	return nil
}
