package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/observe"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// trial runs one trial. Whatever goes wrong is in the trial's status and error.
func (s *sweep) trial(ctx context.Context, w plan.Workload, slot plan.Slot) result.Trial {
	t := s.newTrial(slot)
	made := s.Workloads[w.Label()]
	if err := s.before(ctx, made); err != nil {
		t.Status, t.Error = result.Failed, fmt.Sprintf("before the trial: %v", err)
		return t
	}
	order, err := load.TrialOf(&s.Plan, slot.Cell)
	if err != nil {
		t.Status, t.Error = result.Failed, err.Error()
		return t
	}
	order.Seed = trialSeed(s.Plan.Seed, slot)
	observation := s.observer.Begin(ctx, s.open.subject())
	t.StartedAt = time.Now().UTC()
	measure, err := load.Run(ctx, s.loadTarget(), made, order)
	s.open.wrote(made, &measure)
	t.Measure = measure
	t.Evidence = observation.End(&t.Measure)
	s.open.lagged(t.Evidence.Lag)
	t.Status, t.Error = judge(ctx, &measure, err)
	if err := s.after(ctx, made); err != nil && t.Status == result.OK {
		t.Status, t.Error = result.Invalid, fmt.Sprintf("after the trial: %v", err)
	}
	return t
}

// subject is the open server as the observer sees it.
func (o *opened) subject() observe.Subject {
	subject := observe.Subject{Target: o.target, CPUs: o.cpus, Shared: o.shared, SSH: o.ssh}
	if o.private != nil {
		subject.PID = o.private.PID()
	}
	for _, r := range o.replicas {
		subject.Replicas = append(subject.Replicas, observe.Replica{Name: r.name, Target: r.target})
	}
	return subject
}

// newTrial is a trial with what is known before it runs.
func (s *sweep) newTrial(slot plan.Slot) result.Trial {
	p := &s.Plan
	t := result.Trial{
		Seq: len(s.trials) + 1, Case: slot.Case, Workload: slot.Workload, Threads: slot.Threads, Queries: slot.Queries,
		Repeat: slot.Repeat, Confirm: slot.Repeat > p.Repeat, StartedAt: time.Now().UTC(),
		Protocol: p.Protocol, Reconnect: p.Reconnect, StorageEngine: p.StorageEngine,
	}
	if r, ok := s.Workloads[slot.Workload].(workload.Reconnecter); ok && r.Reconnects() != "" {
		t.Reconnect = r.Reconnects()
	}
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
		return result.Failed, "nothing was answered" + firstError(m)
	case m.Errors > m.Ignored+m.Deadlocks:
		return result.Invalid, fmt.Sprintf("%d statements failed, %d were answered%s", m.Errors-m.Ignored-m.Deadlocks, m.Queries, firstError(m))
	}
	return result.OK, ""
}

func firstError(m *result.Measure) string {
	if len(m.ErrorsBy) == 0 {
		return ""
	}
	return fmt.Sprintf(": %s: %s", m.ErrorsBy[0].Class, m.ErrorsBy[0].Example)
}

// trialSeed gives each trial keys of its own, the same in every run of a plan.
func trialSeed(seed uint64, slot plan.Slot) uint64 {
	h := seed
	for _, n := range []int{slot.Threads, slot.Queries, slot.Repeat} {
		h = h*0x9e3779b97f4a7c15 + uint64(n) + 1
	}
	return h
}

// warmUp runs the workload at its largest thread count, unmeasured.
func (s *sweep) warmUp(ctx context.Context, w plan.Workload) error {
	if s.Plan.Warmup == 0 {
		return nil
	}
	s.doing("warming up %s", w.Label())
	p := s.Plan
	p.Time, p.Events, p.Queries, p.MinTime, p.RampUp, p.Rate = p.Warmup, 0, nil, 0, 0, 0
	order, err := load.TrialOf(&p, plan.Cell{Threads: min(p.Threads.Max(), 32)})
	if err != nil {
		return err
	}
	order.Seed = p.Seed
	measure, err := load.Run(ctx, s.loadTarget(), s.Workloads[w.Label()], order)
	s.open.wrote(s.Workloads[w.Label()], &measure)
	if err == nil && measure.Queries == 0 {
		err = errors.New("nothing was answered" + firstError(&measure))
	}
	return err
}

func (s *sweep) loadTarget() load.Target {
	config := s.open.target.Config()
	config.DBName = s.Plan.Server.Database
	return load.Target{Config: config, SQLMode: s.caseFacts(s.open.Name).Variables["sql_mode"]}
}

// before and after run what stands around a trial: the case's commands and
// statements, and the workload's statements.
func (s *sweep) before(ctx context.Context, made workload.Workload) error {
	if err := s.commands(ctx, s.open.BeforeTrialCommand); err != nil {
		return err
	}
	return s.between(ctx, s.open.BeforeTrial, resetting(made))
}

func (s *sweep) after(ctx context.Context, made workload.Workload) error {
	if err := s.between(ctx, s.open.AfterTrial, finishing(made)); err != nil {
		return err
	}
	return s.commands(ctx, s.open.AfterTrialCommand)
}

// between runs statements outside every clock: the case's and the workload's.
func (s *sweep) between(ctx context.Context, lists ...[]string) error {
	for _, list := range lists {
		for _, sql := range list {
			if err := s.exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
	}
	return nil
}

func resetting(w workload.Workload) []string {
	if r, ok := w.(workload.Resetter); ok {
		return r.BeforeTrial()
	}
	return nil
}

func finishing(w workload.Workload) []string {
	if f, ok := w.(workload.Finisher); ok {
		return f.AfterTrial()
	}
	return nil
}
