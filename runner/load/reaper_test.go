package load_test

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// balancer passes connections on to backends in turn, over TCP: the servers see its ports, not
// ours.
func balancer(t *testing.T, backends ...*server.Server) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var turn atomic.Int64
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			backend := backends[int(turn.Add(1)-1)%len(backends)]
			go func() {
				defer client.Close()
				behind, err := net.Dial("tcp", backend.Config().Addr)
				if err != nil {
					return
				}
				defer behind.Close()
				go func() { io.Copy(behind, client); behind.Close() }()
				io.Copy(client, behind)
			}()
		}
	}()
	return listener.Addr().String()
}

// another starts a second server with the account and password of the shared one.
func another(t *testing.T) *server.Server { return anotherOf(t, "") }

// anotherOf is a server of a program. MySQL takes passwords over TCP with TLS only.
func anotherOf(t *testing.T, program string) *server.Server {
	t.Helper()
	s := servertest.Start(t, server.Private{Mysqld: program, TCP: true, TLS: program != "", MaxConnections: 200})
	config := testServer(t).Config()
	db, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, sql := range []string{
		"CREATE DATABASE test",
		"CREATE USER 'load'@'127.0.0.1' IDENTIFIED BY '" + config.Passwd + "'",
		"GRANT ALL ON *.* TO 'load'@'127.0.0.1'",
	} {
		if _, err := db.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// sleepers counts the sessions of a server that sleep for a number of seconds.
func sleepers(t *testing.T, s *server.Server, seconds string) (n int) {
	t.Helper()
	db, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(" + seconds + ")'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// strangers opens n sessions and keeps them at work.
func strangers(t *testing.T, s *server.Server, n int) {
	t.Helper()
	db, err := s.Pool(n)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); db.Close() })
	for range n {
		go db.ExecContext(ctx, "SELECT SLEEP(61)")
	}
	for began := time.Now(); sleepers(t, s, "61") < n; time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the strangers do not sleep")
		}
	}
}

// TestKillBehindABalancer: where the connection for KILL reaches another server than the hung
// statement's, a session there that has the same number is a stranger's, and stays. The trial says
// that the statement may still run.
func TestKillBehindABalancer(t *testing.T) {
	t.Run("usual", func(t *testing.T) { killBehindABalancer(t, "") })
	t.Run("second", func(t *testing.T) {
		program := os.Getenv("MYSWEEP_TEST_MYSQLD")
		if program == "" {
			t.Skip("MYSWEEP_TEST_MYSQLD names no server program")
		}
		killBehindABalancer(t, program)
	})
}

func killBehindABalancer(t *testing.T, program string) {
	first, second := anotherOf(t, program), anotherOf(t, program)
	strangers(t, second, 100) // under all numbers that the first one gives out meanwhile
	for _, engine := range engines {
		to := first.Config()
		to.User, to.Passwd = "load", testServer(t).Config().Passwd
		to.Addr, to.DBName = balancer(t, first, second), "test"
		trial := load.Trial{Threads: 1, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, QueryTimeout: 300 * time.Millisecond}
		m, err := load.Run(t.Context(), load.Target{Config: to}, sleeping("62"), trial)
		if err != nil || m.Errors != 1 || m.LeftRunning != 1 || !strings.Contains(m.LeftRunningWhy, "another server") {
			t.Errorf("%s: errors=%d left=%d %q, %v", engine, m.Errors, m.LeftRunning, m.LeftRunningWhy, err)
		}
		if n := sleepers(t, second, "61"); n != 100 {
			t.Errorf("%s: %d of 100 strangers are left", engine, n)
		}
	}
}

// TestKillBehindAProxy: a proxy before one server rewrites ports, but the server is the same: the
// statement is ended.
func TestKillBehindAProxy(t *testing.T) {
	s := another(t)
	for _, engine := range engines {
		to := s.Config()
		to.Addr, to.DBName = balancer(t, s), "test"
		trial := load.Trial{Threads: 2, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, QueryTimeout: 300 * time.Millisecond}
		m, err := load.Run(t.Context(), load.Target{Config: to}, sleeping("63"), trial)
		if err != nil || m.Errors != 2 || m.LeftRunning != 0 {
			t.Errorf("%s: errors=%d left=%d %q, %v", engine, m.Errors, m.LeftRunning, m.LeftRunningWhy, err)
		}
		for deadline := time.Now().Add(5 * time.Second); sleepers(t, s, "63") > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the statement still runs", engine)
			}
		}
	}
}

// TestRefusedKill: where the server refuses KILL, the trial says that the statement may still run,
// and why.
func TestRefusedKill(t *testing.T) {
	s := another(t)
	proxy := servertest.Proxy{Backends: []string{s.Config().Addr}, Rewrite: func(sql string) string {
		return strings.Replace(sql, "KILL ", "KILT ", 1)
	}}
	to := s.Config()
	to.User, to.Passwd, to.TLS, to.DBName, to.Addr = "load", testServer(t).Config().Passwd, nil, "test", proxy.Serve(t)
	for _, engine := range engines {
		trial := load.Trial{Threads: 1, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, QueryTimeout: 300 * time.Millisecond}
		m, err := load.Run(t.Context(), load.Target{Config: to}, sleeping("3"), trial)
		if err != nil || m.Errors != 1 || m.LeftRunning != 1 || !strings.Contains(m.LeftRunningWhy, "KILL") || !strings.Contains(m.LeftRunningWhy, "1064") {
			t.Errorf("%s: errors=%d left=%d %q, %v", engine, m.Errors, m.LeftRunning, m.LeftRunningWhy, err)
		}
	}
}
