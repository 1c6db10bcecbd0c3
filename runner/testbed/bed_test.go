package testbed

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// existingSite is a site with one case on an existing server that the
// test starts, and one small workload.
func existingSite(t *testing.T, report Reporter, c plan.Case) (s *Site, w plan.Workload, private *server.Server) {
	t.Helper()
	private = servertest.Start(t, server.Private{AllowMemory: true})
	spec, ok := workload.Find("select-key")
	if !ok {
		t.Fatal("no workload select-key")
	}
	values, err := workload.NewValues(spec.Options, plan.Options{"rows": "100"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	w = plan.Workload{Name: "select-key", Options: plan.Options{"rows": "100"}}
	p := plan.Default()
	p.Workloads, p.Cases, p.Warmup, p.Server.Database = []plan.Workload{w}, []plan.Case{c}, 0, "mysweep"
	endpoint := private.Endpoint
	s = NewSite(Config{Plan: p, Endpoints: Endpoints{c.Name: &endpoint}, Workloads: map[string]workload.Workload{"select-key": made}, Report: report})
	return s, w, private
}

// An open bed is what its case says, with its tables; closing it leaves the
// existing server as it was found, with nothing to undo.
func TestOpenAndClose(t *testing.T) {
	report := &recorder{}
	c := plan.Case{Name: "a", SetGlobal: plan.Options{"max_connect_errors": "77"}, BeforeTrial: plan.Texts{"SET @a=1"}}
	site, w, private := existingSite(t, report, c)
	before := globalValue(t, private, "max_connect_errors")
	bed, err := site.Open(t.Context(), c, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := bed.Before(t.Context(), w, 1); err != nil {
		t.Error(err)
	}
	if got := globalValue(t, private, "max_connect_errors"); got != "77" || !bed.Alive(t.Context()) {
		t.Errorf("max_connect_errors is %s; want the case's 77", got)
	}
	if _, err := private.Lock(t.Context(), LockName(&site.plan)); !EndsRun(err) {
		t.Errorf("lock: %v; want it held by the bed", err)
	}
	if tables := report.Case("a").Tables; len(tables) != 1 || tables[0].Rows != 100 || report.Case("a").Version == "" {
		t.Errorf("case %+v; want one table of 100 rows, and the server's version", report.Case("a"))
	}
	left, _, err := server.MachineUndo().Read(undoFile(private.Endpoint.Name(), ""))
	if err != nil || len(left) != 1 {
		t.Errorf("%d files say what is to be undone (%v); want one while the case is open", len(left), err)
	}
	if target := bed.LoadTarget(); target.Config.DBName != "mysweep" {
		t.Errorf("the load uses schema %q; want mysweep", target.Config.DBName)
	}
	site.Close()
	if site.Bed() != nil {
		t.Error("a bed is still open")
	}
	if got := globalValue(t, private, "max_connect_errors"); got != before {
		t.Errorf("max_connect_errors is %s; want %s as before", got, before)
	}
	if left, _, err := server.MachineUndo().Read(undoFile(private.Endpoint.Name(), "")); err != nil || len(left) > 0 {
		t.Errorf("%d files say what is to be undone (%v); want none", len(left), err)
	}
	lock, err := private.Lock(t.Context(), LockName(&site.plan))
	if err != nil {
		t.Fatalf("lock: %v; want it free", err)
	}
	defer lock.Release()
	if count := tableCount(t, private); count != 0 {
		t.Errorf("%d tables are left", count)
	}
	if len(report.notes) > 0 {
		t.Errorf("notes %v", report.notes)
	}
}

// A bed whose opening is cut off leaves nothing behind either.
func TestOpenCutOff(t *testing.T) {
	c := plan.Case{Name: "a", SetGlobal: plan.Options{"max_connect_errors": "77"}, AfterStart: plan.Texts{"SELECT SLEEP(600)"}}
	report := &recorder{}
	site, w, private := existingSite(t, report, c)
	before := globalValue(t, private, "max_connect_errors")
	cause := errors.New("cut off by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Second, func() { cancel(cause) })
	if _, err := site.Open(ctx, c, w); err == nil {
		t.Error("the case was opened; want that it was cut off")
	}
	site.Close()
	if got := globalValue(t, private, "max_connect_errors"); got != before || report.Case("a").Status != result.Interrupted {
		t.Errorf("max_connect_errors is %s, the case is %s; want %s and interrupted", got, report.Case("a").Status, before)
	}
}

func globalValue(t *testing.T, s *server.Server, name string) string {
	t.Helper()
	facts, err := s.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return facts.Variables[name]
}

func tableCount(t *testing.T, s *server.Server) (n int) {
	t.Helper()
	pool, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := pool.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='mysweep'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
