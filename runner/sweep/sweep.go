// Package sweep walks a plan: it looks whether the plan can be run at all,
// opens cases, loads tables, runs the trials in order, and hands each finished
// trial to the journal. It decides nothing about what figures mean.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/observe"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// Job is one run.
type Job struct {
	Plan plan.Plan
	Dir  string // the archive; it exists and nobody else writes there
	Run  result.Run
	// Done are the trials of an archive that is resumed.
	Done []result.Trial
	// Endpoints are the existing servers, with their passwords, by the names of
	// cases; a case that is not there has a private server.
	Endpoints map[string]*server.Endpoint
	// Workloads are the plan's, by label, ready to run.
	Workloads map[string]workload.Workload
	// Redact writes roles instead of host names into the archive.
	Redact bool
	// Knee is the cell at which a case stops scaling; nil = the best one.
	Knee func(run *result.Run, trials []result.Trial, kase, workload string) (plan.Cell, bool)
	// Watch is told what happens, from one goroutine at a time; nil = nobody.
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
	open     *opened          // the case that is open, nil between cases
	paused   map[home]*opened // servers that are set aside for the moment
	refused  map[string]error // cases that cannot be opened, as was found out beforehand
	leftOut  map[string]bool  // cases that if_known leaves out
	// Existing servers: those that have answered, and homes that turned out to
	// be another one's.
	answered map[home]bool
	sameAs   map[home]home
	// SMT: the kernel's switch, and what it was before the run; "" = it was
	// not touched.
	smtControl, smtBefore string
	allowed               unix.CPUSet // that this process had when the sweep began

	trials []result.Trial
	last   [2]string // case and workload of the trial before
	ended  int
	total  int
}

// ErrTrials says that the sweep went to its end, but not every trial is ok.
var ErrTrials = errors.New("some trials failed or are invalid")

// Go runs the job. What it found is in the archive, whatever it returns:
// ErrTrials when some trials are not ok, the context's cause when it was cut
// off, and another error when it could not go on.
func Go(ctx context.Context, job Job) (*result.Run, error) {
	s := &sweep{Job: job, clock: time.Now(), total: job.Plan.Trials(),
		paused: map[home]*opened{}, refused: map[string]error{}, leftOut: map[string]bool{},
		answered: map[home]bool{}, sameAs: map[home]home{}, smtControl: smtControl, allowed: ownCPUs()}
	if max := time.Duration(job.Plan.MaxTime); max > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, max, fmt.Errorf("--max-time %s is over", max))
		defer cancel()
		ctx = limited
	}
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
	err = s.walk(ctx)
	if err == nil {
		err = s.checkData(ctx)
	}
	s.closeAll()
	s.restoreSMT()
	s.close(ctx, err)
	if saveErr := s.saveRun(); err == nil {
		err = saveErr
	}
	return &s.Run, s.outcome(ctx, err)
}

// walk runs all blocks, the confirming trials, and what waits for the knee.
func (s *sweep) walk(ctx context.Context) error {
	s.keepDone()
	s.smtLeftOver()
	if err := s.foresee(ctx); err != nil {
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

func (s *sweep) blocks(ctx context.Context, list []plan.Block) error {
	for _, b := range list {
		if err := s.block(ctx, b.Case, b.Workload, s.missing(b.Trials)); err != nil {
			return err
		}
	}
	return nil
}

// knee is where a case stops scaling, else its best cell.
func (s *sweep) knee(kase, label string) (plan.Cell, bool) {
	if s.Knee != nil {
		if cell, ok := s.Knee(&s.Run, s.trials, kase, label); ok {
			return cell, true
		}
	}
	cell, ok := s.best(kase, label)
	if !ok {
		s.note("no-knee", "case %s has no good trial of %s: the cases that vary it were not run", kase, label)
	}
	return cell, ok
}

// block runs trials on one case with one workload. A case that cannot be
// opened fails alone: its trials are marked and the sweep goes on.
func (s *sweep) block(ctx context.Context, c plan.Case, w plan.Workload, slots []plan.Slot) error {
	if len(slots) == 0 {
		return nil
	}
	if err := s.enter(ctx, c, w); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var held *server.LockedError
		if errors.As(err, &held) {
			return err // whoever has the server has it for all cases
		}
		return s.skip(slots, err)
	}
	for _, slot := range slots {
		if err := s.ready(ctx); err != nil {
			return err
		}
		t := s.trial(ctx, w, slot)
		s.last = [2]string{c.Name, w.Label()}
		if err := s.record(t); err != nil {
			return err
		}
		if t.Status != result.OK && ctx.Err() == nil && !s.alive(ctx) {
			s.closeCase() // nothing of it can be used any more
			if err := s.enter(ctx, c, w); err != nil && ctx.Err() == nil {
				return s.skip(s.missing(slots), err)
			}
		}
	}
	return nil
}

// ready says whether the next trial may begin: nobody has cut the run off, and
// the existing server is still ours.
func (s *sweep) ready(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.open == nil || s.open.lock == nil {
		return nil
	}
	return s.keepLock(ctx, s.open)
}

// skip marks trials that cannot be run.
func (s *sweep) skip(slots []plan.Slot, why error) error {
	for _, slot := range slots {
		t := s.newTrial(slot)
		t.Status, t.Error = result.Skipped, why.Error()
		if err := s.record(t); err != nil {
			return err
		}
	}
	return nil
}

// record puts a trial on disk and tells the watcher.
func (s *sweep) record(t result.Trial) error {
	if err := s.journal.Append(&t); err != nil {
		return fmt.Errorf("%s: %w: the figures so far are there, go on by --resume %s", result.JournalFile, err, s.Dir)
	}
	s.trials = append(s.trials, t)
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

func (s *sweep) doing(format string, args ...any) {
	s.tell(Event{Doing: fmt.Sprintf(format, args...)})
}

func (s *sweep) saveRun() error {
	run := s.Run
	if s.Redact {
		run.Cases = slices.Clone(run.Cases)
		run.Notes = slices.Clone(run.Notes)
		if run.Server != nil {
			machine := *run.Server
			run.Server = &machine
		}
		run.Redact()
	}
	if err := result.WriteRun(s.Dir, &run); err != nil {
		return fmt.Errorf("%s: %w", s.Dir, err)
	}
	return nil
}

// close says in the run how it ended.
func (s *sweep) close(ctx context.Context, err error) {
	s.Run.EndedAt = time.Now().UTC()
	switch {
	case ctx.Err() != nil:
		s.Run.Status = result.Interrupted
		s.note("interrupted", "the run was cut off: %v", context.Cause(ctx))
	case err != nil:
		s.Run.Status = result.Failed
		s.note("failed", "the run could not go on: %v", err)
	default:
		s.Run.Status = result.OK
	}
}

// note says once what holds for the run.
func (s *sweep) note(code, format string, args ...any) {
	if n := (result.Note{Code: code, Text: fmt.Sprintf(format, args...)}); !slices.Contains(s.Run.Notes, n) {
		s.Run.Notes = append(s.Run.Notes, n)
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
