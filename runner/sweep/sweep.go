// Package sweep walks a plan: it opens the bed of each case, runs the trials in
// order, and hands each finished trial to the journal. How a bed is made is
// testbed's concern, and what figures mean is verdict's.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mysweep/mysweep/runner/observe"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/testbed"
	"github.com/mysweep/mysweep/runner/workload"
)

// Job is one run.
type Job struct {
	Plan plan.Plan
	Dir  string // the archive; it exists and no other process writes there
	Run  result.Run
	// Done are the trials of an archive that is resumed.
	Done []result.Trial
	// Endpoints are the existing servers, by the names of cases.
	Endpoints testbed.Endpoints
	// Locations are where they are, as preflight found them; nil = not asked.
	Locations testbed.Locations
	// Workloads are the plan's, by label, ready to run.
	Workloads map[string]workload.Workload
	// Prepared is how many statements a thread prepares, by label of the
	// workload; nil = the protocol prepares none.
	Prepared map[string]int
	// Redact writes roles instead of host names into the archive.
	Redact bool
	// What the trials of a case and workload say so far is judged elsewhere:
	// its best cell, the cell at which it stops scaling (nil = the best one),
	// and the cells that are to be run again (nil = none).
	Best, Knee func(trials []result.Trial, caseName, workload string) (plan.Cell, bool)
	Confirm    func(trials []result.Trial, caseName, workload string) []plan.Cell
	// Watch receives what happens, from one goroutine at a time; may be nil.
	Watch func(Event)
}

// Event is what a watcher may show.
type Event struct {
	Doing string        // e.g. "loading http_auth"; empty when a trial has ended
	Trial *result.Trial // the trial that has ended
	Done  int           // trials that have ended, of Total
	Total int
}

// sweep is a job under way.
type sweep struct {
	Job
	journal  *result.Journal
	clock    time.Time // when the series begin to count
	observer *observe.Observer
	site     *testbed.Site

	trials []result.Trial // brief: a run may have many
	ended  int
	total  int
}

// ErrTrials says that the sweep went to its end, but not every trial is ok.
var ErrTrials = errors.New("some trials failed or are invalid")

// Go runs the job, until ctx ends; the plan's max_time is the caller's, as it
// counts from before the job. What it found is in the archive, whatever it returns:
// ErrTrials when some trials are not ok, the context's cause when it was cut
// off, and another error when it could not go on.
func Go(ctx context.Context, job Job) (*result.Run, error) {
	s := &sweep{Job: job, clock: time.Now(), total: job.Plan.Trials()}
	journal, err := result.OpenJournal(job.Dir)
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	s.journal = journal
	if err := s.saveRun(); err != nil {
		return nil, err
	}
	s.observer = observe.New(s.clock, &s.Run.Client)
	defer s.observer.Close()
	s.site = testbed.NewSite(testbed.Config{Plan: s.Plan, Endpoints: s.Endpoints, Locations: s.Locations, Workloads: s.Workloads, Prepared: s.Prepared, Redact: s.Redact, Resumed: len(s.Done) > 0,
		Observer: s.observer, Report: reporter{s}})
	err = s.walk(ctx)
	if err == nil {
		err = s.checkData(ctx)
	}
	if err == nil {
		err = s.site.CleanUp(ctx)
	}
	s.site.Close()
	s.close(ctx, err)
	if saveErr := s.saveRun(); err == nil {
		err = saveErr
	}
	return &s.Run, s.outcome(ctx, err)
}

// walk runs all blocks, the confirming trials, and what waits for the knee.
func (s *sweep) walk(ctx context.Context) error {
	s.keepDone()
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.blocks(ctx, s.Plan.Schedule()); err != nil {
		return err
	}
	for _, c := range s.Plan.Swept() {
		for _, w := range s.Plan.Workloads {
			if err := s.block(ctx, c, w, s.missing(s.confirming(c.Name, w.Label()))); err != nil {
				return err
			}
		}
	}
	if err := s.blocks(ctx, s.Plan.ScheduleAt(s.knee)); err != nil {
		return err
	}
	return s.traces(ctx)
}

// prepare asks for the cases that can be run, and leaves the others out of the
// plan. The run keeps the plan as it was asked.
func (s *sweep) prepare(ctx context.Context) error {
	cases, err := s.site.Prepare(ctx)
	if err != nil {
		return err
	}
	planned := s.Plan.Trials()
	s.Plan.Cases = cases
	if left := planned - s.Plan.Trials(); left > 0 {
		s.total -= left
		s.Run.Trials = s.total
	}
	return nil
}

func (s *sweep) blocks(ctx context.Context, list []plan.Block) error {
	for _, b := range list {
		if err := s.block(ctx, b.Case, b.Workload, s.missing(b.Trials)); err != nil {
			return err
		}
	}
	return nil
}

// knee is where a case stops scaling, else its best cell.
func (s *sweep) knee(caseName, label string) (plan.Cell, bool) {
	if s.Knee != nil {
		if cell, ok := s.Knee(s.trials, caseName, label); ok {
			return cell, true
		}
	}
	cell, ok := s.best(caseName, label)
	if !ok {
		s.note("no-knee", "case %s has no good trial of %s: the cases that vary it were not run", caseName, label)
	}
	return cell, ok
}

// block runs trials on one case with one workload. A case that cannot be
// opened fails alone: its trials are marked and the sweep goes on.
func (s *sweep) block(ctx context.Context, c plan.Case, w plan.Workload, slots []plan.Slot) error {
	if len(slots) == 0 {
		return nil
	}
	bed, err := s.enter(ctx, c, w)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if testbed.EndsRun(err) {
			return err
		}
		return s.skip(slots, err)
	}
	if slots, err = s.fitting(ctx, bed, w, slots); err != nil {
		return err
	}
	for _, slot := range slots {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if bed, err = s.ready(ctx, bed, c, w); err != nil {
			if ctx.Err() != nil || testbed.EndsRun(err) {
				return err
			}
			return s.skip(s.missing(slots), err)
		}
		t := s.trial(ctx, bed, w, slot)
		if err := s.record(t); err != nil {
			return err
		}
		if t.Status != result.OK && ctx.Err() == nil && !bed.Alive(ctx) {
			bed.Close() // nothing of it can be used any more
			if bed, err = s.enter(ctx, c, w); err != nil && ctx.Err() == nil {
				return s.skip(s.missing(slots), err)
			}
		}
	}
	return nil
}

// ready makes sure before a trial that the server is still ours and not too
// busy. One that has gone away is waited for, and its bed created again.
func (s *sweep) ready(ctx context.Context, bed *testbed.Bed, c plan.Case, w plan.Workload) (*testbed.Bed, error) {
	err := hold(ctx, bed)
	if err == nil || ctx.Err() != nil || testbed.EndsRun(err) {
		return bed, err
	}
	if bed.Alive(ctx) {
		err = hold(ctx, bed) // it has come back meanwhile
		return bed, err
	}
	bed.Close()
	if bed, err = s.enter(ctx, c, w); err != nil {
		return nil, err
	}
	return bed, hold(ctx, bed)
}

func hold(ctx context.Context, bed *testbed.Bed) error {
	if err := bed.Hold(ctx); err != nil {
		return err
	}
	return bed.Guard(ctx)
}

// enter opens the bed of a case for a workload. When the server of the bed that
// is open has gone away, it is left, and reached again.
func (s *sweep) enter(ctx context.Context, c plan.Case, w plan.Workload) (*testbed.Bed, error) {
	bed, err := s.open(ctx, c, w)
	if err == nil || ctx.Err() != nil || testbed.EndsRun(err) {
		return bed, err
	}
	if left := s.site.Bed(); left != nil && !left.Alive(ctx) {
		left.Close()
		return s.open(ctx, c, w)
	}
	return nil, err
}

// open opens the bed of a case for a workload, after the data of the case that
// it takes over from are checked.
func (s *sweep) open(ctx context.Context, c plan.Case, w plan.Workload) (*testbed.Bed, error) {
	if err := s.site.Refused(c); err != nil {
		return nil, err
	}
	if open := s.site.Bed(); open != nil && open.Name != c.Name {
		if err := s.checkData(ctx); err != nil {
			return nil, err
		}
	}
	return s.site.Open(ctx, c, w)
}

// fitting skips the trials with more threads than the server accepts, and
// returns the others.
func (s *sweep) fitting(ctx context.Context, bed *testbed.Bed, w plan.Workload, slots []plan.Slot) ([]plan.Slot, error) {
	fits, err := bed.Capacity(ctx, w)
	if err != nil {
		return nil, err
	}
	var fitting []plan.Slot
	for _, slot := range slots {
		if why := fits(slot.Threads); why == nil {
			fitting = append(fitting, slot)
		} else if err := s.skip([]plan.Slot{slot}, why); err != nil {
			return nil, err
		}
	}
	return fitting, nil
}

// skip marks trials that cannot be run.
func (s *sweep) skip(slots []plan.Slot, why error) error {
	for _, slot := range slots {
		t := s.newTrial(slot)
		t.Status, t.Error = result.Skipped, why.Error()
		var capacity *testbed.CapacityError
		if errors.As(why, &capacity) {
			t.Capacity = capacity.Limit
		}
		if err := s.record(t); err != nil {
			return err
		}
	}
	return nil
}

// record puts a trial on disk and tells the watcher.
func (s *sweep) record(t result.Trial) error {
	if err := s.journal.Append(&t); err != nil {
		return fmt.Errorf("%s: %w: finished trials are kept; continue with --resume %s", result.JournalFile, err, s.Dir)
	}
	s.trials = append(s.trials, t.Brief())
	s.ended++
	s.tell(Event{Trial: &t})
	return nil
}

func (s *sweep) tell(e Event) {
	if s.Watch == nil {
		return
	}
	e.Done, e.Total = s.ended, s.total
	s.Watch(e)
}

// close says in the run how it ended.
func (s *sweep) close(ctx context.Context, err error) {
	s.Run.EndedAt = time.Now().UTC()
	var critical *testbed.CriticalLoadError
	switch {
	case ctx.Err() != nil:
		s.Run.Status = result.Interrupted
		s.note("interrupted", "the run ended early: %v", context.Cause(ctx))
	case errors.As(err, &critical):
		s.Run.Status = result.Failed
		s.note("critical-load", "%v: the run ended", err)
	case err != nil:
		s.Run.Status = result.Failed
		s.note("failed", "the run could not continue: %v", err)
	default:
		s.Run.Status = result.OK
	}
}

func (s *sweep) outcome(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	latest := result.Latest(s.trials)
	if why := nothingRan(latest); why != nil {
		return why
	}
	for _, t := range latest {
		if t.Status != result.OK {
			return ErrTrials
		}
	}
	return nil
}

// nothingRan gives the reasons when no case could be opened at all: then the
// run has failed, and not some of its trials.
func nothingRan(trials []result.Trial) error {
	var reasons []error
	seen := map[string]bool{}
	for _, t := range trials {
		if t.Status != result.Skipped {
			return nil
		}
		if !seen[t.Error] {
			seen[t.Error] = true
			reasons = append(reasons, errors.New(t.Error))
		}
	}
	return errors.Join(reasons...)
}
