package sweep

import (
	"context"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/testbed"
)

// traces takes the deeper looks that cases ask for, each during a trial of the
// case's best cell that is not measured: a tracer costs what it shows. What is
// not installed or not allowed is a note of the trace.
func (s *sweep) traces(ctx context.Context) error {
	for _, c := range s.Plan.Cases {
		for _, w := range s.Plan.Workloads {
			cell, ok := s.best(c.Name, w.Label())
			if len(c.Trace) == 0 || !ok || s.traced(c.Name) {
				continue
			}
			bed, err := s.enter(ctx, c, w)
			if err != nil {
				return ctx.Err() // else the case's trials have said why
			}
			under := func() error { return s.unmeasured(ctx, bed, w, cell) }
			if err := bed.TakeTraces(ctx, s.Dir, w.Label(), under); err != nil {
				return err
			}
		}
	}
	return nil
}

// traced reports whether a resumed run has the case's traces already.
func (s *sweep) traced(name string) bool {
	return len(s.Done) > 0 && len(s.caseFacts(name).Traces) > 0
}

// traceTime is how long a traced trial is where the plan's are bursts, which
// may be too short to see anything.
const traceTime = plan.Duration(3 * time.Second)

// unmeasured runs one trial that is not recorded.
func (s *sweep) unmeasured(ctx context.Context, bed *testbed.Bed, w plan.Workload, cell plan.Cell) error {
	made := s.Workloads[w.Label()]
	if err := bed.Before(ctx, w, cell.Threads); err != nil {
		return err
	}
	p := s.Plan
	if p.Time == 0 {
		p.Time, p.Queries, p.Events, p.MinTime, cell.Queries = traceTime, nil, 0, 0, 0
	}
	order, err := load.TrialOf(&p, cell)
	if err != nil {
		return err
	}
	order.Seed, order.Poller = trialSeed(s.Plan.Seed, plan.Slot{Cell: cell}), loop.Poller(s.Run.Poller)
	measure, err := load.Run(ctx, bed.LoadTarget(), made, order)
	bed.Used(made, &measure)
	if err != nil {
		return err
	}
	return bed.After(ctx, w, cell.Threads)
}
