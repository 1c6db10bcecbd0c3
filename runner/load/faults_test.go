package load_test

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/workload"
)

// proxied puts a faulty network between load and server: after the given number of connections
// passed the greeting, break is called for each with both ends and may do what it likes instead of
// copying.
func proxied(t *testing.T, spoil func(client, server net.Conn)) load.Target {
	t.Helper()
	to := target(t, "socket")
	path := filepath.Join(t.TempDir(), "proxy.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				server, err := net.Dial("unix", to.Config.Addr)
				if err != nil {
					return
				}
				defer server.Close()
				spoil(client, server)
			}()
		}
	}()
	through := to.Config.Clone()
	through.Addr = path
	return load.Target{Config: through}
}

// pass copies both ways until one side ends, or until so many bytes have gone to the client (0 = no
// end).
func pass(client, server net.Conn, most int64) {
	go io.Copy(server, client)
	if most == 0 {
		io.Copy(client, server)
		return
	}
	io.CopyN(client, server, most)
}

// TestFaultyServers: one connection that hangs, closes, resets or talks nonsense loses its own
// thread's work only, is counted by class, is in no latency, and holds up nobody.
func TestFaultyServers(t *testing.T) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for _, c := range []struct {
		name  string
		class string
		spoil func(client, server net.Conn)
	}{
		{"hangs", "timeout", func(client, server net.Conn) { <-hang }},
		{"closes", "closed", func(client, server net.Conn) {}},
		{"talks nonsense", "garbage", func(client, server net.Conn) {
			io.WriteString(client, "\x08\x00\x00\x07nonsense") // a packet out of turn
			io.Copy(io.Discard, client)
		}},
		{"sends a header without a body", "closed", func(client, server net.Conn) { client.Write([]byte{1, 0, 0, 1}) }},
		{"sends a truncated packet", "garbage", func(client, server net.Conn) {
			client.Write([]byte{1, 0, 0, 1, 0})
			io.Copy(io.Discard, client)
		}},
	} {
		for _, engine := range engines {
			bad := make(chan struct{}, 1)
			bad <- struct{}{} // the first connection takes it
			to := proxied(t, func(client, server net.Conn) {
				select {
				case <-bad:
				default:
					pass(client, server, 0)
					return
				}
				// The log-in and five answers pass, then it happens.
				done := make(chan struct{})
				go func() { defer close(done); answerFive(client, server) }()
				<-done
				c.spoil(client, server)
			})
			trial := load.Trial{Threads: 4, Queries: 50, LoadGen: engine.loadGen, Poller: engine.poller, ConnectParallel: 1, QueryTimeout: 300 * time.Millisecond, Seed: 1}
			began := time.Now()
			m, err := load.Run(t.Context(), to, rounds(pointSelect), trial)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, engine, err)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s, %s: took %v", c.name, engine, took)
			}
			if m.Queries != 155 || m.Errors != 1 || m.ServerErrors != 0 || m.Latency.Count != 155 {
				t.Errorf("%s, %s: queries=%d errors=%d server errors=%d latencies=%d", c.name, engine, m.Queries, m.Errors, m.ServerErrors, m.Latency.Count)
			}
			if len(m.ErrorsBy) != 1 || m.ErrorsBy[0].Class != c.class {
				t.Errorf("%s, %s: %+v, want %s", c.name, engine, m.ErrorsBy, c.class)
			}
			if m.Latency.Max != nil && *m.Latency.Max >= 0.3 {
				t.Errorf("%s, %s: a latency of %g s", c.name, engine, *m.Latency.Max)
			}
		}
	}
}

// answerFive passes a log-in and five statements of the workload with their answers, each read as
// one piece, and keeps the sixth statement. The load generator's question which server it is on
// passes too.
func answerFive(client, server net.Conn) {
	piece := make([]byte, 64<<10)
	one := func(from, to net.Conn) string {
		n, err := from.Read(piece)
		if err == nil && to != nil {
			to.Write(piece[:n])
		}
		return string(piece[:n])
	}
	one(server, client) // greeting
	one(client, server) // log-in
	one(server, client) // OK
	for left := 5; left > 0; {
		if !strings.Contains(one(client, server), "SHOW GLOBAL") {
			left--
		}
		one(server, client)
	}
	one(client, nil)
}

// sleeping waits in the server.
func sleeping(seconds string) rounds {
	return func(s workload.Session) (workload.Round, error) {
		h := s.Declare(workload.Statement{Type: "sleep", SQL: "SELECT SLEEP(" + seconds + ")"})
		return func() error { _, err := s.Query(h, nil); return err }, nil
	}
}

// TestHungStatement: at the limit the statement is ended in the server too, by KILL; when the
// trial's own limit or its context ends it, the same.
func TestHungStatement(t *testing.T) {
	s := testServer(t)
	for _, engine := range engines {
		for _, c := range []struct {
			name   string
			trial  load.Trial
			cancel bool
			class  string
			want   string // the trial's error, "" for none
		}{
			{"query timeout", load.Trial{QueryTimeout: 200 * time.Millisecond}, false, "timeout", ""},
			{"trial timeout", load.Trial{Timeout: 300 * time.Millisecond}, false, "aborted", "limit of 300ms was reached"},
			{"cancelled", load.Trial{}, true, "aborted", "cut off: context canceled"},
		} {
			c.trial.Threads, c.trial.Queries, c.trial.LoadGen, c.trial.Poller = 3, 2, engine.loadGen, engine.poller
			ctx, cancel := context.WithCancel(t.Context())
			if c.cancel {
				time.AfterFunc(300*time.Millisecond, cancel)
			}
			began := time.Now()
			m, err := load.Run(ctx, target(t, "socket"), sleeping("30"), c.trial)
			cancel()
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%s, %s: took %v", c.name, engine, took)
			}
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", c.name, engine, err)
			}
			if m.Errors != 3 || m.Queries != 0 || m.Latency.Count != 0 || m.ErrorsBy[0].Class != c.class {
				t.Errorf("%s, %s: errors=%d queries=%d %+v", c.name, engine, m.Errors, m.Queries, m.ErrorsBy)
			}
			// Waits until none but the observer is connected: long before 30 s are over.
			observe(t, s)
		}
	}
}

// TestAbortWhileReconnecting: what was never tried is no error, so a cut-off trial has at most one
// for each thread.
func TestAbortWhileReconnecting(t *testing.T) {
	for _, engine := range engines {
		for _, every := range []string{"query", "round", "3"} {
			trial := load.Trial{Threads: 4, Time: time.Minute, Reconnect: every, LoadGen: engine.loadGen, Poller: engine.poller, Timeout: 500 * time.Millisecond}
			m, err := load.Run(t.Context(), target(t, "socket"), rounds(pointSelect), trial)
			if err == nil || !strings.Contains(err.Error(), "limit of 500ms was reached") {
				t.Errorf("%s, %s: %v", engine, every, err)
			}
			if m.Errors > 4 || m.Queries == 0 {
				t.Errorf("%s, %s: %d errors, %d queries: %+v", engine, every, m.Errors, m.Queries, m.ErrorsBy)
			}
		}
	}
}

// TestNothingAnswersAnyMore: a way to the server on which logins still pass and no statement does
// holds nothing up, neither the trial nor the KILL of what hangs.
func TestNothingAnswersAnyMore(t *testing.T) {
	for _, engine := range engines {
		var dead atomic.Bool
		to := proxied(t, func(client, server net.Conn) {
			go io.Copy(client, server)
			piece := make([]byte, 64<<10)
			for first := true; ; first = false {
				n, err := client.Read(piece)
				if err != nil {
					return
				}
				if first || !dead.Load() {
					server.Write(piece[:n])
				}
			}
		})
		time.AfterFunc(500*time.Millisecond, func() { dead.Store(true) })
		began := time.Now()
		trial := load.Trial{Threads: 3, Time: 20 * time.Second, LoadGen: engine.loadGen, Poller: engine.poller, QueryTimeout: 300 * time.Millisecond}
		m, err := load.Run(t.Context(), to, rounds(pointSelect), trial)
		if took := time.Since(began); err != nil || m.Errors != 3 || took > 18*time.Second {
			t.Errorf("%s: %d errors after %v, %v", engine, m.Errors, took, err)
		}
	}
}

// TestPanics: a panic of the workload is the trial's error, with its place, and the other threads
// finish.
func TestPanics(t *testing.T) {
	for _, engine := range engines {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			round, err := pointSelect(s)
			return func() error {
				if s.Thread() == 1 {
					panic("oh dear")
				}
				return round()
			}, err
		})
		m, err := load.Run(t.Context(), target(t, "socket"), w, load.Trial{Threads: 3, Queries: 10, LoadGen: engine.loadGen, Poller: engine.poller})
		if err == nil || !strings.Contains(err.Error(), "panic in thread 1: oh dear") || !strings.Contains(err.Error(), "faults_test.go") {
			t.Errorf("%s: %v", engine, err)
		}
		if m.Queries != 20 {
			t.Errorf("%s: %d queries, want 20", engine, m.Queries)
		}
	}
}

// TestNobodyThere: why no connection came about is in the error.
func TestNobodyThere(t *testing.T) {
	missing := target(t, "socket")
	missing.Config.Addr = filepath.Join(t.TempDir(), "missing.sock")
	denied := target(t, "socket")
	denied.Config.User, denied.Config.Passwd = "nobody", "x"
	nonsense := proxied(t, func(client, server net.Conn) {
		io.WriteString(client, "\x05\x00\x00\x00\x0a5.5\x00") // a greeting that ends too soon
		io.Copy(io.Discard, client)
	})
	silent := proxied(t, func(client, server net.Conn) { io.Copy(io.Discard, client) })
	for _, engine := range engines {
		for _, c := range []struct {
			to   load.Target
			want string
		}{
			{missing, "no such file or directory"},
			{denied, "Access denied"},
			{nonsense, "no MySQL packet"},
			{silent, "timeout"},
		} {
			_, err := load.Run(t.Context(), c.to, rounds(pointSelect), load.Trial{Threads: 2, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, ConnectTimeout: 300 * time.Millisecond})
			if err == nil || !strings.HasPrefix(err.Error(), "needs 2, got 0: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", engine, err, c.want)
			}
		}
	}
}

// TestAllFails: a trial in which every statement fails ends, and has no figures.
func TestAllFails(t *testing.T) {
	for _, engine := range engines {
		w := rounds(func(s workload.Session) (workload.Round, error) {
			h := s.Declare(workload.Statement{Type: "wrong", SQL: "SELECT nothing FROM nowhere"})
			return func() error { _, err := s.Query(h, nil); return err }, nil
		})
		m := run(t, target(t, "socket"), w, load.Trial{Threads: 2, Time: time.Hour, LoadGen: engine.loadGen, Poller: engine.poller})
		if m.Queries != 0 || m.Errors != 200 || m.ServerErrors != 200 || m.Latency.Mean != nil || m.Latency.P50 != nil || m.QueriesPerSecond() != nil {
			t.Errorf("%s: %+v", engine, m)
		}
		if m.ErrorsBy[0].Class != "1146 ER_NO_SUCH_TABLE" || !strings.HasPrefix(m.ErrorsBy[0].Example, "wrong: ") {
			t.Errorf("%s: %+v", engine, m.ErrorsBy)
		}
	}
}

// TestBurstsThatFail: bursts are not repeated when one had no good round. Answered time alone ends
// such a trial, so it would never come.
func TestBurstsThatFail(t *testing.T) {
	for _, engine := range engines {
		for _, c := range []struct {
			name  string
			w     rounds
			class string
		}{
			{"missing table", failing("SELECT a FROM test.nowhere WHERE id=7"), "1146 ER_NO_SUCH_TABLE"},
			{"missing column", failing("UPDATE numbers SET nothing=1"), "1054 ER_BAD_FIELD_ERROR"},
			{"workload", func(workload.Session) (workload.Round, error) {
				return func() error { return errors.New("no sale") }, nil
			}, "workload"},
		} {
			trial := load.Trial{Threads: 2, Queries: 3, MinTime: time.Hour, Timeout: 20 * time.Second, LoadGen: engine.loadGen, Poller: engine.poller}
			m, err := load.Run(t.Context(), target(t, "socket"), c.w, trial)
			if !errors.Is(err, load.ErrNoRound) || m.Bursts != 1 || m.Errors != 6 || m.Queries != 0 || m.ErrorsBy[0].Class != c.class {
				t.Errorf("%s, %s: %d bursts, %d errors %+v, %v", c.name, engine, m.Bursts, m.Errors, m.ErrorsBy, err)
			}
		}
		// It names what failed: the statement with its table, and the server's words.
		_, err := load.Run(t.Context(), target(t, "socket"), failing("SELECT a FROM test.nowhere WHERE id=7"), load.Trial{Threads: 2, Queries: 3, MinTime: time.Hour, Timeout: 20 * time.Second, LoadGen: engine.loadGen, Poller: engine.poller})
		for _, want := range []string{"burst 1: every round failed: failing: Error 1146", "'test.nowhere' doesn't exist", "(statement: SELECT a FROM test.nowhere WHERE id=7)"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", engine, err, want)
			}
		}
	}
}

// failing sends a statement that the server refuses.
func failing(sql string) rounds {
	return func(s workload.Session) (workload.Round, error) {
		h := s.Declare(workload.Statement{Type: "failing", Kind: workload.Read, SQL: sql})
		return func() error { _, err := s.Query(h, nil); return err }, nil
	}
}

// TestBurstsOfNothing: rounds that send no statement have no answered time, and end after one burst
// too.
func TestBurstsOfNothing(t *testing.T) {
	idle := rounds(func(workload.Session) (workload.Round, error) { return func() error { return nil }, nil })
	m, err := load.Run(t.Context(), target(t, "socket"), idle, load.Trial{Threads: 2, Queries: 3, MinTime: time.Hour, Timeout: 20 * time.Second})
	if err != nil || m.Bursts != 1 || m.Transactions != 6 {
		t.Errorf("%d bursts, %d rounds, %v", m.Bursts, m.Transactions, err)
	}
}
