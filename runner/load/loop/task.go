package loop

import (
	"iter"
	"os"
	"runtime/debug"
	"time"
)

// state says what a task does.
type state uint8

const (
	queued    state = iota // is in the loop's ready list
	running                // is the current task
	forRead                // waits for its connection to be readable
	forWrite               // waits for its connection to be writable
	forWakeUp              // waits for Wake, or only for time
)

// Task is a piece of work that runs on a loop and may wait there. Its methods are for the task
// itself, but for Wake.
type Task struct {
	loop  *Loop
	work  func(*Task)
	next  func() (struct{}, bool) // resumes the coroutine
	yield func(struct{}) bool     // parks it
	state state

	limit     time.Duration // when the present wait ends, on the loop's clock; 0 = never
	expired   bool          // the limit, not the event, ended the wait
	queuedAt  time.Duration // the time under which the task is in the timer heap
	heapIndex int           // its place there, -1 = none
}

// begin makes the task's coroutine, on the loop's thread.
func (t *Task) begin() {
	t.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if v := recover(); v != nil {
				t.loop.panics = append(t.loop.panics, &PanicError{Value: v, Stack: debug.Stack()})
			}
		}()
		t.yield = yield
		t.work(t)
	})
}

// park waits for an event of kind why, at most until limit on the loop's clock (0: for ever).
// It returns os.ErrDeadlineExceeded after the limit, and the cause after an abort.
func (t *Task) park(why state, limit time.Duration) error {
	if err := t.loop.abortCause(); err != nil {
		return err
	}
	t.state = why
	t.expired = false
	t.limit = limit
	if limit > 0 {
		t.loop.timers.set(t)
	}
	t.yield(struct{}{})
	t.limit = 0
	if err := t.loop.abortCause(); err != nil {
		return err
	}
	if t.expired {
		return os.ErrDeadlineExceeded
	}
	return nil
}

// makeReady puts a waiting task in line; one that is in line already, or runs, stays as it is.
func (t *Task) makeReady() {
	if t.state == queued || t.state == running {
		return
	}
	t.state = queued
	t.loop.ready = append(t.loop.ready, t)
}

// Loop returns the loop that the task runs on.
func (t *Task) Loop() *Loop { return t.loop }

// Wait parks the task until someone on the loop's thread calls Wake, or until limit (the zero time:
// for ever). It returns os.ErrDeadlineExceeded after the limit, and the cause after an abort.
func (t *Task) Wait(limit time.Time) error { return t.park(forWakeUp, t.loop.at(limit)) }

// Wake ends the task's Wait. Call it on the loop's thread: in a task of the same loop or in a
// posted function. A task that is not in Wait is left alone.
func (t *Task) Wake() {
	if t.state == forWakeUp {
		t.makeReady()
	}
}

// SleepUntil parks the task until a point in time; it returns an error only after an abort.
func (t *Task) SleepUntil(when time.Time) error {
	err := t.park(forWakeUp, t.loop.at(when))
	if err == os.ErrDeadlineExceeded {
		return nil
	}
	return err
}

// Yield lets the other tasks that are ready have their turn.
func (t *Task) Yield() error {
	if err := t.loop.abortCause(); err != nil {
		return err
	}
	t.state = queued
	t.loop.ready = append(t.loop.ready, t)
	t.yield(struct{}{})
	return t.loop.abortCause()
}
