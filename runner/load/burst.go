package load

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// burst is one pass of a trial: connect, barrier, clock, rounds, disconnect.
type burst struct {
	run       *run
	engine    engine
	turnstile turnstile // before connecting
	gathered  gate      // in the modes that reconnect: each thread has its connection, or failed to
	barrier   gate
	finished  gate
	gathering atomic.Int64 // threads that have not tried to connect
	arriving  atomic.Int64 // threads that have not reached the barrier
	working   atomic.Int64 // threads that have not finished their rounds
	events    atomic.Int64 // rounds left, in a trial that ends by them
	arrivals  *arrivals    // nil unless the loop is open

	mu       sync.Mutex
	failures []error // why threads did not reach the barrier in working order

	// On the trial's clock; written before the barrier opens.
	connecting time.Duration // before the first connect
	start      time.Duration
	from       time.Duration // the end of the ramp-up: see measures
	deadline   time.Duration // 0 = none
	cancelled  bool          // the barrier opened only to let all go home

	firstDone atomic.Int64 // when the first thread finished, on the trial's clock
	lastDone  time.Duration
	started   chan struct{} // closed when the barrier opens
	meter     meter
}

func newBurst(r *run, e engine) *burst {
	b := &burst{run: r, engine: e, connecting: r.clock.now(), started: make(chan struct{}),
		meter: meter{engine: e, clock: r.clock}}
	n := len(r.threads)
	b.turnstile.free = n
	if parallel := r.trial.ConnectParallel; parallel > 0 {
		b.turnstile.free = parallel
	}
	b.gathering.Store(int64(n))
	b.arriving.Store(int64(n))
	b.working.Store(int64(n))
	b.events.Store(r.trial.Events)
	return b
}

// gather waits until every thread has tried to connect.
func (b *burst) gather(p place) {
	if b.gathering.Add(-1) == 0 {
		b.gathered.open()
	}
	b.gathered.pass(p) // an abort is met again before the barrier
}

// arrive reports that a thread stands before the barrier, or why it is not ready. The last one
// starts the clock.
func (b *burst) arrive(t *thread, err error) {
	if err != nil {
		b.mu.Lock()
		b.failures = append(b.failures, err)
		b.mu.Unlock()
	}
	if b.arriving.Add(-1) > 0 {
		return
	}
	b.cancelled = len(b.failures) > 0
	if b.run.trial.RampUp == 0 {
		b.meter.open()
	}
	b.start = b.run.clock.now()
	b.from = b.start + b.run.trial.RampUp
	if b.run.trial.Time > 0 {
		b.deadline = b.from + b.run.trial.Time
	}
	if rate := b.run.trial.Rate; rate > 0 {
		b.arrivals = newArrivals(rate, b.run.trial.Arrivals, b.run.trial.Seed)
	}
	close(b.started)
	b.barrier.open()
}

// finish reports that a thread has done its rounds. The last one stops the clock.
func (b *burst) finish(t *thread) {
	now := b.run.clock.now()
	b.firstDone.CompareAndSwap(0, int64(now))
	if !t.frozen {
		t.freeze()
	}
	if b.working.Add(-1) > 0 {
		return
	}
	b.lastDone = now
	b.meter.close()
	b.finished.open()
}

// next gives a thread its next round, with the time for which it was intended in an open loop (else
// 0).
func (b *burst) next(t *thread) (intended time.Duration, more bool, err error) {
	if t.rounds > 0 && t.begun >= t.rounds {
		return 0, false, nil
	}
	if b.run.trial.Events > 0 && b.events.Add(-1) < 0 {
		return 0, false, nil
	}
	if b.arrivals == nil {
		return 0, b.deadline == 0 || t.now < b.deadline, nil
	}
	return b.nextArrival(t)
}

// nextArrival takes the next arrival and waits for its time. Threads take arrivals in order, so a
// free thread that waits for its arrival and a queue of arrivals before busy threads are the same
// thing: first come, first served.
func (b *burst) nextArrival(t *thread) (time.Duration, bool, error) {
	intended := b.start + b.arrivals.next()
	if b.deadline > 0 && intended >= b.deadline {
		return 0, false, nil
	}
	now := b.run.clock.now()
	if b.over(now) {
		t.dropped += 1 + b.arrivals.skip(b.deadline-b.start)
		return 0, false, nil
	}
	if intended > now {
		return intended, true, t.sleepUntil(intended)
	}
	return intended, true, nil
}

// over reports whether a moment is past the end of a timed trial.
func (b *burst) over(now time.Duration) bool { return b.deadline > 0 && now > b.deadline }

// measures reports whether what began and ended at two moments belongs to the measured part. In a
// closed loop that is what began in it. In an open loop it is what ended in it, whenever it was
// due: a server that is behind spends the measured part on what was due in the ramp-up, and answers
// all the same.
func (b *burst) measures(began, ended time.Duration) bool {
	if b.arrivals != nil {
		return ended >= b.from
	}
	return began >= b.from
}

// end is when the measured part of the burst ended: at the deadline, or with the last answer. In an
// open loop that is bounded by time it is the deadline, also when no arrival was due in its last
// part.
func (b *burst) end() time.Duration {
	if b.deadline > 0 && (b.lastDone >= b.deadline || b.arrivals != nil) {
		return b.deadline
	}
	last := b.from
	for _, t := range b.run.threads {
		last = max(last, t.last)
	}
	return last
}

// window is how long all threads were busy.
func (b *burst) window() time.Duration {
	return max(0, min(time.Duration(b.firstDone.Load()), b.end())-b.from)
}

// failure says why the burst could not begin.
func (b *burst) failure() error {
	if len(b.failures) == 0 {
		return nil
	}
	n := len(b.run.threads)
	return fmt.Errorf("needs %d, got %d: %w", n, n-len(b.failures), b.failures[0])
}
