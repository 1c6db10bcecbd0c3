package sweep

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// inNamespace is set in the process that a test has started in a network of its own.
const inNamespace = "MYSWEEP_TEST_NETWORK"

// ownNetwork runs the test again in a network of its own, with 1,000 ephemeral ports that are not
// used again while they are in TIME_WAIT. It reports whether this is that process.
func ownNetwork(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inNamespace) != "" {
		return true
	}
	const setUp = "ip link set lo up && echo 0 >/proc/sys/net/ipv4/tcp_tw_reuse && echo 40000 40999 >/proc/sys/net/ipv4/ip_local_port_range"
	if out, err := exec.Command("unshare", "--net", "sh", "-c", setUp).CombinedOutput(); err != nil {
		t.Skipf("needs a network of its own (root and unshare, ip): %v\n%s", err, out)
	}
	command := exec.Command("unshare", "--net", "sh", "-c", setUp+` && exec "$@"`, "sh", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), inNamespace+"=1")
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// TestWaitForPorts: between cases whose threads reconnect over TCP, be it by the plan or by the
// workload itself, the run waits for ports in TIME_WAIT, without being asked to.
func TestWaitForPorts(t *testing.T) {
	if !ownNetwork(t) {
		return
	}
	s, address := backend(t, server.Private{})
	for _, row := range []struct {
		workload, reconnect string
		options             map[string]string
		queries             int
		waits               bool
	}{
		{"select-key", "never", map[string]string{"rows": "500"}, 100, false},
		{"select-key", "query", map[string]string{"rows": "500"}, 100, true},
		{"oltp", "never", map[string]string{"oltp-table-size": "500", "oltp-test-mode": "simple", "oltp-reconnect-mode": "query", "oltp-connect-delay": "0"}, 200, true},
	} {
		job := existingJob(t, through(t, s.Endpoint, address), row.workload, row.options)
		job.Plan.Reconnect, job.Plan.Queries = row.reconnect, plan.Ints{row.queries}
		job.Plan.Cases = []plan.Case{{Name: "a"}, {Name: "b", SetGlobal: plan.Options{"max_connect_errors": "77"}}}
		job.Endpoints = map[string]*server.Endpoint{"a": through(t, s.Endpoint, address)}
		job.Endpoints["b"] = job.Endpoints["a"]
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
		waited := false
		job.Watch = func(e Event) {
			if strings.HasPrefix(e.Doing, "waiting:") && strings.Contains(e.Doing, "TIME_WAIT, wanted 100") {
				waited = true
				cancel() // it takes a minute
			}
		}
		_, err := Go(ctx, job)
		if waited != row.waits || err != nil && !waited {
			t.Errorf("%s, reconnect %s: waited %t, %v", row.workload, row.reconnect, waited, err)
		}
		cancel()
	}
}

// TestRoomToReconnect: a private server has room for connections that end while their threads make
// others.
func TestRoomToReconnect(t *testing.T) {
	for _, row := range []struct{ connectEach, most string }{{"false", "151"}, {"true", "220"}} {
		job := smallJob(t, "tpcb", map[string]string{"connect-per-transaction": row.connectEach})
		job.Plan.Threads, job.Plan.Queries, job.Plan.Repeat, job.Plan.Confirm = plan.Ints{100}, plan.Ints{1}, 1, 0
		a := archiveOf(t, job)
		if got := a.Run.Cases[0].Variables["max_connections"]; got != row.most {
			t.Errorf("a connection each transaction %s: max_connections %s; want %s", row.connectEach, got, row.most)
		}
	}
}
