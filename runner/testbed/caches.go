package testbed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// cacheState brings the server's caches into the state that the case's start
// asks for: cold (the page cache without the datadir's files, a fresh
// process), restart (a fresh process), or warm, which is also the default.
func (b *Bed) cacheState(ctx context.Context, w plan.Workload) error {
	if b.FreshStart() {
		return b.freshStart(ctx)
	}
	b.untouched = false
	if err := b.warmUp(ctx, w); err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	if b.Start == "warm" {
		return b.flush(ctx)
	}
	return nil
}

// freshStart restarts the server just before the trials.
func (b *Bed) freshStart(ctx context.Context) error {
	switch {
	case b.private != nil:
		between := b.private.DropCache
		if b.Start == "restart" {
			between = nil
		}
		b.site.report.Progress("restarting the server of case %s", b.Name)
		if err := b.restart(ctx, b.Case, func(ctx context.Context) error { return b.private.Restart(ctx, between) }); err != nil {
			return err
		}
	case len(b.Restart) == 0:
		b.site.report.Note("start", "case %s: start %s needs a private server, or restart commands: its caches were left as they were", b.Name, b.Start)
		return nil
	case b.untouched:
		b.untouched = false // it will be used now
		return nil
	default:
		if err := b.restartByCommands(ctx); err != nil {
			return err
		}
		b.untouched = false
	}
	return b.shape(ctx)
}

// flushWithin bounds the wait for dirty pages and for the purge of old row
// versions.
const flushWithin = 2 * time.Minute

// flush waits until dirty pages are written and old row versions are gone, so
// that loading and warming up do not bill the first trial.
func (b *Bed) flush(ctx context.Context) error {
	b.site.report.Progress("flushing dirty pages")
	undo, err := b.target.SetGlobal(ctx, []server.Option{{Name: "innodb_max_dirty_pages_pct", Value: "0"}})
	if err != nil {
		return err
	}
	defer undo(context.WithoutCancel(ctx))
	for deadline := time.Now().Add(flushWithin); time.Now().Before(deadline); {
		counters, err := b.target.Counters(ctx)
		if err != nil {
			return err
		}
		// A handful of pages is dirtied all the time by the server itself.
		if counters["Innodb_buffer_pool_pages_dirty"] < 20 && counters["Innodb_history_list_length"] < 100 {
			return nil
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
	b.site.report.Note("unsettled", "case %s: dirty pages were not all written within %s", b.Name, flushWithin)
	return nil
}

// warmUp runs the workload at its largest thread count, unmeasured.
func (b *Bed) warmUp(ctx context.Context, w plan.Workload) error {
	if b.site.plan.Warmup == 0 {
		return nil
	}
	b.site.report.Progress("warming up %s", w.Label())
	p := b.site.plan
	p.Time, p.Events, p.Queries, p.MinTime, p.RampUp, p.Rate = p.Warmup, 0, nil, 0, 0, 0
	order, err := load.TrialOf(&p, plan.Cell{Threads: min(p.Threads.Max(), 32)})
	if err != nil {
		return err
	}
	order.Seed = p.Seed
	made := b.site.workloads[w.Label()]
	measure, err := load.Run(ctx, b.LoadTarget(), made, order)
	b.Used(made, &measure)
	if err == nil && measure.Queries == 0 {
		err = errors.New("no statement was answered" + measure.FirstError())
	}
	return err
}
