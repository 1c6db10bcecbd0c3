package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/testbed"
	"github.com/mysweep/mysweep/runner/workload"
)

// trial runs one trial. Whatever goes wrong is in the trial's status and error.
func (s *sweep) trial(ctx context.Context, bed *testbed.Bed, w plan.Workload, slot plan.Slot) result.Trial {
	t := s.newTrial(slot)
	defer bed.Measured(w)
	made := s.Workloads[w.Label()]
	if err := bed.Before(ctx, w, slot.Threads); err != nil {
		t.Status, t.Error = result.Failed, fmt.Sprintf("before the trial: %v", err)
		return t
	}
	order, err := load.TrialOf(&s.Plan, slot.Cell)
	if err != nil {
		t.Status, t.Error = result.Failed, err.Error()
		return t
	}
	order.Seed, order.Poller = trialSeed(s.Plan.Seed, slot), loop.Poller(s.Run.Poller)
	observation := s.observer.Begin(ctx, bed.Subject())
	order.Edges = observation
	t.StartedAt = time.Now().UTC()
	measure, err := load.Run(ctx, bed.LoadTarget(), made, order)
	bed.Used(made, &measure)
	t.Measure = measure
	t.Evidence = observation.End(&t.Measure)
	bed.Lagged(t.Evidence.Lag)
	t.Status, t.Error = judge(ctx, &measure, err)
	if stopped := *t.Evidence.StoppedSeconds; stopped > 0 && t.Status == result.OK {
		t.Status = result.Invalid
		t.Error = fmt.Sprintf("mysweep was stopped for %.1f s during the trial (a signal, a paused virtual machine"+
			" or a suspended computer): measure again with --resume", stopped)
	}
	if err := bed.After(ctx, w, slot.Threads); err != nil && t.Status == result.OK {
		t.Status, t.Error = result.Invalid, fmt.Sprintf("after the trial: %v", err)
	}
	return t
}

// newTrial is a trial with what is known before it runs.
func (s *sweep) newTrial(slot plan.Slot) result.Trial {
	p := &s.Plan
	t := result.Trial{
		Seq: len(s.trials) + 1, Case: slot.Case, Workload: slot.Workload, Threads: slot.Threads, Queries: slot.Queries,
		Repeat: slot.Repeat, Confirm: slot.Repeat > p.Repeat && !p.Interleaved(slot), Interleaved: p.Interleaved(slot), StartedAt: time.Now().UTC(),
		Protocol: p.Protocol, Reconnect: p.Reconnect, StorageEngine: p.StorageEngine,
	}
	t.Reconnect = load.Reconnects(s.Workloads[slot.Workload], p.Reconnect)
	if l, ok := s.Workloads[slot.Workload].(workload.Limiter); ok {
		if most := l.Limit(slot.Threads); !math.IsInf(most, 0) {
			t.Limit = &most
		}
	}
	if p.Rate > 0 {
		t.Rate = &p.Rate
	}
	for _, w := range p.Workloads {
		if w.Label() == slot.Workload {
			t.RandType = w.Options["rand-type"]
		}
	}
	t.TableRows, t.DataBytes = s.tableSize(slot.Case, slot.Workload)
	return t
}

// judge says what a trial is worth.
func judge(ctx context.Context, m *result.Measure, err error) (result.Status, string) {
	switch {
	case ctx.Err() != nil:
		return result.Interrupted, fmt.Sprint(context.Cause(ctx))
	case err != nil && m.Queries > 0 && !errors.Is(err, load.ErrNoRound):
		return result.Invalid, err.Error()
	case err != nil:
		return result.Failed, err.Error()
	case m.Queries == 0 && m.Transactions == 0:
		return result.Failed, "no statement was answered" + m.FirstError()
	case m.Errors > m.Ignored+m.Deadlocks:
		return result.Invalid, fmt.Sprintf("%d statements failed, %d were answered%s", m.Errors-m.Ignored-m.Deadlocks, m.Queries, m.FirstError())
	}
	return result.OK, ""
}

// trialSeed gives each trial keys of its own, the same in every run of a plan.
func trialSeed(seed uint64, slot plan.Slot) uint64 {
	h := seed
	for _, n := range []int{slot.Threads, slot.Queries, slot.Repeat} {
		h = h*0x9e3779b97f4a7c15 + uint64(n) + 1
	}
	return h
}

// tableSize is what the tables of a workload hold in all, nil when not known.
func (s *sweep) tableSize(caseName, label string) (rows, bytes *int64) {
	for _, t := range s.caseFacts(caseName).Tables {
		if t.Workload != label {
			continue
		}
		rows = add(rows, &t.Rows)
		bytes = add(bytes, t.DataBytes)
	}
	return rows, bytes
}

func add(sum, n *int64) *int64 {
	if n == nil {
		return sum
	}
	total := *n
	if sum != nil {
		total += *sum
	}
	return &total
}
