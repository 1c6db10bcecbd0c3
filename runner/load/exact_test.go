package load_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// mixed is a workload of reads, transactions, statements that fail, and texts of the moment, drawn
// at random.
type mixed struct {
	failing bool // some statements fail
	raw     bool // some statements are texts of the moment
}

func (m mixed) Tables() []workload.Table { return nil }

func (m mixed) Thread(s workload.Session) (workload.Round, error) {
	read := s.Declare(workload.Statement{Type: "read", Kind: workload.Read, SQL: "SELECT word FROM numbers WHERE id BETWEEN ? AND ? + 3"})
	write := s.Declare(workload.Statement{Type: "write", Kind: workload.Write, SQL: "UPDATE numbers SET word=? WHERE id=?"})
	double := s.Declare(workload.Statement{Type: "double", Kind: workload.Write, SQL: "INSERT INTO numbers VALUES (?, 'double')"})
	moment := s.Declare(workload.Statement{Type: "moment", Kind: workload.Read, SQL: "SELECT 1"})
	args := make(workload.Args, 2)
	random := s.Rand()
	reading := func() error {
		id := 1 + random.Int64N(900)
		args.SetInt(0, id)
		args.SetInt(1, id)
		n, err := s.Query(read, args)
		if err == nil && n != 4 {
			err = fmt.Errorf("%d rows, want 4", n)
		}
		return err
	}
	return func() error {
		switch k := random.IntN(10); {
		case k < 4:
			return reading()
		case k < 6 && m.raw:
			_, err := s.Raw(moment, "SELECT id FROM numbers LIMIT 2")
			return err
		case k < 7 && m.failing:
			args.SetInt(0, 1)
			_, err := s.Exec(double, args[:1])
			return err
		}
		// Rows of a thread's own, so that no deadlocks come up; one row is written by its id.
		if err := s.Begin(); err != nil {
			return err
		}
		args.SetText(0, "by thread")
		args.SetInt(1, int64(1+s.Thread()))
		if _, err := s.Exec(write, args); err != nil {
			return err
		}
		if err := reading(); err != nil {
			return err
		}
		return s.Commit()
	}, nil
}

// observe returns the server's counters, once none but the observer is connected and they stand
// still: a server takes note of a goodbye in its own time, first in one counter, then in others.
func observe(t *testing.T, s *server.Server) server.Counters {
	t.Helper()
	last := -1.0
	for began := time.Now(); ; time.Sleep(3 * time.Millisecond) {
		c, err := s.Counters(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c["Questions"] -= float64(s.Statements()) // the observer's own
		if c["Threads_connected"] == 1 && c["Questions"] == last {
			return c
		}
		last = c["Questions"]
		if time.Since(began) > time.Minute {
			t.Fatalf("%g connections are left", c["Threads_connected"])
		}
	}
}

// TestExactCounts: what a trial counts is what the server counts, to the statement, over 100 random
// small trials of each engine: both protocols, all ways to end, with and without errors and
// reconnects.
func TestExactCounts(t *testing.T) {
	s := testServer(t)
	random := rand.New(rand.NewPCG(2, 3))
	for i := range 100 * len(engines) {
		trial := load.Trial{
			Threads: 1 + random.IntN(8), Prepared: random.IntN(2) == 0, Seed: uint64(i),
			LoadGen: engines[i%len(engines)].loadGen, Poller: engines[i%len(engines)].poller, Loops: random.IntN(3), ConnectParallel: random.IntN(4),
			Reconnect: []string{"never", "never", "query", "round", "3"}[random.IntN(5)],
		}
		switch random.IntN(5) {
		case 0:
			trial.Events = 1 + random.Int64N(60)
		case 1:
			trial.Time = time.Duration(1+random.IntN(30)) * time.Millisecond
		case 2:
			trial.Time, trial.RampUp = 10*time.Millisecond, 10*time.Millisecond
		default:
			trial.Queries = 1 + random.IntN(20)
			trial.MinTime = time.Duration(random.IntN(20)) * time.Millisecond
		}
		if random.IntN(4) == 0 {
			trial.Rate, trial.Arrivals = 500+1e4*random.Float64(), []string{"poisson", "uniform"}[random.IntN(2)]
		}
		w := mixed{failing: random.IntN(2) == 0, raw: random.IntN(2) == 0}
		before := observe(t, s)
		m, err := load.Run(t.Context(), target(t, []string{"socket", "tcp"}[random.IntN(2)]), w, trial)
		if err != nil {
			t.Fatalf("%+v: %v", trial, err)
		}
		after := observe(t, s)
		compare(t, fmt.Sprintf("trial %d %+v %+v", i, trial, w), trial, m, after.Delta(before))
		if t.Failed() {
			return
		}
	}
}

// compare holds a measure against the server's counters.
func compare(t *testing.T, name string, trial load.Trial, m result.Measure, server server.Counters) {
	t.Helper()
	sent := m.Queries + m.Late + m.Unmeasured + m.ServerErrors
	check := func(what string, got, want int64) {
		if got != want {
			t.Errorf("%s: %s %d, want %d\n%+v", name, what, got, want, m.ErrorsBy)
		}
	}
	check("preparations of the server", int64(server["Com_stmt_prepare"]), m.Prepared)
	check("questions of the server", int64(server["Questions"]), m.Questions())
	asText := int64(0) // whatever the protocol
	byType := map[string]int64{}
	for _, typ := range m.Types {
		byType[typ.Type] = typ.Latency.Count + typ.Errors
		if slices.Contains([]string{"moment", "begin", "commit", "rollback"}, typ.Type) {
			asText += byType[typ.Type]
		}
	}
	if m.Unmeasured == 0 {
		check("SELECTs of the server", int64(server["Com_select"]), byType["read"]+byType["moment"])
		check("statements by type", byType["read"]+byType["write"]+byType["double"]+byType["moment"]+byType["begin"]+byType["commit"]+byType["rollback"], sent)
		if trial.Prepared {
			check("executions of the server", int64(server["Com_stmt_execute"]), sent-asText)
		}
	}
	check("all errors by class", sum(m.ErrorsBy), m.Errors)
	check("reads, writes and others", m.Reads+m.Writes+m.Others, m.Queries)
	check("latencies", m.Latency.Count, m.Queries+m.Late)
	if trial.Reconnect == "query" {
		check("connects inside the clock", m.Connects.Count, m.Reconnects)
	}
	if trial.Queries > 0 && trial.Rate == 0 {
		rounds := int64(trial.Threads * trial.Queries * m.Bursts)
		check("good rounds and failed ones", m.Transactions+m.Errors, rounds)
	}
}

func sum(list []result.ErrorCount) (n int64) {
	for _, e := range list {
		n += e.Count
	}
	return n
}

// TestKilledStatement: a statement that somebody else kills is an error with its class, not a fast
// answer; with KILL QUERY the thread goes on, with KILL its work ends.
func TestKilledStatement(t *testing.T) {
	other, err := testServer(t).Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, engine := range engines {
		for _, kill := range []string{"KILL QUERY", "KILL CONNECTION"} {
			statementOnly := kill == "KILL QUERY"
			ids := make(chan uint32, 1)
			w := rounds(func(s workload.Session) (workload.Round, error) {
				id := s.Declare(workload.Statement{Type: "id", SQL: "SELECT CONNECTION_ID()"})
				sleep := s.Declare(workload.Statement{Type: "sleep", SQL: "SELECT word FROM numbers WHERE id=1 AND SLEEP(20)=0"})
				first := true
				return func() error {
					if !first {
						_, err := s.Query(id, nil)
						return err
					}
					first = false
					err := s.Select(id, nil, func(row []any) error { ids <- uint32(row[0].(int64)); return nil })
					if err != nil {
						return err
					}
					_, err = s.Query(sleep, nil)
					return err
				}, nil
			})
			go func() {
				id := <-ids
				time.Sleep(50 * time.Millisecond)
				if _, err := other.ExecContext(context.Background(), fmt.Sprintf("%s %d", kill, id)); err != nil {
					t.Error(err)
				}
			}()
			m := run(t, target(t, "socket"), w, load.Trial{Threads: 1, Queries: 4, LoadGen: engine.loadGen, Poller: engine.poller})
			wantGood, wantClass := int64(4), "1317 ER_QUERY_INTERRUPTED"
			if !statementOnly {
				wantGood = 1
			}
			if m.Queries != wantGood || m.Errors != 1 || m.Latency.Count != wantGood || *m.Latency.Max > 10 {
				t.Errorf("%s: queries=%d errors=%d latencies=%d", engine, m.Queries, m.Errors, m.Latency.Count)
			}
			if statementOnly && m.ErrorsBy[0].Class != wantClass {
				t.Errorf("%s: %+v", engine, m.ErrorsBy)
			}
		}
	}
}

// TestDeadlock: a deadlock's victim begins its round anew, within the same round's time, and is
// counted.
func TestDeadlock(t *testing.T) {
	for _, engine := range engines {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			write := s.Declare(workload.Statement{Type: "write", Kind: workload.Write, SQL: "UPDATE numbers SET word='d' WHERE id=?"})
			args := make(workload.Args, 1)
			return func() error {
				if err := s.Begin(); err != nil {
					return err
				}
				for _, id := range []int{1 + s.Thread()%2, 2 - s.Thread()%2} {
					args.SetInt(0, int64(500+id))
					if _, err := s.Exec(write, args); err != nil {
						return err
					}
				}
				return s.Commit()
			}, nil
		})
		m := run(t, target(t, "socket"), w, load.Trial{Threads: 4, Queries: 200, LoadGen: engine.loadGen, Poller: engine.poller, Seed: 1})
		if m.Transactions != 800 {
			t.Errorf("%s: %d rounds ended well, want 800: %+v", engine, m.Transactions, m.ErrorsBy)
		}
		if m.Deadlocks == 0 || m.Deadlocks != m.Errors || m.ErrorsBy[0].Class != "1213 ER_LOCK_DEADLOCK" {
			t.Errorf("%s: deadlocks=%d errors=%d %+v", engine, m.Deadlocks, m.Errors, m.ErrorsBy)
		}
		if m.Transaction.Count != 800 {
			t.Errorf("%s: %d times of rounds", engine, m.Transaction.Count)
		}
	}
}

// TestTooFewConnections: the trial fails with the numbers and the server's reason, and leaves no
// connection; so it does when the connections at its start only show that there is room.
func TestTooFewConnections(t *testing.T) {
	s := testServer(t)
	for _, engine := range engines {
		for _, reconnect := range []string{"never", "query"} {
			before := observe(t, s)
			trial := load.Trial{Threads: 300, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, ConnectParallel: 8, Reconnect: reconnect}
			m, err := load.Run(t.Context(), target(t, "socket"), rounds(pointSelect), trial)
			if err == nil || !strings.HasPrefix(err.Error(), "needs 300, got ") || !strings.Contains(err.Error(), "Too many connections") {
				t.Errorf("%s, reconnect %s: %v", engine, reconnect, err)
			}
			if m.Queries != 0 || m.Bursts != 0 {
				t.Errorf("%s, reconnect %s: ran all the same: queries=%d", engine, reconnect, m.Queries)
			}
			after := observe(t, s)
			if d := after.Delta(before); d["Com_select"] != 0 {
				t.Errorf("%s, reconnect %s: %g SELECTs", engine, reconnect, d["Com_select"])
			}
		}
	}
}

// TestSessionSettings: variables of the config are set by each session with one statement of its
// own, outside of the connects' times and the clock, and counted.
func TestSessionSettings(t *testing.T) {
	s := testServer(t)
	for _, engine := range engines {
		for _, reconnect := range []string{"never", "round"} {
			to := target(t, "socket")
			to.Config.Params = map[string]string{"sql_select_limit": "1", "autocommit": "1"}
			limited := rounds(func(s workload.Session) (workload.Round, error) {
				h := s.Declare(workload.Statement{Type: "limited", Kind: workload.Read, SQL: "SELECT id FROM numbers"})
				return func() error {
					n, err := s.Query(h, nil)
					if err == nil && n != 1 {
						err = fmt.Errorf("%d rows: the variable is not set", n)
					}
					return err
				}, nil
			})
			before := observe(t, s)
			m := run(t, to, limited, load.Trial{Threads: 3, Queries: 4, Reconnect: reconnect, LoadGen: engine.loadGen, Poller: engine.poller})
			counted := observe(t, s).Delta(before)
			want := int64(3)
			if reconnect == "round" {
				want += 3 * 4
			}
			if m.Queries != 12 || m.Errors != 0 || m.SessionSets != want || counted["Com_set_option"] != float64(want) {
				t.Errorf("%s, %s: queries=%d errors=%d sets=%d, the server counted %g, want %d: %v", engine, reconnect, m.Queries, m.Errors, m.SessionSets,
					counted["Com_set_option"], want, m.ErrorsBy)
			}
		}
	}
}
