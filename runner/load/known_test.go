package load_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/workload"
)

// TestKnownSleep: a statement that takes 20 ms by construction is measured as that, whatever the
// engine. A busy machine may add to it, so the bound above is on the lower half of the samples.
func TestKnownSleep(t *testing.T) {
	for _, engine := range engines {
		m := run(t, target(t, "socket"), sleeping("0.02"), load.Trial{Threads: 4, Queries: 25, LoadGen: engine.loadGen, Poller: engine.poller})
		if *m.Latency.Min < 0.020 || *m.Latency.Min > 0.021 {
			t.Errorf("%s: min %g s, want 20.0 to 21.0 ms", engine, *m.Latency.Min)
		}
		if *m.Latency.P50 < 0.020 || *m.Latency.P50 > 0.025 {
			t.Errorf("%s: p50 %g s", engine, *m.Latency.P50)
		}
		if m.Latency.P99 == nil || m.Latency.P999 != nil {
			t.Errorf("%s: 100 samples carry p99 and not p999: %v %v", engine, m.Latency.P99, m.Latency.P999)
		}
		if *m.Transaction.Mean < *m.Latency.Mean || m.Transaction.Count != 100 {
			t.Errorf("%s: transactions %+v", engine, m.Transaction)
		}
		if m.Elapsed < 25*0.02 || m.FullConcurrency.Elapsed > m.Elapsed || m.FullConcurrency.Queries > m.Queries {
			t.Errorf("%s: elapsed %g, full concurrency %+v", engine, m.Elapsed, m.FullConcurrency)
		}
	}
}

// TestKnownTail: one statement in a hundred takes 200 ms: p95 is far from it, p99 and the maximum
// show it.
func TestKnownTail(t *testing.T) {
	for _, engine := range engines {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			quick := s.Declare(workload.Statement{Type: "quick", SQL: "SELECT 1"})
			slow := s.Declare(workload.Statement{Type: "slow", SQL: "SELECT SLEEP(0.2)"})
			n := 0
			return func() error {
				h := quick
				if n++; n%50 == 0 { // twice in a hundred, so that p99 lies among them
					h = slow
				}
				_, err := s.Query(h, nil)
				return err
			}, nil
		})
		m := run(t, target(t, "socket"), w, load.Trial{Threads: 4, Queries: 200, LoadGen: engine.loadGen, Poller: engine.poller})
		if *m.Latency.P95 > 0.1 || *m.Latency.P99 < 0.2 || *m.Latency.Max < *m.Latency.P99 {
			t.Errorf("%s: p95 %g, p99 %g, max %g", engine, *m.Latency.P95, *m.Latency.P99, *m.Latency.Max)
		}
		for _, typ := range m.Types {
			if want := map[string]int64{"quick": 784, "slow": 16}[typ.Type]; typ.Queries != want {
				t.Errorf("%s: %d of %s, want %d", engine, typ.Queries, typ.Type, want)
			}
		}
	}
}

// TestOpenLoopKeepsRate: when the server can follow, the achieved rate is the asked one, in both
// distributions, and latency has no queue in it.
func TestOpenLoopKeepsRate(t *testing.T) {
	for _, engine := range engines {
		for _, arrivals := range []string{"uniform", "poisson"} {
			const rate, seconds = 500, 2
			m := run(t, target(t, "socket"), rounds(pointSelect), load.Trial{Threads: 16, Time: seconds * time.Second, Rate: rate, Arrivals: arrivals, LoadGen: engine.loadGen, Poller: engine.poller, Seed: 5})
			got := float64(m.Queries+m.Late+m.Dropped) / seconds
			tolerance := 0.01 * rate // evenly spaced, the number is given
			if arrivals == "poisson" {
				// Four deviations of the number of arrivals.
				tolerance = 4 * math.Sqrt(rate*seconds) / seconds
			}
			if math.Abs(got-rate) > tolerance {
				t.Errorf("%s, %s: %g rounds/s, want %d", engine, arrivals, got, rate)
			}
			if m.Dropped+m.Late > m.Queries/20 {
				t.Errorf("%s, %s: late %d, dropped %d of %d", engine, arrivals, m.Late, m.Dropped, m.Queries)
			}
		}
	}
}

// TestRateOfABillion: a rate that no server reaches costs no time after the trial, and every round
// that was due is either answered or dropped.
func TestRateOfABillion(t *testing.T) {
	for _, engine := range engines {
		began := time.Now()
		m := run(t, target(t, "socket"), rounds(pointSelect), load.Trial{Threads: 2, Time: time.Second, Rate: 1e9, Arrivals: "poisson", LoadGen: engine.loadGen, Poller: engine.poller, Seed: 5})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: a trial of a second took %s", engine, took)
		}
		if due := float64(m.Queries + m.Late + m.Dropped); math.Abs(due-1e9) > 5*math.Sqrt(1e9) {
			t.Errorf("%s: answered %d, late %d, dropped %d: want a billion in all", engine, m.Queries, m.Late, m.Dropped)
		}
	}
}

// TestOpenLoopChargesQueue: when the server cannot follow, latency counts from the intended start:
// it grows with the queue, and what could not be sent is reported. 4 threads of 20 ms serve 200
// rounds/s, half of what comes.
func TestOpenLoopChargesQueue(t *testing.T) {
	for _, engine := range engines {
		trial := load.Trial{Threads: 4, Time: time.Second, Rate: 400, Arrivals: "uniform", LoadGen: engine.loadGen, Poller: engine.poller}
		m := run(t, target(t, "socket"), sleeping("0.02"), trial)
		if total := m.Queries + m.Late + m.Dropped; total < 395 || total > 400 {
			t.Errorf("%s: answered %d, late %d, dropped %d: want 400 in all", engine, m.Queries, m.Late, m.Dropped)
		}
		if m.Queries > 200 || m.Dropped < 150 {
			t.Errorf("%s: answered %d, dropped %d", engine, m.Queries, m.Dropped)
		}
		// The last one that is served has waited about half a second; without the queue all would
		// take 20 ms.
		if *m.Latency.Max < 0.35 || *m.Latency.P50 < 0.15 {
			t.Errorf("%s: p50 %g, max %g: the queue is not in it", engine, *m.Latency.P50, *m.Latency.Max)
		}
		trial.Rate, trial.Arrivals = 0, ""
		closed := run(t, target(t, "socket"), sleeping("0.02"), trial)
		if *closed.Latency.P50 > *m.Latency.P50/2 {
			t.Errorf("%s: closed loop p50 %g, open loop %g", engine, *closed.Latency.P50, *m.Latency.P50)
		}
	}
}

// TestEnginesAgree: all engines count the same; their latencies are of one size.
func TestEnginesAgree(t *testing.T) {
	p50 := make([]float64, len(engines))
	for i, engine := range engines {
		m := run(t, target(t, "socket"), mixed{}, load.Trial{Threads: 4, Queries: 300, LoadGen: engine.loadGen, Poller: engine.poller, Seed: 9})
		if m.Transactions != 1200 {
			t.Errorf("%s: %d rounds", engine, m.Transactions)
		}
		p50[i] = *m.Latency.P50
		if m.Client.Engine != engine.loadGen || m.Client.Poller != string(engine.poller) || m.Client.CPUSeconds() <= 0 || (m.Client.LoopBusy != nil) != (engine.loadGen == "loop") {
			t.Errorf("%s: %+v", engine, m.Client)
		}
	}
	if ratio := slices.Max(p50) / slices.Min(p50); ratio > 5 {
		t.Errorf("p50 of %v: %v", engines, p50)
	}
}

// TestTimedTrial: the clock runs from the barrier to the deadline; what ends later is apart;
// ramp-up is not measured.
func TestTimedTrial(t *testing.T) {
	for _, engine := range engines {
		m := run(t, target(t, "socket"), sleeping("0.6"), load.Trial{Threads: 2, Time: time.Second, LoadGen: engine.loadGen, Poller: engine.poller})
		if m.Elapsed != 1 || m.Queries != 2 || m.Late != 2 || m.Transactions != 2 || m.Latency.Count != 4 {
			t.Errorf("%s: elapsed=%g queries=%d late=%d transactions=%d", engine, m.Elapsed, m.Queries, m.Late, m.Transactions)
		}
		m = run(t, target(t, "socket"), sleeping("0.7"), load.Trial{Threads: 2, RampUp: 1100 * time.Millisecond, Time: 800 * time.Millisecond, LoadGen: engine.loadGen, Poller: engine.poller})
		if math.Abs(m.Elapsed-0.8) > 1e-9 || m.Queries != 0 || m.Unmeasured != 4 || m.Late != 2 {
			t.Errorf("%s, ramp-up: elapsed=%g queries=%d unmeasured=%d late=%d", engine, m.Elapsed, m.Queries, m.Unmeasured, m.Late)
		}
	}
}

// TestBursts: a small trial repeats its burst until its clocks add up to the least time, connecting
// anew each time.
func TestBursts(t *testing.T) {
	for _, engine := range engines {
		m := run(t, target(t, "socket"), sleeping("0.02"), load.Trial{Threads: 2, Queries: 2, MinTime: 100 * time.Millisecond, LoadGen: engine.loadGen, Poller: engine.poller})
		if m.Bursts < 2 || m.Bursts > 3 || m.Elapsed < 0.1 || m.Connects.Count != int64(2*m.Bursts) || m.Queries != int64(4*m.Bursts) {
			t.Errorf("%s: bursts=%d elapsed=%g connects=%d queries=%d", engine, m.Bursts, m.Elapsed, m.Connects.Count, m.Queries)
		}
	}
}

// TestThinkAndSleep: both wait; sleep is inside the round's time, think is not, and neither is in a
// statement's.
func TestThinkAndSleep(t *testing.T) {
	for _, engine := range engines {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			h := s.Declare(workload.Statement{Type: "one", SQL: "SELECT 1"})
			return func() error {
				if err := s.Think(50 * time.Millisecond); err != nil {
					return err
				}
				if err := s.Sleep(20 * time.Millisecond); err != nil {
					return err
				}
				s.Interaction("visit")
				_, err := s.Query(h, nil)
				return err
			}, nil
		})
		m := run(t, target(t, "socket"), w, load.Trial{Threads: 2, Queries: 3, LoadGen: engine.loadGen, Poller: engine.poller})
		if *m.Transaction.Min < 0.020 || *m.Transaction.Min > 0.050 || *m.Latency.Min > 0.020 || m.Elapsed < 3*0.07 {
			t.Errorf("%s: round %g, statement %g, elapsed %g", engine, *m.Transaction.Min, *m.Latency.Min, m.Elapsed)
		}
		if len(m.Interactions) != 1 || m.Interactions[0].Type != "visit" || m.Interactions[0].Queries != 6 {
			t.Errorf("%s: %+v", engine, m.Interactions)
		}
		// Time's up ends a long pause at once, and the round is nobody's fault.
		began := time.Now()
		long := rounds(func(s workload.Session) (workload.Round, error) {
			return func() error { return s.Think(time.Hour) }, nil
		})
		m = run(t, target(t, "socket"), long, load.Trial{Threads: 2, Time: 100 * time.Millisecond, LoadGen: engine.loadGen, Poller: engine.poller})
		if m.Errors != 0 || m.Transactions != 0 || time.Since(began) > 30*time.Second {
			t.Errorf("%s: errors=%d transactions=%d after %v", engine, m.Errors, m.Transactions, time.Since(began))
		}
	}
}

// TestSelect hands rows over, in the forms that the contract names, in both protocols.
func TestSelect(t *testing.T) {
	for _, prepared := range []bool{false, true} {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			h := s.Declare(workload.Statement{Type: "forms", SQL: "SELECT ?, CAST(7 AS UNSIGNED), 'text', NULL, 1.50, CAST(2.5 AS DOUBLE)"})
			return func() error {
				args := make(workload.Args, 1)
				args.SetInt(0, -5)
				return s.Select(h, args, func(row []any) error {
					text, _ := row[2].([]byte)
					decimal, _ := row[4].([]byte)
					if row[0] != int64(-5) || row[1] != int64(7) || string(text) != "text" || row[3] != nil || string(decimal) != "1.50" || row[5] != 2.5 {
						t.Errorf("prepared %v: %#v", prepared, row)
					}
					return nil
				})
			}, nil
		})
		if m := run(t, target(t, "socket"), w, load.Trial{Threads: 1, Queries: 2, Prepared: prepared}); m.Queries != 2 {
			t.Errorf("queries=%d", m.Queries)
		}
	}
}
