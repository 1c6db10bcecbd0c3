package sweep

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// otherMySQL builds and starts the server of testdata/othermysql, a module of its own, until the
// test ends.
func otherMySQL(t *testing.T) *server.Endpoint {
	t.Helper()
	servertest.Needed(t)
	program := filepath.Join(t.TempDir(), "othermysql")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
	build.Dir = filepath.Join("testdata", "othermysql")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "module lookup disabled") || strings.Contains(string(out), "proxy") {
			t.Skipf("the modules of a server that is not MySQL cannot be had: %v\n%s", err, out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().(*net.TCPAddr)
	listener.Close()
	command := exec.Command(program, address.String())
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	e := server.Endpoint{Host: "127.0.0.1", Port: address.Port, User: "root", TLS: server.TLS{Mode: server.TLSDisabled}}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		target, err := server.Open(t.Context(), e)
		if err == nil {
			target.Close()
			return &e
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// TestOtherMySQL: a server that speaks the protocol and is no MySQL. What it can do is measured,
// and what it does not report is unknown; what it cannot do is an error, and no table stays.
func TestOtherMySQL(t *testing.T) {
	e := otherMySQL(t)
	for _, row := range []struct {
		name    string
		options plan.Options
		change  func(*plan.Plan)
		refused string
	}{
		{"select-key", plan.Options{"rows": "500"}, nil, ""},
		{"select-key", plan.Options{"rows": "500"}, func(p *plan.Plan) { p.Protocol = "prepared" }, ""},
		{"select-key", plan.Options{"rows": "500"}, func(p *plan.Plan) { p.Reconnect = "query" }, ""},
		{"select-key", plan.Options{"rows": "500"}, func(p *plan.Plan) { p.KeepTables = true }, "does not keep its COMMENT"},
		{"update-select", plan.Options{"rows": "500"}, nil, ""},
		{"oltp_read_only", plan.Options{"table-size": "300"}, nil, ""},
		{"oltp_read_write", plan.Options{"table-size": "300"}, nil, ""},
		{"oltp_point_select", plan.Options{"table-size": "300"}, nil, ""},
		{"oltp", plan.Options{"oltp-table-size": "300"}, nil, ""},
		{"bulk_insert", nil, nil, ""},
	} {
		job := existingJob(t, e, row.name, row.options)
		job.Plan.Threads, job.Plan.Queries = plan.Ints{1, 3}, plan.Ints{5}
		if row.change != nil {
			row.change(&job.Plan)
		}
		_, err := Go(t.Context(), job)
		if row.refused != "" {
			if err == nil || !strings.Contains(err.Error(), row.refused) {
				t.Errorf("%s %v: %v; want %q", row.name, row.options, err, row.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", row.name, row.options, err)
			continue
		}
		a, err := result.Read(job.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if c := a.Run.Cases[0]; c.Flavour != server.Dolt || c.Version == "" {
			t.Errorf("%s: flavour %q, version %q", row.name, c.Flavour, c.Version)
		}
		for _, trial := range a.Trials {
			if trial.Status != result.OK || trial.Evidence.SharedHost && a.Run.Server == nil {
				t.Errorf("%s %v: %s %s", row.name, row.options, trial.Status, trial.Error)
			}
			if mean := trial.Evidence.ThreadsRunningMean; mean != nil && *mean < 0 {
				t.Errorf("%s: %g threads run", row.name, *mean)
			}
		}
	}
	target, err := server.Open(t.Context(), *e)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	pool, err := target.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var tables int
	if err := pool.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'mysweep'").Scan(&tables); err != nil || tables != 0 {
		t.Errorf("%d tables are left, %v", tables, err)
	}
}
