package sweep

import (
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// backend is a real server to stand behind a proxy, and its address.
func backend(t *testing.T, p server.Private) (*server.Server, string) {
	t.Helper()
	p.TCP, p.AllowMemory = true, true
	s := servertest.Start(t, p)
	return s, net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Endpoint.Port))
}

// through is an endpoint at another address.
func through(t *testing.T, e server.Endpoint, address string) *server.Endpoint {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	e.Socket, e.Host = "", "127.0.0.1"
	if e.Port, err = strconv.Atoi(port); err != nil {
		t.Fatal(err)
	}
	return &e
}

// existingJob is a sweep of one cell on a server that exists.
func existingJob(t *testing.T, e *server.Endpoint, name string, options map[string]string) Job {
	t.Helper()
	job := smallJob(t, name, options)
	job.Plan.Private.Wanted = false
	job.Plan.Threads, job.Plan.Queries, job.Plan.Repeat, job.Plan.Confirm = plan.Ints{2}, plan.Ints{20}, 1, 0
	job.Endpoints = map[string]*server.Endpoint{}
	for _, c := range job.Plan.Cases {
		job.Endpoints[c.Name] = e
	}
	return job
}

// archiveOf runs a job and reads what it leaves.
func archiveOf(t *testing.T, job Job) *result.Archive {
	t.Helper()
	if _, err := Go(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// codes are those of the notes of the run and its cases, each once.
func codes(a *result.Archive) []string {
	notes := slices.Clone(a.Run.Notes)
	for _, c := range a.Run.Cases {
		notes = append(notes, c.Notes...)
	}
	var codes []string
	for _, n := range notes {
		codes = append(codes, n.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// hides names the variables that a statement asks for otherwise, so that the server does not know
// them.
func hides(variables string) func(sql string) string {
	asked := regexp.MustCompile(`(?i)@@((?:GLOBAL|SESSION)\.)?(` + variables + `)\b`)
	return func(sql string) string { return asked.ReplaceAllString(sql, "@@${1}no_such_$2") }
}

// TestFewCounters: servers that answer SHOW GLOBAL STATUS with six rows (TiDB) or none (Vitess) and
// know few variables. What they do not report is unknown, the run goes on, and no table stays.
func TestFewCounters(t *testing.T) {
	s, address := backend(t, server.Private{})
	status := regexp.MustCompile(`(?i)^SHOW GLOBAL STATUS.*`)
	for _, row := range []struct{ name, version, variables, status, flavour string }{
		{"tidb", "8.0.11-TiDB-v7.5.0", "datadir|port", "SHOW GLOBAL STATUS WHERE Variable_name IN ('Ssl_cipher', 'Ssl_cipher_list', 'Ssl_verify_mode', 'Ssl_version', 'Ssl_server_not_after', 'Slaves_connected')", server.TiDB},
		{"vitess", "8.0.30-Vitess", "datadir|port|hostname|version_comment|innodb_buffer_pool_load_at_startup", "SHOW GLOBAL STATUS LIKE 'none'", server.Vitess},
	} {
		t.Run(row.name, func(t *testing.T) {
			hide := hides(row.variables)
			proxy := servertest.Proxy{Backends: []string{address}, Version: row.version, Rewrite: func(sql string) string {
				sql = strings.Replace(sql, "SELECT VERSION()", "SELECT '"+row.version+"'", 1)
				return hide(status.ReplaceAllString(sql, row.status))
			}}
			a := archiveOf(t, existingJob(t, through(t, s.Endpoint, proxy.Serve(t)), "select-key", map[string]string{"rows": "500"}))
			if a.Run.Status != result.OK || len(a.Trials) != 1 || a.Trials[0].Status != result.OK {
				t.Fatalf("run %s %s, trials %+v", a.Run.Status, a.Run.Notes, a.Trials)
			}
			e := a.Trials[0].Evidence
			if e.ForeignQueries != nil || e.ThreadsRunningMean != nil {
				t.Errorf("foreign queries %v, threads running %v; want both unknown", e.ForeignQueries, e.ThreadsRunningMean)
			}
			if f := a.Run.Cases[0].Flavour; f != row.flavour {
				t.Errorf("flavour %q; want %q", f, row.flavour)
			}
			if got := codes(a); !slices.Contains(got, "variables-unknown") || slices.Contains(got, "left-behind") {
				t.Errorf("notes %q; want variables-unknown and nothing left behind", got)
			}
			if left := tablesOf(t, s); len(left) > 0 {
				t.Errorf("tables %q were left behind", left)
			}
		})
	}
}

// tablesOf are the tables in mysweep's schema on a server.
func tablesOf(t *testing.T, s *server.Server) []string {
	t.Helper()
	pool, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	rows, err := pool.QueryContext(t.Context(), "SELECT table_name FROM information_schema.tables WHERE table_schema = 'mysweep'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestSelectOnly: on tables that are prepared, a workload that only reads needs nothing but SELECT,
// also on a server that is read-only.
func TestSelectOnly(t *testing.T) {
	s, address := backend(t, server.Private{})
	job := existingJob(t, through(t, s.Endpoint, address), "select-key", map[string]string{"rows": "500"})
	job.Plan.KeepTables = true
	archiveOf(t, job)
	pool, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, sql := range []string{"CREATE USER reader@localhost, reader@127.0.0.1", "GRANT SELECT ON mysweep.* TO reader@localhost",
		"GRANT SELECT ON mysweep.* TO reader@127.0.0.1", "SET GLOBAL read_only = ON"} {
		if _, err := pool.ExecContext(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	e := through(t, s.Endpoint, address)
	e.User, e.Password = "reader", ""
	for _, existing := range []bool{false, true} {
		job := existingJob(t, e, "select-key", map[string]string{"rows": "500"})
		job.Plan.ExistingTables = existing
		a := archiveOf(t, job)
		if a.Trials[0].Status != result.OK {
			t.Errorf("existing tables %t: %s %s", existing, a.Trials[0].Status, a.Trials[0].Error)
		}
		if got := slices.Contains(codes(a), "load"); got == existing {
			t.Errorf("existing tables %t: notes %q; want one on the statistics where they are brought up to date", existing, codes(a))
		}
	}
	if left := tablesOf(t, s); len(left) != 1 {
		t.Errorf("tables %q; want the one that was prepared", left)
	}
}
