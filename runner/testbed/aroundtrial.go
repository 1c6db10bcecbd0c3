package testbed

import (
	"context"
	"fmt"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
)

// Before runs what precedes each trial of a workload, outside every clock: the
// case's commands and statements, then the workload's statements. threads are the trial's.
func (b *Bed) Before(ctx context.Context, w plan.Workload, threads int) error {
	b.processAgain(ctx)
	if err := runCommands(ctx, b.BeforeTrialCommand); err != nil {
		return err
	}
	lists := [][]string{b.BeforeTrial}
	if r, ok := b.site.workloads[w.Label()].(workload.Resetter); ok {
		lists = append(lists, r.BeforeTrial())
	}
	if err := b.execAll(ctx, lists...); err != nil {
		return err
	}
	if s, ok := b.site.workloads[w.Label()].(workload.Surrounder); ok {
		return s.BeforeEach(ctx, b.outside(threads))
	}
	return nil
}

// outside is how a workload reaches the server outside of trials.
func (b *Bed) outside(threads int) workload.Outside {
	return workload.Outside{Threads: 1, Clients: threads, Seed: b.site.plan.Seed,
		Open: func(ctx context.Context) (workload.Conn, error) { return load.Connect(ctx, b.schemaConfig()) }}
}

// After runs what follows each trial, outside every clock: the case's
// statements, the workload's, then the case's commands.
func (b *Bed) After(ctx context.Context, w plan.Workload, threads int) error {
	if s, ok := b.site.workloads[w.Label()].(workload.Surrounder); ok {
		if err := s.AfterEach(ctx, b.outside(threads)); err != nil {
			return err
		}
	}
	lists := [][]string{b.AfterTrial}
	if f, ok := b.site.workloads[w.Label()].(workload.Finisher); ok {
		lists = append(lists, f.AfterTrial())
	}
	if err := b.execAll(ctx, lists...); err != nil {
		return err
	}
	return runCommands(ctx, b.AfterTrialCommand)
}

// Measured records that a trial of the workload has ended: the next trials of
// the same case and workload go on with the data that it left.
func (b *Bed) Measured(w plan.Workload) { b.site.last = [2]string{b.Name, w.Label()} }

func (b *Bed) execAll(ctx context.Context, lists ...[]string) error {
	for _, list := range lists {
		for _, sql := range list {
			if err := b.exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
	}
	return nil
}
