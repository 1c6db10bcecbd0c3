package workload_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/smack"
	"github.com/mysweep/mysweep/runner/workload/sqlfile"
)

// opened makes the workload of a file.
func opened(t *testing.T, spec workload.Spec, err error, set map[string]string) workload.Workload {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	v, err := workload.NewValues(spec.Options, set)
	if err != nil {
		t.Fatal(err)
	}
	w, err := spec.New(v)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// inAllModes runs a test on each server in each of its modes.
func inAllModes(t *testing.T, test func(t *testing.T, e *engine, prepared bool)) {
	onEngines(t, func(t *testing.T, e *engine) {
		standard := e.ask(t, "SELECT @@GLOBAL.sql_mode")
		for i, mode := range []string{standard, "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ORACLE"} {
			if mode == "ORACLE" && e.name != "mariadb" {
				continue
			}
			t.Run(mode, func(t *testing.T) {
				e.exec(t, "SET GLOBAL sql_mode='"+mode+"'")
				defer e.exec(t, "SET GLOBAL sql_mode='"+standard+"'")
				test(t, e, i%2 == 1)
			})
		}
	})
}

// types are the numbers of queries by type.
func types(m result.Measure) map[string]int64 {
	counts := map[string]int64{}
	for _, t := range m.Types {
		counts[t.Type] = t.Queries
	}
	return counts
}

// TestSmackOnServer: the samples of super-smack find every key they ask for,
// and each type comes clients x rounds x (number in the barrel) times.
func TestSmackOnServer(t *testing.T) {
	inAllModes(t, func(t *testing.T, e *engine, prepared bool) {
		source, err := os.ReadFile("smack/testdata/update-select.smack")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "small.smack")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(source), "90000", "700")), 0o600); err != nil {
			t.Fatal(err)
		}
		spec, err := smack.Open(path)
		schema, w := e.schema(t), opened(t, spec, err, nil)
		e.load(t, schema, "update-select.smack", nil, w)
		if rows := e.ask(t, "SELECT CONCAT(COUNT(*), ' ', COUNT(DISTINCT username), ' ', MIN(uid), ' ', MAX(uid)) FROM "+schema+".http_auth"); rows != "700 700 1 700" {
			t.Errorf("the table holds %s", rows)
		}
		m := e.run(t, schema, w, load.Trial{Threads: 3, Queries: 15, Prepared: prepared})
		if got := fmt.Sprint(types(m)); got != "map[select_index:45 update_index:45]" {
			t.Errorf("queries by type are %s", got)
		}
		if n := e.ask(t, "SELECT COUNT(*) FROM "+schema+".http_auth WHERE pass IN (SELECT username FROM "+schema+".http_auth)"); n == "0" {
			t.Error("no row was updated to a word of the dictionary")
		}
	})
}

// TestSmackClientsOnServer: two clients run at the same time, each with its own
// threads and rounds; what main does around the barrels is done.
func TestSmackClientsOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		spec, err := smack.Open("smack/testdata/everything.smack")
		schema, w := e.schema(t), opened(t, spec, err, nil)
		e.load(t, schema, "everything.smack", nil, w)
		e.do(t, schema, w.(workload.Resetter).BeforeTrial())
		m := e.run(t, schema, w, load.Trial{Threads: 3, Queries: 4})
		if m.Threads != 5 || m.Transactions != 3*2*4+2*7 {
			t.Errorf("%d threads did %d rounds, want 5 and 38", m.Threads, m.Transactions)
		}
		want := "map[list:24 query:3 read:48 touch:44 write:14]"
		if got := fmt.Sprint(types(m)); got != want {
			t.Errorf("queries by type are %s, want %s", got, want)
		}
		if log := e.ask(t, "SELECT CONCAT(COUNT(*), ' ', COUNT(DISTINCT id)) FROM "+schema+".log"); log != "14 14" {
			t.Errorf("the log has %s rows and different numbers", log)
		}
		e.do(t, schema, w.(workload.Finisher).AfterTrial())
	})
}

// TestSmackErrorOnServer: the server's message stands with the name of the query.
func TestSmackErrorOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		path := filepath.Join(t.TempDir(), "wrong.smack")
		if err := os.WriteFile(path, []byte(`query "touch_it" { query "update nowhere set a = 1"; type "update"; }
			client "c" { query_barrel "1 touch_it"; }
			main { c.init(); c.set_num_rounds($2); c.create_threads($1); c.connect(); c.unload_query_barrel(); }`), 0o600); err != nil {
			t.Fatal(err)
		}
		spec, err := smack.Open(path)
		schema, w := e.schema(t), opened(t, spec, err, nil)
		config := e.server.Config()
		config.DBName = schema
		m, err := load.Run(t.Context(), load.Target{Config: config}, w, load.Trial{Threads: 1, Queries: 3, LoadGen: "loop"})
		if m.Errors == 0 && err == nil {
			t.Fatal("an update of a table that is not there is no error")
		}
		text := fmt.Sprint(err)
		for _, class := range m.ErrorsBy {
			text += " " + class.Class + " " + class.Example
		}
		if !strings.Contains(text, "touch_it") || !strings.Contains(text, "1146") || m.Transactions != 0 {
			t.Errorf("%d rounds, errors: %s", m.Transactions, text)
		}
	})
}

// TestSQLFileOnServer: set-up, weighted transactions and drawn values.
func TestSQLFileOnServer(t *testing.T) {
	inAllModes(t, func(t *testing.T, e *engine, prepared bool) {
		path := filepath.Join(t.TempDir(), "own.sql")
		if err := os.WriteFile(path, []byte(`-- @setup
			CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(40), balance INT);
			INSERT INTO account VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0);
			-- :id = uniform 1 3
			-- :amount = zipfian 1 100 0.9
			-- :who = list O'Hare, 'back\slash', 'a "quoted" name'
			-- @transaction move 1
			BEGIN;
			UPDATE account SET balance = balance + :amount, owner = :who WHERE id = :id;
			UPDATE account SET balance = balance - :amount WHERE id = :id;
			COMMIT;
			-- @transaction look 1
			SELECT '?', owner FROM account WHERE id = :id AND :who <> ''`), 0o600); err != nil {
			t.Fatal(err)
		}
		spec, err := sqlfile.Open(path)
		schema, w := e.schema(t), opened(t, spec, err, nil)
		e.do(t, schema, w.(workload.Preparer).Setup())
		m := e.run(t, schema, w, load.Trial{Threads: 2, Queries: 60, Prepared: prepared})
		moved, looked := interactionsOf(m, "move"), interactionsOf(m, "look")
		if moved+looked != 120 || moved < 30 || looked < 30 {
			t.Errorf("%d rounds moved and %d looked, want about 60 each", moved, looked)
		}
		if m.Deadlocks == 0 && (m.Reads != looked || m.Reads+m.Writes+m.Others != looked+4*moved) {
			t.Errorf("%d reads, %d writes, %d others", m.Reads, m.Writes, m.Others)
		}
		if sum := e.ask(t, "SELECT SUM(balance) FROM "+schema+".account"); sum != "0" {
			t.Errorf("the balances add up to %s", sum)
		}
		known := "SELECT COUNT(*) FROM " + schema + ".account WHERE owner IN ('a', 'b', 'c', 'O''Hare', 'a \"quoted\" name', CONCAT('back', CHAR(92), 'slash'))"
		if n := e.ask(t, known); n != "3" {
			t.Errorf("%s of 3 owners are known names", n)
		}
	})
}

// TestExampleOnServer: the example of the documentation runs as it is.
func TestExampleOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		schema, w := e.schema(t), opened(t, pageViews, nil, map[string]string{"pages": "20"})
		e.load(t, schema, "page_views", nil, w)
		m := e.run(t, schema, w, load.Trial{Threads: 2, Queries: 30})
		if views := e.ask(t, "SELECT SUM(views) FROM "+schema+".page"); views != "60" || m.Transactions != 60 {
			t.Errorf("%s views after %d rounds, want 60", views, m.Transactions)
		}
	})
}
