package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// run is one trial under way.
type run struct {
	trial        Trial
	config       *mysql.Config
	address      *loop.Address
	newSession   func(workload.Session) (workload.Round, error)
	begin        string // what begins a transaction
	setUp        string // what begins a session, "" for nothing
	threads      []*thread
	threadCount  int
	clock        clock
	types        catalogue
	interactions catalogue
	tallies      []*tally
	lags         []*times // of each event loop
	reaper       *reaper
	measure      result.Measure
	aborted      atomic.Pointer[error] // why the trial was cut off, nil as long as it goes on

	mu       sync.Mutex
	problems []error // what ended threads or the trial out of turn
	cipher   string
}

// Run runs one trial. The measure says what was found even when the trial failed, which the error
// tells: too few connections, a limit or a cancelled context that cut it off, a panic of the
// workload. Failed statements are counted in the measure and are no error of the trial.
func Run(ctx context.Context, target Target, w workload.Workload, t Trial) (result.Measure, error) {
	r, err := newRun(ctx, target, w, t)
	if err != nil {
		return result.Measure{}, err
	}
	if t.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.Timeout, fmt.Errorf("the trial's limit of %s was reached", t.Timeout))
		defer cancel()
	}
	err = r.bursts(ctx)
	r.reaper.wait()
	return r.collect(), err
}

// bursts repeats bursts until their clocks add up to the trial's minimum. It ends when one adds
// nothing to them: the next would not either.
func (r *run) bursts(ctx context.Context) error {
	t := r.trial
	for {
		elapsed, good := r.measure.Elapsed, r.goodRounds()
		if err := r.oneBurst(ctx); err != nil {
			return err
		}
		switch {
		case t.Queries == 0 || t.Rate > 0 || r.measure.Elapsed >= t.MinTime.Seconds():
			return nil
		case r.goodRounds() == good:
			return fmt.Errorf("burst %d: %w: %w", r.measure.Bursts, ErrNoRound, r.failure())
		case r.measure.Elapsed == elapsed:
			return nil
		}
	}
}

// ErrNoRound says that not one round of a burst succeeded, on no thread.
var ErrNoRound = errors.New("every round failed")

// goodRounds counts the rounds that ended well so far.
func (r *run) goodRounds() (n int64) {
	for _, t := range r.threads {
		n += t.goodRounds
	}
	return n
}

// failure is why a thread's latest round failed, with the statement, in which the table is.
func (r *run) failure() error {
	for _, t := range r.threads {
		if t.failure == nil {
			continue
		}
		if f := t.session.fault; f != nil && f.sql != "" {
			return fmt.Errorf("%w (statement: %s)", t.failure, f.sql)
		}
		return t.failure
	}
	return errors.New("unknown cause")
}

func newRun(ctx context.Context, target Target, w workload.Workload, t Trial) (*run, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if t.ConnectTimeout == 0 {
		t.ConnectTimeout = defaultConnectTimeout
	}
	r := &run{trial: t, clock: newClock(), newSession: w.Thread, begin: target.begin()}
	address, err := loop.Resolve(ctx, target.Config.Net, target.Config.Addr)
	if err != nil {
		return nil, fmt.Errorf("address %s: %w", target.Config.Addr, err)
	}
	r.address = address
	if err := r.configure(target.Config); err != nil {
		return nil, err
	}
	rounds := make([]int, t.Threads)
	if scaler, ok := w.(workload.Scaler); ok {
		if r.newSession, rounds, err = scaler.Cell(t.Threads, t.Queries); err != nil {
			return nil, err
		}
	} else {
		for i := range rounds {
			rounds[i] = t.Queries
		}
	}
	if err := portBudget(os.DirFS("/"), r.address.Addr, t, Reconnects(w, t.Reconnect), len(rounds)); err != nil {
		return nil, err
	}
	r.threadCount = len(rounds)
	r.measure.Threads = len(rounds)
	return r, r.makeThreads(rounds)
}

// configure sets what concerns the protocol.
func (r *run) configure(c *mysql.Config) error {
	r.config = c.Clone()
	// The driver would send these parameters as part of the connect.
	r.setUp, r.config.Params = setStatement(c.Params), nil
	r.config.Logger = &mysql.NopLogger{} // the session tells what went wrong
	r.config.InterpolateParams = true    // for the text protocol
	r.config.CheckConnLiveness = false
	// Time limits are set per statement.
	r.config.ReadTimeout, r.config.WriteTimeout, r.config.Timeout = 0, 0, 0
	if c.TLS != nil {
		r.config.TLS = c.TLS.Clone()
		r.config.TLS.VerifyConnection = r.noteCipher(c.TLS.VerifyConnection)
	}
	r.reaper = newReaper(r.config.Clone())
	if r.trial.Compress {
		return r.config.Apply(mysql.EnableCompression(true))
	}
	return nil
}

// setStatement sets variables of the session, "" for none.
func setStatement(params map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		list = append(list, name+" = "+params[name])
	}
	if len(list) == 0 {
		return ""
	}
	return "SET " + strings.Join(list, ", ")
}

// noteCipher keeps the cipher that a connection agreed on.
func (r *run) noteCipher(verify func(tls.ConnectionState) error) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		r.mu.Lock()
		r.cipher = tls.CipherSuiteName(state.CipherSuite)
		r.mu.Unlock()
		if verify != nil {
			return verify(state)
		}
		return nil
	}
}

func (r *run) makeThreads(rounds []int) error {
	every, err := r.trial.reconnectEvery()
	if err != nil {
		return err
	}
	for i, n := range rounds {
		t := &thread{run: r, number: i, rounds: n, reconnectEvery: every}
		s := &session{thread: t, beginning: -1, committing: -1, rolling: -1,
			rand: rand.New(rand.NewPCG(r.trial.Seed, uint64(i)))}
		t.session = s
		config := r.config.Clone()
		config.DialFunc = s.dial
		if s.connector, err = mysql.NewConnector(config); err != nil {
			return fmt.Errorf("server's address and account: %w", err)
		}
		r.threads = append(r.threads, t)
	}
	return nil
}

// newRound has the workload set a thread up.
func (r *run) newRound(t *thread) (workload.Round, error) { return r.newSession(t.session) }

// ignores reports whether a round restarts after a server error that the user does not mind.
func (r *run) ignores(code int) bool {
	return r.trial.IgnoreAll || slices.Contains(r.trial.Ignore, code)
}

// fail notes what ended a thread out of turn.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = append(r.problems, err)
}

// breaks notes that the workload itself is at fault, once: all threads meet the same fault.
func (r *run) breaks(err *workload.BrokenError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.problems {
		if errors.As(known, new(*workload.BrokenError)) {
			return
		}
	}
	r.problems = append(r.problems, err)
}

// newEngine makes the engine of a burst and the tallies of its shards.
func (r *run) newEngine() (engine, error) {
	var e engine
	shards := 0
	if r.trial.engineName() == "goroutine" {
		g := newGoroutineEngine(r.address.Network(), r.address.String())
		e, shards = g, g.shards
	} else {
		cpus, usable := usableCPUs()
		for len(r.lags) < r.trial.loops(r.threadCount, usable) {
			r.lags = append(r.lags, newTimes())
		}
		l, err := newLoopEngine(r.address, r.trial.Poller, r.lags, cpus, r.threads[0].reconnectEvery != 0)
		if err != nil {
			return nil, err
		}
		e, shards = l, len(l.loops)
	}
	for len(r.tallies) < shards {
		t := newTally()
		if r.trial.engineName() == "goroutine" {
			t.mu = new(sync.Mutex)
		}
		r.tallies = append(r.tallies, t)
	}
	return e, nil
}

// oneBurst runs a burst and adds its times to the measure.
func (r *run) oneBurst(ctx context.Context) error {
	e, err := r.newEngine()
	if err != nil {
		return err
	}
	b := newBurst(r, e)
	for _, t := range r.threads {
		t.burst = b
	}
	stop := context.AfterFunc(ctx, func() {
		cause := fmt.Errorf("%w: %w", errAborted, context.Cause(ctx))
		r.aborted.Store(&cause)
		e.abort(cause)
	})
	watching, ended := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { b.watch(watching) })
	err = e.run(len(r.threads), func(i int, p place) { r.threads[i].work(p) })
	ended()
	watch.Wait()
	stop()
	r.add(b)
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w: %w", errAborted, cause)
	}
	return errors.Join(append([]error{err, b.failure()}, r.problems...)...)
}

// add adds a burst's times to the measure.
func (r *run) add(b *burst) {
	if b.cancelled {
		return
	}
	m := &r.measure
	m.Bursts++
	m.Elapsed += (b.end() - b.from).Seconds()
	m.ElapsedWithConnect += (b.end() - b.from + b.start - b.connecting).Seconds()
	m.FullConcurrency.Elapsed += b.window().Seconds()
	for _, t := range r.threads {
		m.FullConcurrency.Queries += t.inWindow
	}
	b.meter.addTo(&m.Client)
}
