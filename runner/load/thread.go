package load

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/workload"
)

// giveUpAfter is how many rounds in a row may fail before a thread stops trying.
const giveUpAfter = 100

// errOver is what a pause returns when the trial's time is up: the round is dropped, and it is
// nobody's fault.
var errOver = errors.New("the trial's time is up")

// thread is the course of one thread through the bursts of a trial: connect, barrier, rounds,
// disconnect.
type thread struct {
	session        *session
	run            *run
	burst          *burst
	place          place
	tally          *tally
	number         int
	rounds         int // to run in each burst, 0 = until the trial ends otherwise
	round          workload.Round
	atEnd          workload.Round // after the last round, nil = nothing
	reconnectEvery int            // rounds, 0 = never, -1 = after every query

	// now is the latest reading of the clock, precise enough between statements and rounds.
	now time.Duration

	// This round.
	// intended is when the round was due, until its first statement has used it; 0: closed loop.
	intended    time.Duration
	thought     time.Duration // spent in Think
	interaction int           // its type, -1 = none

	// This burst.
	begun   int   // rounds
	lost    bool  // the connection is, or hope: no more rounds
	failure error // of the latest round, nil when it succeeded
	// rampUpFault is the latest fault, when it came in the ramp-up and was not counted.
	rampUpFault *fault
	failures    int  // rounds in a row that failed
	frozen      bool // inWindow is final
	inBurst     int64
	inWindow    int64 // statements answered while all threads were busy
	last        time.Duration

	// The whole trial.
	queries, late, unmeasured  int64
	errors, serverErrors       int64
	restarts, ignored, dropped int64
	reconnects, retries        int64
	reconnecting               bool  // the workload itself does
	writesOfNothing            int64 // of queries, those that were to write and changed no row
	preparations, quits        int64
	sessionSets                int64
	sentAsText                 []string // types of statements that are not prepared
	transactions               int64    // rounds that ended well, in time
	goodRounds                 int64    // the same, late or unmeasured ones included
	busy                       time.Duration
}

// work takes the thread through one burst, on the engine's terms.
func (t *thread) work(p place) {
	t.place = p
	t.tally = t.run.tallies[p.shard()]
	t.rampUpFault = nil
	t.begun, t.failures, t.lost, t.frozen, t.inBurst, t.inWindow, t.last = 0, 0, false, false, 0, 0, 0
	err := t.guard(t.ready)
	if t.reconnectEvery != 0 {
		t.burst.gather(p)
		t.leave()
	}
	t.burst.arrive(t, err)
	if t.burst.barrier.pass(p) == nil && !t.burst.cancelled {
		if err := t.guard(t.doRounds); err != nil {
			t.run.fail(err)
		}
	}
	t.burst.finish(t)
	t.burst.finished.pass(p)
	t.leave()
}

// leave disconnects; the driver's error does not matter.
func (t *thread) leave() {
	t.guard(func() error { t.session.leave(); return nil })
}

// guard turns a panic into an error, so that one worker's does not end the process.
func (t *thread) guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic in thread %d: %v\n%s", t.number, v, debug.Stack())
		}
	}()
	return f()
}

// ready connects, in its turn, and prepares. In the modes that reconnect, these connections only
// show that there is room for all at a time; the ones that count are opened inside the clock.
func (t *thread) ready() error {
	if err := t.burst.turnstile.enter(t.place); err != nil {
		return err
	}
	took, err := t.session.connect()
	t.burst.turnstile.leave()
	if err != nil {
		return err
	}
	if err := t.session.setUp(); err != nil {
		return err
	}
	if t.number == 0 && t.round == nil { // once in a trial
		t.session.identifyServer()
	}
	if t.round == nil {
		if t.round, err = t.run.newRound(t); err != nil {
			return fmt.Errorf("thread %d: %w", t.number, err)
		}
	}
	if t.reconnectEvery != 0 {
		return nil
	}
	t.tally.connect(took, true)
	if t.run.trial.Prepared {
		return t.session.prepareAll()
	}
	return nil
}

// doRounds runs rounds until the thread's share is done or the trial ends.
func (t *thread) doRounds() error {
	t.now = t.run.clock.now()
	for !t.lost {
		intended, more, err := t.burst.next(t)
		if err != nil {
			return nil // an abort is the trial's error, told by who aborted
		}
		if !more {
			break
		}
		t.oneRound(intended)
		if t.reconnectEvery > 0 && t.begun%t.reconnectEvery == 0 && !t.lost {
			t.session.disconnect()
		}
	}
	if t.atEnd != nil && !t.lost {
		t.session.fault, t.intended = nil, 0
		t.attempt(t.atEnd) // its statements count themselves
	}
	return nil
}

// oneRound runs a round, anew as long as it is chosen as a deadlock's victim or the like: its clock
// goes on.
func (t *thread) oneRound(intended time.Duration) {
	began := t.now
	t.begun++
	t.intended, t.thought, t.interaction = intended, 0, -1
	if intended > 0 {
		began = intended
	}
	for {
		t.session.fault = nil
		err := t.attempt(t.round)
		if !t.again(err) {
			t.took(began, err)
			return
		}
	}
}

// attempt runs a round once. The driver panics on some answers that are no MySQL packets; that is
// the server's fault, and ends this connection only. Any other panic is the workload's, and goes
// on.
func (t *thread) attempt(round workload.Round) (err error) {
	s := t.session
	s.sending = false
	defer func() {
		if !s.sending {
			return
		}
		if v := recover(); v != nil {
			err = s.failed(&s.statements[s.current], s.run.clock.now(), fmt.Errorf("%w: %v", login.ErrGarbage, v), true)
		}
	}()
	return round()
}

// again decides whether a failed round restarts, and rolls its transaction back.
func (t *thread) again(err error) bool {
	f := t.session.fault
	if err == nil || f == nil || f.fatal || errors.Is(err, errOver) {
		return false
	}
	restart := f.answered && (f.code == deadlock || f.code == lockWait || f.code == checkRead)
	var asked *workload.RestartError
	ignore := f.answered && (t.run.ignores(f.code) || errors.As(err, &asked))
	// The server has rolled back the victim of a deadlock itself.
	if t.session.open && f.code != deadlock {
		if t.session.Rollback() != nil {
			return false
		}
	}
	t.session.open = false
	switch {
	case (restart || ignore) && t.rampUpFault != nil: // counted nowhere, like its fault
	case restart:
		t.restarts++
	case ignore:
		t.ignored++
	default:
		return false
	}
	return !t.burst.over(t.run.clock.now())
}

// took counts a round that has come to its end.
func (t *thread) took(began time.Duration, err error) {
	now := t.now
	took := now - began - t.thought
	t.busy += now - began
	if errors.Is(err, errOver) {
		return
	}
	if errors.Is(err, workload.ErrEnough) {
		t.lost = true
		return
	}
	if err != nil && t.broke(err) {
		return
	}
	// Who thinks first begins when that is done: else a user would lose the round that the ramp's
	// end meets thinking.
	t.failure = err
	measured, inTime := t.burst.measures(began+t.thought, now), !t.burst.over(now)
	if t.interaction >= 0 && measured {
		t.tally.interaction(t.interaction, took, inTime, err != nil)
	}
	if err == nil {
		t.failures = 0
		t.goodRounds++
		if measured {
			t.tally.round(took)
			if inTime {
				t.transactions++
			}
		}
		return
	}
	f := t.session.fault
	if f == nil { // the session knows nothing of it: the workload itself is not content
		t.session.countFailure(-1, began+t.thought, &fault{class: "workload", error: err})
	}
	if t.failures++; t.failures >= giveUpAfter || (f != nil && f.fatal && t.reconnectEvery == 0) || errors.Is(err, errAborted) {
		t.lost = true
		if t.rampUpFault != nil { // the measured part misses this thread
			t.errors++
			t.tally.failure(-1, t.rampUpFault)
		}
	}
}

// broke reports whether a round failed because the workload itself is broken, and ends the thread
// then. On its own, as errors.As allocates also where there is no error.
func (t *thread) broke(err error) bool {
	var broken *workload.BrokenError
	if !errors.As(err, &broken) {
		return false
	}
	t.lost = true
	t.run.breaks(broken)
	return true
}

// freeze ends the thread's part of the window in which all threads were busy.
func (t *thread) freeze() {
	t.frozen = true
	t.inWindow = t.inBurst
}

// pause sleeps, but not past the end of a timed trial.
func (t *thread) pause(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	until, end := t.run.clock.now()+d, t.burst.deadline
	if end > 0 && until > end {
		if err := t.sleepUntil(end); err != nil {
			return err
		}
		return errOver
	}
	return t.sleepUntil(until)
}

// sleepUntil sleeps until the trial's clock shows a time.
func (t *thread) sleepUntil(until time.Duration) error {
	err := t.place.sleepUntil(t.run.clock.at(until))
	t.now = t.run.clock.now()
	return err
}
