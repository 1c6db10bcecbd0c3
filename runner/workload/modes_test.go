package workload_test

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// modeTests are workloads with small tables and what a round of them is.
var modeTests = []struct {
	workload string
	options  string
	counts   string // reads/writes/others of a round; "" if chance decides
	keeps    string // a query whose answer stays as it was
}{
	{"oltp_point_select", "table-size=300", "1/0/0", ""},
	{"oltp_read_only", "table-size=300 rand-type=special", "14/0/2", ""},
	{"oltp_read_write", "table-size=300 rand-type=zipfian", "14/4/2", "SELECT CONCAT(COUNT(*), ' ', MIN(id), ' ', MAX(id), ' ', SUM(id)) FROM sbtest1"},
	{"oltp_write_only", "table-size=300 rand-type=pareto", "0/4/2", "SELECT CONCAT(COUNT(*), ' ', SUM(id)) FROM sbtest1"},
	{"oltp_update_index", "table-size=300", "0/1/0", "SELECT COUNT(*) FROM sbtest1"},
	{"oltp_update_non_index", "table-size=300", "0/1/0", "SELECT COUNT(*) FROM sbtest1"},
	{"oltp_insert", "table-size=300", "0/1/0", ""},
	{"oltp_insert", "table-size=300 auto-inc=off", "0/1/0", ""},
	{"oltp_delete", "table-size=300", "", ""},
	{"select_random_points", "table-size=300 rand-type=gaussian", "1/0/0", ""},
	{"select_random_ranges", "table-size=300", "1/0/0", ""},
	{"bulk_insert", "tables=2", "", ""},
	{"oltp", "oltp-table-size=300", "14/5/2", "SELECT CONCAT(COUNT(*), ' ', SUM(id)) FROM sbtest"},
	{"oltp", "oltp-table-size=300 mysql-engine-trx=off", "14/5/2", "SELECT CONCAT(COUNT(*), ' ', SUM(id)) FROM sbtest"},
	{"oltp", "oltp-table-size=300 oltp-test-mode=simple oltp-reconnect-mode=query oltp-connect-delay=0", "1/0/0", ""},
	{"oltp", "oltp-table-size=300 oltp-reconnect-mode=random oltp-connect-delay=0 oltp-user-delay-max=20 oltp-read-only=on", "", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx", "1/0/0", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx oltp-nontrx-mode=insert", "0/1/0", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx oltp-nontrx-mode=insert oltp-auto-inc=off", "0/1/0", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx oltp-nontrx-mode=delete", "0/1/0", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx oltp-nontrx-mode=update_key", "0/1/0", ""},
	{"oltp", "oltp-table-size=300 oltp-test-mode=nontrx oltp-nontrx-mode=update_nokey", "0/1/0", ""},
	{"tpcb", "delta-min=1", "1/4/2", "SELECT COUNT(*) FROM accounts"},
	{"tpcb", "select-only=on", "1/0/0", ""},
	{"tpcb", "skip-some-updates=on delta-min=1", "1/2/2", ""},
	// After -N: its carried sums must not spoil the check.
	{"tpcb", "connect-per-transaction=on delta-min=1", "1/4/2", ""},
	{"dbt1", "customers=300 items=200 think-time=0s mix=ordering", "", "SELECT COUNT(*) FROM order_line WHERE ol_o_id <= 270"},
	{"select-key", "rows=500", "2/0/0", "SELECT COUNT(*) FROM http_auth"},
	// A second trial with the same seed changes nothing.
	{"update-select", "rows=500", "", "SELECT COUNT(*) FROM http_auth"},
}

// TestModes: every workload in every mode of the server, by both protocols
// and both load generators; the modes stay as they were.
func TestModes(t *testing.T) {
	modes := []string{"default", "ANSI_QUOTES", "ONLY_FULL_GROUP_BY", "NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES", "ORACLE"}
	onEngines(t, func(t *testing.T, e *engine) {
		standard := e.ask(t, "SELECT @@GLOBAL.sql_mode")
		for i, mode := range modes {
			if mode == "ORACLE" && e.name != "mariadb" {
				continue
			}
			t.Run(mode, func(t *testing.T) {
				if mode != "default" {
					e.exec(t, "SET GLOBAL sql_mode='"+mode+"'")
					defer e.exec(t, "SET GLOBAL sql_mode='"+standard+"'")
				}
				before := e.ask(t, "SELECT @@GLOBAL.sql_mode")
				schema := e.schema(t)
				for k, test := range modeTests {
					trial := load.Trial{Threads: 3, Queries: 12, Prepared: (i+k)%2 == 0, LoadGen: []string{"loop", "goroutine"}[k/2%2]}
					set := options(test.options)
					t.Run(test.workload+" "+test.options, func(t *testing.T) { e.inMode(t, schema, test.workload, set, test.counts, test.keeps, trial) })
				}
				if after := e.ask(t, "SELECT @@GLOBAL.sql_mode"); after != before {
					t.Errorf("global sql_mode was %s and is %s", before, after)
				}
			})
		}
	})
}

// options reads "name=value name=value".
func options(text string) map[string]string {
	set := map[string]string{}
	for field := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(field, "=")
		set[name] = value
	}
	return set
}

// inMode takes a workload through a case of two trials, as a sweep would.
func (e *engine) inMode(t *testing.T, schema, name string, set map[string]string, counts, keeps string, trial load.Trial) {
	w := made(t, name, set)
	e.load(t, schema, name, set, w)
	before := e.keeps(t, schema, keeps)
	for range 2 {
		if r, ok := w.(workload.Resetter); ok {
			e.do(t, schema, r.BeforeTrial())
		}
		m := e.run(t, schema, w, trial)
		if m.Transactions != int64(trial.Threads*trial.Queries) {
			t.Errorf("%d rounds, want %d", m.Transactions, trial.Threads*trial.Queries)
		}
		if counts != "" && m.Deadlocks == 0 && perRound(m) != counts {
			t.Errorf("reads/writes/others %s a round, want %s", perRound(m), counts)
		}
		checkReconnects(t, set, m)
		if f, ok := w.(workload.Finisher); ok {
			e.do(t, schema, f.AfterTrial())
		}
	}
	if after := e.keeps(t, schema, keeps); after != before {
		t.Errorf("%s was %s and is %s", keeps, before, after)
	}
	if c, ok := w.(workload.Checker); ok {
		if err := c.Check(t.Context(), e.query(schema)); err != nil {
			t.Error(err)
		}
	}
}

// checkReconnects: those that the workload makes itself are counted, and the
// times of connects are of them alone.
func checkReconnects(t *testing.T, set map[string]string, m result.Measure) {
	t.Helper()
	if set["connect-per-transaction"] == "" && set["oltp-reconnect-mode"] != "query" {
		return
	}
	rounds := m.Transactions + m.Deadlocks // a round that restarts reconnects
	if m.Reconnects != rounds || m.Connects.Count != rounds {
		t.Errorf("%d reconnects and %d times of connects, want one a round: %d", m.Reconnects, m.Connects.Count, rounds)
	}
}

func (e *engine) keeps(t *testing.T, schema, query string) string {
	t.Helper()
	if query == "" {
		return ""
	}
	return e.ask(t, strings.Replace(query, "FROM ", "FROM "+schema+".", 1))
}

// TestTPCBCheckOnServer: the check sees a balance that somebody changed.
func TestTPCBCheckOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		schema, w := e.schema(t), made(t, "tpcb", nil)
		e.load(t, schema, "tpcb", nil, w)
		check := w.(workload.Checker).Check
		m := e.run(t, schema, w, load.Trial{Threads: 4, Queries: 50})
		if err := check(t.Context(), e.query(schema)); err != nil {
			t.Fatal(err)
		}
		e.exec(t, "UPDATE "+schema+".tellers SET tbalance = tbalance + 1 WHERE tid = 3")
		if err := check(t.Context(), e.query(schema)); err == nil || !strings.Contains(err.Error(), "balances do not agree") {
			t.Errorf("a wrong balance: %v", err)
		}
		if got := e.ask(t, "SELECT COUNT(*) FROM "+schema+".history"); got != "200" || m.Transactions != 200 {
			t.Errorf("history has %s rows after %d transactions, want 200", got, m.Transactions)
		}
	})
}
