package workload_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// hostile defaults of sessions, each of which changes what a workload does to its tables or gets
// from them.
var hostile = []struct {
	name    string
	globals map[string]string
	connect string // init_connect, which holds for accounts without SUPER
}{
	{"friendly", nil, ""},
	{"globals", map[string]string{"autocommit": "0", "sql_select_limit": "1", "transaction_isolation": "'SERIALIZABLE'"}, ""},
	{"init_connect", nil, "SET autocommit=0, sql_select_limit=0; SET NAMES latin1"},
	{"sql_mode", map[string]string{"sql_mode": "'ANSI,NO_BACKSLASH_ESCAPES,NO_AUTO_VALUE_ON_ZERO,PAD_CHAR_TO_FULL_LENGTH,ONLY_FULL_GROUP_BY'"}, ""},
}

// TestHostileSessions: whatever new sessions begin with, each workload sends the same statements
// and leaves the same rows, for an account without SUPER.
func TestHostileSessions(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		e.exec(t, "CREATE USER 'ordinary'@'localhost' IDENTIFIED BY 'Secret-1'")
		defer e.exec(t, "DROP USER 'ordinary'@'localhost'")
		for _, spec := range workload.All() {
			var want string
			for _, h := range hostile {
				got := e.underDefaults(t, spec, h.globals, h.connect)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s, %s:\n%s\nwant\n%s", spec.Name, h.name, got, want)
				}
			}
		}
	})
}

// underDefaults loads and runs a workload on a server with these defaults, and says what was sent
// and what the tables hold.
func (e *engine) underDefaults(t *testing.T, spec workload.Spec, globals map[string]string, connect string) string {
	t.Helper()
	schema := e.schema(t)
	e.exec(t, "GRANT ALL ON "+schema+".* TO 'ordinary'@'localhost'")
	options := map[string]string{}
	for name, small := range map[string]string{"rows": "300", "table-size": "300", "tables": "2", "items": "50", "customers": "60"} {
		if slices.ContainsFunc(spec.Options, func(o workload.Option) bool { return o.Name == name }) {
			options[name] = small
		}
	}
	if spec.Name == "dbt1" {
		options = smallShop
	}
	set := maps.Clone(globals)
	if connect != "" {
		set = map[string]string{"init_connect": "'" + connect + "'"}
	}
	for name, value := range set {
		if strings.HasSuffix(name, "isolation") && e.name == "mariadb" {
			name = "tx_isolation"
		}
		e.exec(t, "SET GLOBAL "+name+"="+value)
		defer e.exec(t, "SET GLOBAL "+name+"=DEFAULT")
	}
	w := made(t, spec.Name, options)
	target, err := server.Open(t.Context(), server.Endpoint{Socket: e.server.Endpoint.Socket, User: "ordinary", Password: "Secret-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	config := target.Config()
	config.DBName = schema
	if _, err := bulk.Load(t.Context(), config, w.Tables(), bulk.Options{Workload: spec.Name, Seed: 1, StorageEngine: "InnoDB",
		Charset: "utf8mb4", Collation: "utf8mb4_bin", Parallel: 1, NoLocalInfile: true}); err != nil {
		t.Fatalf("%s: %v", spec.Name, err)
	}
	m, err := load.Run(t.Context(), load.Target{Config: config, SQLMode: e.ask(t, "SELECT @@GLOBAL.sql_mode")}, w,
		load.Trial{Threads: 1, Queries: 20, LoadGen: "loop", Seed: 7})
	if err != nil {
		t.Fatalf("%s: %v", spec.Name, err)
	}
	text := fmt.Sprintf("%d rounds, %d reads, %d writes, %d others, %d errors %+v\n", m.Transactions, m.Reads, m.Writes, m.Others, m.Errors, m.ErrorsBy)
	for _, table := range w.Tables() {
		text += fmt.Sprintf("%s: %s\n", table.Name, e.content(t, schema, table.Name))
	}
	return text
}

// content is the sum of a table's numbers; texts are by chance.
func (e *engine) content(t *testing.T, schema, table string) string {
	columns := e.ask(t, "SELECT GROUP_CONCAT('IFNULL(`', column_name, '`, 0)' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_schema='"+
		schema+"' AND table_name='"+table+"' AND data_type IN ('int','bigint','smallint')")
	return e.ask(t, "SELECT CONCAT(COUNT(*), ' rows, ', IFNULL(SUM(CRC32(CONCAT_WS('|', "+columns+"))), 0)) FROM "+schema+"."+table)
}
