package load

import (
	"context"
	"errors"
	"net"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// goroutineEngine runs each thread as a goroutine on an ordinary net.Conn: what a plain Go program
// would do, and the reference that the loops are tested against.
type goroutineEngine struct {
	network, address string
	shards           int

	ctx    context.Context
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	conns  map[net.Conn]struct{} // those that abort has to interrupt
}

func newGoroutineEngine(network, address string) *goroutineEngine {
	e := &goroutineEngine{network: network, address: address, shards: runtime.GOMAXPROCS(0), conns: map[net.Conn]struct{}{}}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	return e
}

func (e *goroutineEngine) run(threads int, work func(int, place)) error {
	defer e.cancel(nil)
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() { work(i, &goroutinePlace{engine: e, number: i % e.shards, woken: make(chan struct{}, 1)}) })
	}
	all.Wait()
	return nil
}

func (e *goroutineEngine) abort(cause error) {
	e.cancel(cause)
	e.mu.Lock()
	defer e.mu.Unlock()
	for conn := range e.conns {
		conn.SetDeadline(time.Unix(1, 0))
	}
}

func (e *goroutineEngine) clockStarts() {}
func (e *goroutineEngine) clockStops()  {}

func (e *goroutineEngine) cost(c *result.ClientCost) { c.Engine = "goroutine" }

// cause is why the engine was aborted, nil while it was not.
func (e *goroutineEngine) cause() error {
	if e.ctx.Err() == nil {
		return nil
	}
	return context.Cause(e.ctx)
}

// goroutinePlace is one goroutine.
type goroutinePlace struct {
	engine *goroutineEngine
	number int
	woken  chan struct{} // holds one wake
}

func (p *goroutinePlace) shard() int { return p.number }

func (p *goroutinePlace) dial(limit time.Time) (net.Conn, int, error) {
	e := p.engine
	ctx, cancel := context.WithDeadline(e.ctx, limit)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, e.network, e.address)
	retries := 0
	for pause := time.Millisecond; errors.Is(err, syscall.EAGAIN); pause = min(2*pause, 20*time.Millisecond) {
		retries++
		if err := p.sleepUntil(time.Now().Add(pause)); err != nil {
			return nil, retries, err
		}
		conn, err = dialer.DialContext(ctx, e.network, e.address)
	}
	if cause := e.cause(); cause != nil {
		if err == nil {
			conn.Close()
		}
		return nil, retries, cause
	}
	if err != nil {
		return nil, retries, err
	}
	tracked := &trackedConn{Conn: conn, engine: e}
	e.mu.Lock()
	e.conns[conn] = struct{}{}
	e.mu.Unlock()
	return tracked, retries, nil
}

func (p *goroutinePlace) wait() error {
	select {
	case <-p.woken:
		return nil
	case <-p.engine.ctx.Done():
		return p.engine.cause()
	}
}

func (p *goroutinePlace) wake() {
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

func (p *goroutinePlace) sleepUntil(when time.Time) error {
	timer := time.NewTimer(time.Until(when))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.engine.ctx.Done():
		return p.engine.cause()
	}
}

// trackedConn is a connection that abort can interrupt: its errors afterwards are the abort's
// cause.
type trackedConn struct {
	net.Conn
	engine *goroutineEngine
}

func (c *trackedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.explain(err)
}

func (c *trackedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.explain(err)
}

func (c *trackedConn) explain(err error) error {
	if err != nil {
		if cause := c.engine.cause(); cause != nil {
			return cause
		}
	}
	return err
}

// SetDeadline leaves the deadline of an abort alone.
func (c *trackedConn) SetDeadline(t time.Time) error {
	c.engine.mu.Lock()
	defer c.engine.mu.Unlock()
	if cause := c.engine.cause(); cause != nil {
		return cause
	}
	return c.Conn.SetDeadline(t)
}

func (c *trackedConn) Close() error {
	c.engine.mu.Lock()
	delete(c.engine.conns, c.Conn)
	c.engine.mu.Unlock()
	return c.Conn.Close()
}
