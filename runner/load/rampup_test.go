package load_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/workload"
)

// edgeTimes notes when it is told of the edges of a window.
type edgeTimes struct {
	mu    sync.Mutex
	begin []time.Time
	end   []time.Time
}

func (e *edgeTimes) WindowBegins(context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.begin = append(e.begin, time.Now())
}

func (e *edgeTimes) LoadOn(login.Identity) {}

func (e *edgeTimes) WindowEnds(context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end = append(e.end, time.Now())
}

// TestRampUpIsInNoCount: after a ramp-up three times as long as the measured part, connects, errors
// and the load generator's cost are those of the measured part.
func TestRampUpIsInNoCount(t *testing.T) {
	const measured, rampUp = 400 * time.Millisecond, 1200 * time.Millisecond
	for _, engine := range engines {
		failing := rounds(func(s workload.Session) (workload.Round, error) {
			good := s.Declare(workload.Statement{Type: "good", SQL: "SELECT 1"})
			bad := s.Declare(workload.Statement{Type: "bad", SQL: "SELECT no_such_column"})
			return func() error {
				_, err := s.Query(good, nil)
				if err == nil && s.Rand().IntN(2) == 0 {
					_, err = s.Query(bad, nil)
				}
				return err
			}, nil
		})
		m := run(t, target(t, "socket"), failing, load.Trial{Threads: 4, Time: measured, RampUp: rampUp, Reconnect: "query",
			IgnoreAll: true, LoadGen: engine.loadGen, Poller: engine.poller})
		// A statement that fails keeps its connection, so the next one needs none.
		if d := m.Reconnects - m.Queries; d < -8 || d > 8 {
			t.Errorf("%s: %d connects and %d answers; want one connect for each", engine, m.Reconnects, m.Queries)
		}
		if m.Errors != m.Ignored || m.Errors != sum(m.ErrorsBy) {
			t.Errorf("%s: %d errors, %d ignored, %d by class; want them equal", engine, m.Errors, m.Ignored, sum(m.ErrorsBy))
		}
		if share := float64(m.Errors) / float64(m.Queries); share < 0.3 || share > 0.7 {
			t.Errorf("%s: %.2f errors for each answer; want about 0.5", engine, share)
		}
		if m.Client.Seconds < measured.Seconds()/2 || m.Client.Seconds > 2*measured.Seconds() {
			t.Errorf("%s: the cost covers %g s; want about %s", engine, m.Client.Seconds, measured)
		}
		if b := m.Client.LoopBusy; b != nil && *b > 1 {
			t.Errorf("%s: loop %g busy", engine, *b)
		}
	}
}

// TestEdges: the edges come once each, at the measured part's two ends; a trial without a ramp-up
// has no first one, and one that ends before its deadline has no second one.
func TestEdges(t *testing.T) {
	const measured, rampUp = 300 * time.Millisecond, 300 * time.Millisecond
	for _, engine := range engines {
		edges := &edgeTimes{}
		began := time.Now()
		run(t, target(t, "socket"), sleeping("0.5"), load.Trial{Threads: 3, Time: measured, RampUp: rampUp, Edges: edges, LoadGen: engine.loadGen, Poller: engine.poller})
		if len(edges.begin) != 1 || len(edges.end) != 1 || edges.begin[0].Sub(began) < rampUp {
			t.Fatalf("%s: edges at %v and %v after a start at %v", engine, edges.begin, edges.end, began)
		}
		if length := edges.end[0].Sub(edges.begin[0]); length < measured/2 || length > 2*measured {
			t.Errorf("%s: %s between the edges; want about %s", engine, length, measured)
		}
		edges = &edgeTimes{}
		run(t, target(t, "socket"), sleeping("0.01"), load.Trial{Threads: 3, Queries: 5, Edges: edges, LoadGen: engine.loadGen, Poller: engine.poller})
		if len(edges.begin)+len(edges.end) > 0 {
			t.Errorf("%s: edges %v, %v of a trial that ends by its rounds", engine, edges.begin, edges.end)
		}
	}
}

// TestThreadLostInRampUp: a fault of the ramp-up that ends a thread is counted, because the
// measured part misses the thread.
func TestThreadLostInRampUp(t *testing.T) {
	broken := rounds(func(s workload.Session) (workload.Round, error) {
		h := s.Declare(workload.Statement{Type: "point", SQL: "SELECT 1"})
		return func() error {
			if s.Thread() == 0 {
				return errors.New("no such row")
			}
			_, err := s.Query(h, nil)
			return err
		}, nil
	})
	for _, engine := range engines {
		m := run(t, target(t, "socket"), broken, load.Trial{Threads: 2, Time: 200 * time.Millisecond, RampUp: 300 * time.Millisecond, LoadGen: engine.loadGen, Poller: engine.poller})
		if m.Errors != 1 || sum(m.ErrorsBy) != 1 || m.Queries == 0 {
			t.Errorf("%s: %d errors %+v, %d queries; want one error", engine, m.Errors, m.ErrorsBy, m.Queries)
		}
	}
}

// TestOpenLoopAboveCapacity: two threads and a statement of 100 ms answer 20 a second. Asked for
// 40, they are behind when the ramp-up ends, and the rate is still that of the answers; their
// latency counts from when they were due.
func TestOpenLoopAboveCapacity(t *testing.T) {
	for _, engine := range engines {
		for _, rampUp := range []time.Duration{0, time.Second} {
			m := run(t, target(t, "socket"), sleeping("0.1"), load.Trial{Threads: 2, Time: 2 * time.Second, RampUp: rampUp,
				Rate: 40, Arrivals: "uniform", LoadGen: engine.loadGen, Poller: engine.poller})
			rates := []*float64{m.QueriesPerSecond(), m.TransactionsPerSecond()}
			if slices.Contains(rates, nil) || *rates[0] < 15 || *rates[0] > 21 || *rates[1] < 15 || *rates[1] > 21 {
				t.Errorf("%s, ramp-up %s: %d queries, %d transactions in %g s; want 18 to 20 a second", engine, rampUp, m.Queries, m.Transactions, m.Elapsed)
			}
			// After t seconds the answer is to what was due at t/2.
			if least := rampUp.Seconds() / 2; m.Latency.P50 == nil || *m.Latency.P50 < least+0.2 || *m.Latency.Min < least {
				t.Errorf("%s, ramp-up %s: latency %+v; want the queue in it", engine, rampUp, m.Latency)
			}
			if m.Unmeasured == 0 != (rampUp == 0) {
				t.Errorf("%s, ramp-up %s: %d answers unmeasured", engine, rampUp, m.Unmeasured)
			}
		}
	}
}
