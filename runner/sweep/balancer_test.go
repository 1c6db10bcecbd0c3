package sweep

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// balanced is two servers with the same account and the same tables, as replicas have them, and the
// endpoint by which a balancer at an address reaches either.
func balanced(t *testing.T, balance func(backends []string) (address string)) *server.Endpoint {
	t.Helper()
	first, a := backend(t, server.Private{})
	second, b := backend(t, server.Private{})
	e := first.Endpoint
	pool, err := second.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, host := range []string{"localhost", "127.0.0.1"} {
		if _, err := pool.ExecContext(t.Context(), fmt.Sprintf("ALTER USER '%s'@'%s' IDENTIFIED BY '%s'", e.User, host, e.Password)); err != nil {
			t.Fatal(err)
		}
	}
	for _, address := range []string{a, b} {
		job := existingJob(t, through(t, e, address), "select-key", map[string]string{"rows": "500"})
		job.Plan.KeepTables = true
		archiveOf(t, job)
	}
	return through(t, e, balance([]string{a, b}))
}

// inspectBalanced runs trials behind a balancer that gives each connection to the next server. The
// statements of the load are not all in the counters of the observer's server.
func inspectBalanced(t *testing.T, e *server.Endpoint) {
	t.Helper()
	job := existingJob(t, e, "select-key", map[string]string{"rows": "500"})
	job.Plan.ExistingTables, job.Plan.Repeat = true, 3
	job.Plan.Threads, job.Plan.Queries = plan.Ints{1, 4}, plan.Ints{50}
	a := archiveOf(t, job)
	told := 0
	for trial := range a.Full() {
		e := trial.Evidence
		noted := slices.ContainsFunc(e.Notes, func(n result.Note) bool { return n.Code == "counters-of-another-server" })
		if trial.Status != result.OK {
			t.Errorf("%+v: %s %s", trial.Slot(), trial.Status, trial.Error)
		}
		if noted != (e.Status == nil) || noted != (e.ForeignQueries == nil) {
			t.Errorf("%+v: note %t, counters %v, foreign queries %v", trial.Slot(), noted, e.Status, e.ForeignQueries)
		}
		if noted && (e.ThreadsRunningMean != nil || len(e.ServerSamples) > 0) {
			t.Errorf("%+v: samples of another server: %+v", trial.Slot(), e.ServerSamples)
		}
		if trial.Threads > 1 && !noted {
			t.Errorf("%+v: half of the load was on another server, and no note says so; notes %v", trial.Slot(), e.Notes)
		}
		if noted {
			told++
		}
	}
	if told == 0 {
		t.Error("no trial has a note")
	}
}

// TestRoundRobin: a balancer that knows nothing of MySQL gives connections to two servers in turn.
func TestRoundRobin(t *testing.T) {
	inspectBalanced(t, balanced(t, func(backends []string) string {
		return (&servertest.Proxy{Backends: backends}).Serve(t)
	}))
}

// TestHAProxy is the same with HAProxy.
func TestHAProxy(t *testing.T) {
	program, err := exec.LookPath("haproxy")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/haproxy"); err != nil {
			t.Skip("needs haproxy: install the package haproxy")
		}
	}
	inspectBalanced(t, balanced(t, func(backends []string) string { return haproxy(t, program, backends) }))
}

// haproxy starts HAProxy until the test ends, and returns the address where it listens.
func haproxy(t *testing.T, program string, backends []string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	text := "defaults\n  mode tcp\n  timeout connect 10s\n  timeout client 10m\n  timeout server 10m\nlisten mysql\n  bind " + address + "\n  balance roundrobin\n"
	for i, backend := range backends {
		text += fmt.Sprintf("  server s%d %s\n", i, backend)
	}
	config := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	command := exec.Command(program, "-db", "-f", config)
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(syscall.SIGTERM)
		command.Wait()
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return address
		}
		if time.Now().After(deadline) {
			t.Fatalf("haproxy does not listen: %v\n%s", err, said.String())
		}
	}
}

// TestForwardedServer: a server that is reached through a process of this machine, and names
// another host, has no facts of this machine, nor its load.
func TestForwardedServer(t *testing.T) {
	s, address := backend(t, server.Private{})
	proxy := servertest.Proxy{Backends: []string{address}, Rewrite: func(sql string) string {
		return strings.Replace(sql, "@@GLOBAL.hostname", "'db3.example.com'", 1)
	}}
	for _, row := range []struct {
		address string
		here    bool
	}{{address, true}, {proxy.Serve(t), false}} {
		a := archiveOf(t, existingJob(t, through(t, s.Endpoint, row.address), "select-key", map[string]string{"rows": "500"}))
		unseen := slices.ContainsFunc(a.Run.Notes, func(n result.Note) bool {
			return n.Code == "server-unseen" && strings.Contains(n.Text, "db3.example.com")
		})
		if (a.Run.Server != nil) != row.here || a.Trials[0].Evidence.SharedHost != row.here || unseen == row.here {
			t.Errorf("here %t: facts of its machine %v, shared host %t, notes %v", row.here, a.Run.Server != nil, a.Trials[0].Evidence.SharedHost, a.Run.Notes)
		}
	}
}
