package bulk_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// TestRequiredPrimaryKey: a server that requires a primary key gets every table of ours with one,
// which no statement sees. For a table that somebody else has defined the error names the variable,
// and nothing is left behind.
func TestRequiredPrimaryKey(t *testing.T) {
	for _, row := range []struct{ program, variable string }{{"", "innodb_force_primary_key"}, {os.Getenv("MYSWEEP_TEST_MYSQLD"), "sql_require_primary_key"}} {
		t.Run(row.variable, func(t *testing.T) {
			if row.program == "" && row.variable == "sql_require_primary_key" {
				t.Skip("no MySQL: MYSWEEP_TEST_MYSQLD is not set")
			}
			private := servertest.Start(t, server.Private{Mysqld: row.program, AllowMemory: true, Options: []server.Option{{Name: row.variable, Value: "ON"}}})
			db, err := private.Pool(1)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			config := private.Config()
			config.DBName = "keys"
			for _, w := range []struct {
				name    string
				options plan.Options
				without string // the table whose definition has no primary key
				insert  string
			}{
				{"tpcb", nil, "history", "INSERT INTO keys.history VALUES (1,2,3,4,NULL,'x')"},
				{"oltp_read_write", plan.Options{"table-size": "200", "secondary": "true"}, "sbtest1", "INSERT INTO keys.sbtest1 VALUES (1000,2,'c','p')"},
			} {
				tables := tablesOf(t, w.name, w.options)
				for _, l := range load(t, config, tables, options()) {
					if told := strings.Contains(l.Note, "primary key"); told != (l.Table == w.without || l.Table == "history_carried") {
						t.Errorf("%s: note %q", l.Table, l.Note)
					}
				}
				if _, err := db.Exec(w.insert); err != nil {
					t.Errorf("the statements of %s: %v", w.name, err)
				}
				if key := ask(t, db, "SELECT GROUP_CONCAT(column_name) FROM information_schema.columns WHERE table_schema='keys' AND column_key='PRI' AND table_name='"+w.without+"'"); key != "mysweep_key" {
					t.Errorf("the primary key of %s is %q", w.without, key)
				}
				if seen := visible(t, db, "SELECT * FROM keys."+w.without); strings.Contains(seen, "mysweep_key") {
					t.Errorf("statements see the columns %s", seen)
				}
				for _, l := range load(t, config, tables[:1], options()) { // again
					if !l.Reused && w.name == "tpcb" {
						t.Errorf("%+v is not used again", l)
					}
				}
				if _, err := bulk.Drop(t.Context(), config, tables, options()); err != nil {
					t.Error(err)
				}
			}
			foreign := []workload.Table{words(10), {Name: "kit", Create: "CREATE TABLE kit (a INT)"}}
			_, err = bulk.Load(t.Context(), config, foreign, options())
			if err == nil || !strings.Contains(err.Error(), row.variable) || !strings.Contains(err.Error(), "keys.kit") || !strings.Contains(err.Error(), "add a primary key") {
				t.Errorf("%v; want the variable, the table and the way out", err)
			}
			if left := ask(t, db, "SELECT GROUP_CONCAT(table_name) FROM information_schema.tables WHERE table_schema='keys'"); left != "" {
				t.Errorf("%s is left behind", left)
			}
		})
	}
}

// tablesOf are those of a workload.
func tablesOf(t *testing.T, name string, options plan.Options) []workload.Table {
	t.Helper()
	spec, ok := workload.Find(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	values, err := workload.NewValues(spec.Options, options)
	if err != nil {
		t.Fatal(err)
	}
	made, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return made.Tables()
}

// visible are the columns of a result.
func visible(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(columns, ",")
}
