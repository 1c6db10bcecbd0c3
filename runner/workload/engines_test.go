package workload_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// engine is a real server of its own for the tests of this package.
type engine struct {
	name   string // mariadb or mysql
	mysqld string
	shared servertest.Shared
	server *server.Server // once the first test has asked for it
	db     *sql.DB

	schemas atomic.Int64 // made so far
}

// engines are MariaDB, as it is installed, and the server that
// MYSWEEP_TEST_MYSQLD names.
var engines = []*engine{newEngine("mariadb", ""), newEngine("mysql", os.Getenv("MYSWEEP_TEST_MYSQLD"))}

func TestMain(m *testing.M) { os.Exit(servertest.Run(m, &engines[0].shared, &engines[1].shared)) }

func newEngine(name, mysqld string) *engine {
	e := &engine{name: name, mysqld: mysqld}
	e.shared.Private = server.Private{Mysqld: mysqld, Options: []server.Option{
		{Name: "innodb_flush_log_at_trx_commit", Value: "2"},
		{Name: "local_infile", Value: "1"},
	}}
	e.shared.Fill = func(s *server.Server) (err error) {
		e.server = s
		e.db, err = s.Pool(4)
		return err
	}
	return e
}

// onEngines runs a test on each server.
func onEngines(t *testing.T, test func(t *testing.T, e *engine)) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			if e.name == "mysql" && e.mysqld == "" {
				t.Skip("MYSWEEP_TEST_MYSQLD names no server: make test-mysql brings one")
			}
			e.shared.Get(t)
			test(t, e)
		})
	}
}

// schema makes an empty schema that ends with the test.
func (e *engine) schema(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("schema_%d", e.schemas.Add(1))
	e.exec(t, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	t.Cleanup(func() { e.db.Exec("DROP DATABASE " + name) })
	return name
}

func (e *engine) exec(t *testing.T, sql string) {
	t.Helper()
	if _, err := e.db.Exec(sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// ask returns the one value that a query gives.
func (e *engine) ask(t *testing.T, query string) string {
	t.Helper()
	var s sql.NullString
	if err := e.db.QueryRow(query).Scan(&s); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s.String
}

// query is what a workload gets for its own questions.
func (e *engine) query(schema string) func(context.Context, string) ([][]string, error) {
	return func(ctx context.Context, query string) ([][]string, error) {
		conn, err := e.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		if _, err := conn.ExecContext(ctx, "USE "+schema); err != nil {
			return nil, err
		}
		rows, err := conn.QueryContext(ctx, query)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		var all [][]string
		for rows.Next() {
			row, to := make([]string, len(columns)), make([]any, len(columns))
			for i := range row {
				to[i] = &row[i]
			}
			if err := rows.Scan(to...); err != nil {
				return nil, err
			}
			all = append(all, row)
		}
		return all, rows.Err()
	}
}

// do runs statements in the schema.
func (e *engine) do(t *testing.T, schema string, statements []string) {
	t.Helper()
	for _, sql := range statements {
		conn, err := e.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.ExecContext(t.Context(), "USE "+schema)
		if err == nil {
			_, err = conn.ExecContext(t.Context(), sql)
		}
		conn.Close()
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// made makes a workload with its options.
func made(t *testing.T, name string, options map[string]string) workload.Workload {
	t.Helper()
	spec, ok := workload.Find(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	v, err := workload.NewValues(spec.Options, options)
	if err != nil {
		t.Fatal(err)
	}
	w, err := spec.New(v)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// load makes a workload's tables.
func (e *engine) load(t *testing.T, schema, name string, options map[string]string, w workload.Workload) {
	t.Helper()
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		texts = append(texts, key+"="+options[key])
	}
	config := e.server.Config()
	config.DBName = schema
	_, err := bulk.Load(t.Context(), config, w.Tables(), bulk.Options{Workload: name, WorkloadOptions: strings.Join(texts, ","),
		Seed: 1, StorageEngine: "InnoDB", Charset: "utf8mb4", Collation: "utf8mb4_bin", Parallel: 2})
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a trial that must not fail, with no statement that fails for
// another reason than a deadlock.
func (e *engine) run(t *testing.T, schema string, w workload.Workload, trial load.Trial) result.Measure {
	t.Helper()
	config := e.server.Config()
	config.DBName = schema
	target := load.Target{Config: config, SQLMode: e.ask(t, "SELECT @@GLOBAL.sql_mode")}
	if trial.LoadGen == "" {
		trial.LoadGen = "loop"
	}
	m, err := load.Run(t.Context(), target, w, trial)
	if err != nil {
		t.Fatal(err)
	}
	if m.Errors > m.Deadlocks {
		t.Fatalf("%d errors, %d of them deadlocks: %+v", m.Errors, m.Deadlocks, m.ErrorsBy)
	}
	return m
}

// perRound are reads, writes and others of a round.
func perRound(m result.Measure) string {
	n := float64(m.Transactions)
	return fmt.Sprintf("%.4g/%.4g/%.4g", float64(m.Reads)/n, float64(m.Writes)/n, float64(m.Others)/n)
}
