package load

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/result"
)

// loopEngine runs threads as tasks of event loops, thread i on loop i modulo their number.
type loopEngine struct {
	address *loop.Address
	loops   []*loop.Loop
	poller  loop.Poller
	procs   int          // the Ps that the Go scheduler is given while the loops run
	started []loop.Stats // of each loop, when the clock started
	stopped []loop.Stats
	lags    []*times // of each loop, while the clock runs
}

// newLoopEngine makes one loop for each of lags, which they add to. When there is a loop for each
// CPU, each has its own: left to the kernel, two loops meet on one CPU again and again, where each
// waits for the other.
//
// A loop keeps its P while it sleeps for a moment, and timers and garbage collection want one too.
// Not so when threads reconnect: each connection of the driver starts a goroutine, and if a P were
// free, a thread would be woken for every one, which took a quarter of the client's CPU for a
// connect. These goroutines do nothing, and all else can wait some 10 ms, until the scheduler
// interrupts a loop.
func newLoopEngine(address *loop.Address, poller loop.Poller, lags []*times, cpus []int, reconnecting bool) (*loopEngine, error) {
	n := len(lags)
	procs := max(n+1, runtime.GOMAXPROCS(0))
	if reconnecting {
		procs = n
	}
	e := &loopEngine{address: address, poller: poller, procs: procs, started: make([]loop.Stats, n), stopped: make([]loop.Stats, n), lags: lags}
	for i := range n {
		config := loop.Config{Poller: poller}
		if n == len(cpus) && n > 1 {
			config.Pin, config.CPU = true, cpus[i]
		}
		l, err := loop.New(config)
		if err != nil {
			e.close()
			return nil, fmt.Errorf("event loop: %w", err)
		}
		e.loops = append(e.loops, l)
	}
	return e, nil
}

// usableCPUs lists the CPUs that this process may run on, and counts those it may use at a time: a
// quota can make them fewer.
func usableCPUs() (list []int, n int) {
	n = runtime.GOMAXPROCS(0) // Go has asked for CPUs and quota at its start
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, n
	}
	for cpu := 0; len(list) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list, min(n, len(list))
}

func (e *loopEngine) run(threads int, work func(int, place)) error {
	defer e.close()
	if runtime.GOMAXPROCS(0) != e.procs {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(e.procs))
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

func (e *loopEngine) clockStarts() {
	for i, l := range e.loops { // each notes its own figures, as only its thread can
		l.Post(func() {
			e.started[i] = l.Stats()
			l.ObserveLag(e.lags[i].add)
		})
	}
}

func (e *loopEngine) clockStops() {
	for i, l := range e.loops {
		l.Post(func() {
			e.stopped[i] = l.Stats()
			l.ObserveLag(nil)
		})
	}
}

func (e *loopEngine) cost(c *result.ClientCost) {
	c.Engine, c.Loops, c.Poller = "loop", len(e.loops), string(e.poller)
	if c.Poller == "" {
		c.Poller = string(loop.Epoll)
	}
	for i := range e.loops {
		s := e.stopped[i].Since(e.started[i])
		if busy := s.Busy(); c.LoopBusy == nil || busy > *c.LoopBusy {
			c.LoopBusy = &busy
		}
		if s.RunDelay != nil {
			delay := s.RunDelay.Seconds()
			if c.LoopRunDelay != nil {
				delay += *c.LoopRunDelay
			}
			c.LoopRunDelay = &delay
		}
	}
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

func (p *loopPlace) shard() int { return p.number }

func (p *loopPlace) dial(limit time.Time) (net.Conn, int, error) {
	conn, retries, err := p.loop.Dial(limit, p.engine.address)
	if err != nil {
		return nil, retries, err // not conn: a nil *Conn would make a net.Conn that is not nil
	}
	return conn, retries, nil
}

func (p *loopPlace) wait() error { return p.task.Wait(time.Time{}) }

// wake reaches the loop's thread as a posted function, which runs between tasks: so a task that is
// about to wait does wait by then.
func (p *loopPlace) wake() { p.loop.Post(p.task.Wake) }

func (p *loopPlace) sleepUntil(when time.Time) error { return p.task.SleepUntil(when) }
