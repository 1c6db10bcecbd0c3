package loop

import (
	"time"

	"golang.org/x/sys/unix"
)

// sampleEvery is how many waits pass between two whose lag is measured, to keep the clock out of
// the others.
const sampleEvery = 64

// Stats says how busy a loop was and how late it read, between two moments.
type Stats struct {
	Elapsed time.Duration // by the clock
	CPU     time.Duration // of the loop's thread
	Waits   uint64        // calls of the poller
	Events  uint64        // what they returned, sends left out
	// RunDelay is how long the thread stood runnable in the kernel's queues, waiting for a CPU; nil
	// when not known.
	RunDelay *time.Duration
}

// Busy returns the share of the elapsed time that the loop's thread was at work, 0..1.
func (s Stats) Busy() float64 {
	if s.Elapsed <= 0 {
		return 0
	}
	return min(1, float64(s.CPU)/float64(s.Elapsed))
}

// Since returns the difference of s and an earlier state of the same loop.
func (s Stats) Since(earlier Stats) Stats {
	s.Elapsed -= earlier.Elapsed
	s.CPU -= earlier.CPU
	s.Waits -= earlier.Waits
	s.Events -= earlier.Events
	if s.RunDelay != nil && earlier.RunDelay != nil {
		delay := *s.RunDelay - *earlier.RunDelay
		s.RunDelay = &delay
	}
	return s
}

// meter counts what Stats reports.
type meter struct {
	waits, events uint64
	untilSample   int
	sampling      bool          // the events now dispatched are measured
	lastLook      time.Duration // when the wait before a sampled one returned
	readySince    time.Duration // when the sampled events became readable
	onLag         func(time.Duration)
	final         *Stats // set when Run has ended
}

func (m *meter) begin() { m.untilSample = sampleEvery }

// Stats returns the figures since New. Call it on the loop's thread, or after Run has returned.
func (l *Loop) Stats() Stats {
	if l.meter.final != nil {
		return *l.meter.final
	}
	m := &l.meter
	s := Stats{Elapsed: l.Now(), CPU: threadCPU(), Waits: m.waits, Events: m.events}
	if delay, ok := runDelay(); ok {
		s.RunDelay = &delay
	}
	return s
}

// keepStats keeps the last figures, as the thread's own are gone with it.
func (l *Loop) keepStats() {
	s := l.Stats()
	l.meter.final = &s
}

// wait looks for events, at most for timeout (negative: for ever), and measures every
// sampleEvery-th time.
func (m *meter) wait(l *Loop, timeout time.Duration) (errno unix.Errno) {
	m.waits++
	m.untilSample--
	m.sampling = m.untilSample == 0
	var n int
	switch {
	case m.sampling:
		n, errno = m.sampledWait(l, timeout)
		m.untilSample = sampleEvery
	case timeout == 0:
		n, errno = l.poller.look()
	default:
		n, errno = l.poller.wait(timeout)
	}
	if m.untilSample == 1 {
		m.lastLook = l.Now()
	}
	m.events += uint64(n)
	return errno
}

// sampledWait tells events that were there already from those that ended a sleep.
func (m *meter) sampledWait(l *Loop, timeout time.Duration) (int, unix.Errno) {
	n, errno := l.poller.look()
	now := l.Now()
	m.readySince = (m.lastLook + now) / 2
	if n > 0 || errno != 0 || timeout == 0 {
		return n, errno
	}
	n, errno = l.poller.wait(timeout)
	m.readySince = l.Now()
	return n, errno
}

// handed is called when an event reaches its connection.
func (m *meter) handed(l *Loop) {
	if m.sampling && m.onLag != nil {
		m.onLag(l.Now() - m.readySince)
	}
}

// ObserveLag has f called with the lag of sampled events: the time from readable to read, which is
// the time in the loop's own queue. An event that was there when the loop came back to look is
// taken to have come half way since its last look. Call it on the loop's thread or before Run; nil
// ends it.
func (l *Loop) ObserveLag(f func(time.Duration)) { l.meter.onLag = f }
