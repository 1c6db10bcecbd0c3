package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"time"

	"mysweep/runner/load/loop"
	"mysweep/runner/result"
)

// loopEngine runs threads as tasks of event loops, thread i on loop i modulo their number.
type loopEngine struct {
	address *loop.Address
	loops   []*loop.Loop
	started []loop.Stats // of each loop, when the clock started
	stopped []loop.Stats
}

func newLoopEngine(address *loop.Address, n int) (*loopEngine, error) {
	e := &loopEngine{address: address, started: make([]loop.Stats, n), stopped: make([]loop.Stats, n)}
	for range n {
		l, err := loop.New(loopConfig)
		if err != nil {
			e.close()
			return nil, fmt.Errorf("event loop: %w", err)
		}
		e.loops = append(e.loops, l)
	}
	return e, nil
}

// loopConfig is how loops behave on their threads.
var loopConfig = loop.Config{}

func (e *loopEngine) run(threads int, work func(int, place)) error {
	defer e.close()
	// A loop keeps its P while it sleeps for a moment, and timers and garbage collection want one too.
	if want := len(e.loops) + 1; runtime.GOMAXPROCS(0) < want {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(want))
	}
	for i := range threads {
		shard := i % len(e.loops)
		e.loops[shard].Go(func(t *loop.Task) {
			work(i, &loopPlace{task: t, loop: e.loops[shard], engine: e, number: shard})
		})
	}
	errs := make([]error, len(e.loops))
	var all sync.WaitGroup
	for i, l := range e.loops {
		all.Go(func() { errs[i] = l.Run() })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (e *loopEngine) abort(cause error) {
	for _, l := range e.loops {
		l.Abort(cause)
	}
}

func (e *loopEngine) clockStarts() { e.keepStats(e.started) }
func (e *loopEngine) clockStops()  { e.keepStats(e.stopped) }

// keepStats has each loop note its figures, as only its own thread can.
func (e *loopEngine) keepStats(into []loop.Stats) {
	for i, l := range e.loops {
		l.Post(func() { into[i] = l.Stats() })
	}
}

func (e *loopEngine) cost(c *result.ClientCost) {
	c.Engine, c.Loops = "loop", len(e.loops)
	busiest := 0.0
	var lag result.Distribution
	longest := time.Duration(0)
	for i := range e.loops {
		s := e.stopped[i].Since(e.started[i])
		busiest = max(busiest, s.Busy())
		if s.LagSamples == 0 {
			continue
		}
		// To the loop's own queue comes the kernel's: the thread was runnable and had no CPU.
		sum := s.Lag
		if s.RunDelay != nil && s.Waits > 0 {
			sum += time.Duration(float64(*s.RunDelay) / float64(s.Waits) * float64(s.LagSamples))
		}
		lag.Count += int64(s.LagSamples)
		lag.Sum += sum.Seconds()
		longest = max(longest, s.LagMax)
	}
	c.LoopBusy = maxOf(c.LoopBusy, busiest)
	addLag(&c.Lag, lag, longest.Seconds())
}

// addLag adds one burst's lag.
func addLag(to *result.Distribution, lag result.Distribution, longest float64) {
	if lag.Count == 0 {
		return
	}
	to.Count += lag.Count
	to.Sum += lag.Sum
	mean := to.Sum / float64(to.Count)
	to.Mean = &mean
	to.Max = maxOf(to.Max, max(longest, mean))
}

// maxOf is the greater of a figure that may be unknown and one that is not.
func maxOf(known *float64, v float64) *float64 {
	if known != nil && *known > v {
		return known
	}
	return &v
}

func (e *loopEngine) close() {
	for _, l := range e.loops {
		l.Close()
	}
}

// loopPlace is a task of a loop.
type loopPlace struct {
	task   *loop.Task
	loop   *loop.Loop
	engine *loopEngine
	number int
}

func (p *loopPlace) shard() int  { return p.number }
func (p *loopPlace) alone() bool { return true }

func (p *loopPlace) dial(ctx context.Context) (net.Conn, int, error) {
	conn, retries, err := p.loop.Dial(ctx, p.engine.address)
	if err != nil {
		return nil, retries, err // not conn: a nil *Conn would make a net.Conn that is not nil
	}
	return conn, retries, nil
}

func (p *loopPlace) wait() error { return p.task.Wait(time.Time{}) }

// wake reaches the loop's thread as a posted function, which runs between tasks: so a task that is about to wait does wait
// by then.
func (p *loopPlace) wake() { p.loop.Post(p.task.Wake) }

func (p *loopPlace) sleepUntil(when time.Time) error { return p.task.SleepUntil(when) }
