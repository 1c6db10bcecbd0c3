package loop

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Config says where a loop's thread runs and how it waits. The zero value is a loop that floats
// over all CPUs and waits in epoll.
type Config struct {
	Poller Poller
	// CPU pins the loop's thread to this CPU when Pin is set.
	CPU int
	Pin bool
}

// Loop is one thread that runs tasks. Make it with New, give it tasks with Go, and call Run.
type Loop struct {
	cfg    Config
	poller poller
	wakeFD int // an eventfd: readable when posted work waits
	start  time.Time
	conns  []*Conn // by descriptor
	timers timers
	ready  []*Task // to be resumed before the next wait
	spare  []*Task // the other half of ready's double buffer
	tasks  map[*Task]struct{}
	cur    *Task // the task that runs now, nil between tasks
	serial uint32
	panics []error
	meter  meter

	aborted atomic.Pointer[error]
	mu      sync.Mutex
	posted  []func()
	closed  bool
}

// heartbeat bounds the loop's sleep, so that nothing depends on a signal alone to wake its thread.
// A timer of its own keeps it out of the many sleeps that are shorter: each would set up one.
const heartbeat = 10 * time.Millisecond

// New makes a loop; Close gives its descriptors back.
func New(cfg Config) (*Loop, error) {
	l := &Loop{cfg: cfg, start: time.Now(), tasks: map[*Task]struct{}{}}
	var err error
	if l.wakeFD, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("eventfd", err)
	}
	if l.poller, err = newPoller(l, cfg.Poller); err != nil {
		unix.Close(l.wakeFD)
		return nil, err
	}
	return l, nil
}

// Close gives the loop's descriptors back. Call it after Run has returned.
func (l *Loop) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return errors.Join(l.poller.close(), unix.Close(l.wakeFD))
}

// Go adds a task. It may be called before Run, by a task of this loop, or in a posted function.
func (l *Loop) Go(work func(*Task)) *Task {
	t := &Task{loop: l, work: work, heapIndex: -1}
	l.tasks[t] = struct{}{}
	l.ready = append(l.ready, t)
	return t
}

// Post has f called on the loop's thread, between tasks. It may be called from anywhere.
func (l *Loop) Post(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posted = append(l.posted, f)
	l.interrupt()
}

// Abort ends every wait of every task, present and future, with cause. It may be called from
// anywhere; the first cause stays.
func (l *Loop) Abort(cause error) {
	if !l.aborted.CompareAndSwap(nil, &cause) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interrupt()
}

// interrupt wakes the loop from its sleep; l.mu is held, which keeps the descriptor open.
func (l *Loop) interrupt() {
	if !l.closed {
		one := [8]byte{1} // any non-zero number does, in either byte order
		unix.Write(l.wakeFD, one[:])
	}
}

// abortCause returns why the loop was aborted, nil while it was not.
func (l *Loop) abortCause() error {
	if cause := l.aborted.Load(); cause != nil {
		return *cause
	}
	return nil
}

// Now returns the loop's clock: monotonic, since New.
func (l *Loop) Now() time.Duration { return time.Since(l.start) }

// at converts a point in time to the loop's clock; the zero time means no limit (0).
func (l *Loop) at(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return max(1, t.Sub(l.start))
}

// Run runs the tasks on this goroutine, locked to its thread, until all have ended. It returns the
// panics of tasks.
func (l *Loop) Run() error {
	runtime.LockOSThread()
	unpin, err := l.pin()
	if err != nil {
		return err
	}
	// A thread that did not get its CPUs back stays locked: the Go scheduler ends it together with
	// this goroutine. The main thread would not end, and everything that asks which CPUs the
	// process may use looks at that one.
	defer func() {
		if unpin() == nil {
			runtime.UnlockOSThread()
		}
	}()
	if err := l.poller.begin(); err != nil {
		return err
	}
	defer l.poller.end()
	l.meter.begin()
	defer l.keepStats()
	for len(l.tasks) > 0 {
		l.runReady()
		if len(l.tasks) == 0 {
			break
		}
		if err := l.wait(); err != nil {
			return errors.Join(append(l.panics, err)...)
		}
		l.poller.dispatch()
		l.timers.fire(l)
	}
	l.runPosted()
	return errors.Join(l.panics...)
}

// runReady resumes the tasks that need no event. Those that become ready meanwhile have their turn
// after the next look at the descriptors, so that tasks that only yield do not starve the network.
func (l *Loop) runReady() {
	batch := l.ready
	l.ready = l.spare[:0]
	for i, t := range batch {
		batch[i] = nil
		l.resume(t)
	}
	l.spare = batch
}

// wait sleeps until a descriptor has news, the next timer is due, or the loop is interrupted.
func (l *Loop) wait() error {
	timeout := time.Duration(-1)
	if len(l.ready) > 0 || l.abortCause() != nil {
		timeout = 0
	} else if next := l.timers.next(); next > 0 {
		if left := max(0, next-l.Now()); left < heartbeat {
			timeout = left
		}
	}
	if errno := l.meter.wait(l, timeout); errno != 0 && errno != unix.EINTR {
		return os.NewSyscallError("wait for events", errno)
	}
	return nil
}

// conn returns the connection that an event is about, nil when it is gone: its descriptor number
// may have been closed and given out again since the kernel wrote the event.
func (l *Loop) conn(fd int, serial uint32) *Conn {
	if fd < len(l.conns) && l.conns[fd] != nil && l.conns[fd].serial == serial {
		return l.conns[fd]
	}
	return nil
}

// runPosted does what came from outside: posted functions, and the wake-up of every waiting task
// after an abort.
func (l *Loop) runPosted() {
	var count [8]byte
	unix.Read(l.wakeFD, count[:])
	l.mu.Lock()
	posted := l.posted
	l.posted = nil
	l.mu.Unlock()
	for _, f := range posted {
		f()
	}
	if l.abortCause() != nil {
		for t := range l.tasks {
			t.makeReady()
		}
	}
}

// resume lets a task run until it parks or ends.
func (l *Loop) resume(t *Task) {
	if t.next == nil {
		t.begin()
	}
	t.state = running
	l.cur = t
	_, alive := t.next()
	l.cur = nil
	if !alive {
		l.timers.remove(t)
		delete(l.tasks, t)
	}
}

// PanicError is a panic of a task.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic in a task: %v", e.Value) }
