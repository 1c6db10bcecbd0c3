package lua_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/lua"
)

// started is the server of all tests of this package.
var started = servertest.Shared{Private: server.Private{Options: []server.Option{
	{Name: "innodb_flush_log_at_trx_commit", Value: "2"}, {Name: "max_connections", Value: "200"}}}}

func TestMain(m *testing.M) { os.Exit(servertest.Run(m, &started)) }

// target is a server with an empty schema sbtest.
func target(t *testing.T) load.Target {
	t.Helper()
	config := started.Get(t).Config()
	conn, err := load.Connect(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, sql := range []string{"DROP DATABASE IF EXISTS sbtest", "CREATE DATABASE sbtest"} {
		if _, err := conn.Fetch(t.Context(), sql, nil); err != nil {
			t.Fatal(err)
		}
	}
	config.DBName = "sbtest"
	return load.Target{Config: config}
}

// script writes a script and opens it.
func script(t *testing.T, source string, args ...string) *lua.Script {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.lua")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, path, args...)
}

func open(t *testing.T, path string, args ...string) *lua.Script {
	t.Helper()
	set, err := lua.ParseArguments(args)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lua.Open(path, lua.Script{Set: set, Database: "sbtest"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// does runs a command of a script and returns what it printed.
func does(t *testing.T, to load.Target, s *lua.Script, command string, threads int) string {
	t.Helper()
	var out strings.Builder
	r := runner(to, threads)
	r.Print = func(text string) { out.WriteString(text) }
	if err := s.Command(t.Context(), command, r); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out.String())
	}
	return out.String()
}

func runner(to load.Target, threads int) workload.Outside {
	return workload.Outside{Threads: threads, Clients: 7, Seed: 1,
		Open: func(ctx context.Context) (workload.Conn, error) { return load.Connect(ctx, to.Config) }}
}

// rounds runs a trial of so many rounds per thread.
func rounds(t *testing.T, to load.Target, s *lua.Script, threads, queries int) result.Measure {
	t.Helper()
	m, err := load.Run(t.Context(), to, s, load.Trial{Threads: threads, Queries: queries, ConnectParallel: 8, Prepared: true,
		QueryTimeout: 20 * time.Second, Timeout: time.Minute, Seed: 1})
	if err != nil {
		t.Fatalf("%v: %+v", err, m.ErrorsBy)
	}
	return m
}

// TestBundled: the scripts that sysbench brings prepare and run, with the
// statements per event that sysbench itself counts.
func TestBundled(t *testing.T) {
	tests := []struct {
		script string
		read   int64
		write  int64 // 0: chance decides
		other  int64
	}{
		{"oltp_point_select", 1, 0, 0},
		{"oltp_read_only", 14, 0, 2},
		{"oltp_read_write", 14, 0, 0},
		{"oltp_insert", 0, 1, 0},
		{"select_random_points", 1, 0, 0},
		{"select_random_ranges", 1, 0, 0},
	}
	if _, err := exec.LookPath("sysbench"); err != nil {
		t.Skip("sysbench is not installed: apt-get install sysbench")
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			to := target(t)
			s := open(t, test.script, "--table-size=500")
			if out := does(t, to, s, "prepare", 2); !strings.Contains(out, "Creating") {
				t.Errorf("prepare printed %q", out)
			}
			const threads, queries = 3, 20
			m := rounds(t, to, s, threads, queries)
			if m.Errors != 0 || m.Transactions != threads*queries {
				t.Fatalf("%d errors, %d transactions, want 0 and %d: %+v", m.Errors, m.Transactions, threads*queries, m.ErrorsBy)
			}
			if m.Reads != test.read*threads*queries {
				t.Errorf("%d reads, want %d", m.Reads, test.read*threads*queries)
			}
			if test.script == "oltp_read_write" {
				if got := m.Writes + m.Others; got != 6*threads*queries {
					t.Errorf("%d writes and others, want %d", got, 6*threads*queries)
				}
			} else if m.Writes != test.write*threads*queries || m.Others != test.other*threads*queries {
				t.Errorf("%d writes, %d others", m.Writes, m.Others)
			}
			does(t, to, s, "cleanup", 1)
		})
	}
}

// TestFailingScript: a fault of the script fails the trial with file, line and
// thread; a server's error that nobody ignores is counted.
func TestFailingScript(t *testing.T) {
	to := target(t)
	s := script(t, "function event()\n  local t = nil\n  return t.x\nend")
	_, err := load.Run(t.Context(), to, s, load.Trial{Threads: 2, Queries: 5, ConnectParallel: 8, Timeout: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "script.lua:3:") || !strings.Contains(err.Error(), "thread ") {
		t.Errorf("got %v, want file, line and thread", err)
	}
}

// TestEndlessLoop: a loop that never ends is cut off with the trial.
func TestEndlessLoop(t *testing.T) {
	to := target(t)
	for _, body := range []string{"while true do end", "repeat pcall(function() while true do end end) until false", "for i = 1, math.huge do end",
		"::again:: goto again"} {
		s := script(t, "function event() "+body+" end")
		began := time.Now()
		_, err := load.Run(t.Context(), to, s, load.Trial{Threads: 2, Queries: 5, ConnectParallel: 8, Timeout: 500 * time.Millisecond})
		if err == nil || time.Since(began) > 20*time.Second {
			t.Errorf("%s: %v after %s", body, err, time.Since(began))
		}
	}
}

// TestRestart: errors that the script says may be ignored restart the event,
// after the hook.
func TestRestart(t *testing.T) {
	to := target(t)
	s := script(t, `
function sysbench.hooks.sql_error_ignorable(e) return e.sql_errno == 1146 and e.sql_state == "42S02" end
function sysbench.hooks.before_restart_event(e)
  if e.sql_errno == 1146 then tries = (tries or 0) + 1 end
end
function thread_init() con = sysbench.sql.driver():connect() end
function event()
  if (tries or 0) < 3 then con:query("SELECT * FROM nowhere") end
  con:query("SELECT 1")
end`)
	m := rounds(t, to, s, 1, 2)
	if m.Errors != 3 || m.Ignored != 3 || m.Transactions != 2 {
		t.Errorf("%d errors, %d ignored, %d transactions; want 3, 3, 2", m.Errors, m.Ignored, m.Transactions)
	}
}

// TestSQLAPI: results, several result sets, bulk loading, prepared statements,
// closed connections.
func TestSQLAPI(t *testing.T) {
	to := target(t)
	s := script(t, `
function prepare()
  local drv = sysbench.sql.driver()
  print(drv:name(), drv, pcall(sysbench.sql.driver, "non-existing"))
  local con = drv:connect()
  con:query("CREATE TABLE t(a INT)")
  con:bulk_insert_init("INSERT INTO t VALUES")
  for i = 1, 100 do con:bulk_insert_next(string.format("(%d)", i)) end
  con:bulk_insert_done()
  print(con:query_row("SELECT COUNT(DISTINCT a) FROM t"))
  print(con:query_row("SELECT a FROM t WHERE a = 0"))
  print(con:query_row("SELECT NULL, 'x'"))
  local rs = con:query("SELECT a, NULL FROM t WHERE a < 4 ORDER BY a")
  print(rs.nrows, rs.nfields)
  for i = 1, rs.nrows do print(unpack(rs:fetch_row(), 1, rs.nfields)) end
  print(rs:fetch_row())
  con:query("CREATE PROCEDURE p(IN x VARCHAR(9)) BEGIN SELECT 'in', x; SELECT 7; END")
  rs = con:query([[CALL p("foo")]])
  while rs ~= nil do
    print(rs.nrows, rs.nfields, rs:fetch_row()[1])
    rs = con:next_result()
  end
  con:query("ALTER TABLE t ADD COLUMN b CHAR(10), ADD COLUMN c FLOAT")
  local stmt = con:prepare("UPDATE t SET a = a + ?, b = ?, c = ? WHERE '?' = '?'")
  local a, b = stmt:bind_create(sysbench.sql.type.INT), stmt:bind_create(sysbench.sql.type.CHAR, 10)
  local c = stmt:bind_create(sysbench.sql.type.FLOAT)
  print(stmt, a, pcall(stmt.bind_create, stmt, sysbench.sql.type.DATE))
  stmt:bind_param(a, b, c)
  a:set(100) b:set("0123'\\6789X") c:set(0.5)
  print(stmt:execute())
  b:set(nil)
  a:set(1)
  stmt:execute()
  print(con:query_row("SELECT MIN(a), MAX(a), MIN(b), MIN(c) FROM t"))
  print(pcall(con.query, con, "SELECT nothing FROM t"))
  con:bulk_insert_init("INSERT INTO t VALUES")
  con:bulk_insert_done()
  print(pcall(con.bulk_insert_next, con, "(1)"))
  con:disconnect()
  print(pcall(con.query, con, "SELECT 1"))
end`)
	got := does(t, to, s, "prepare", 1)
	for _, want := range []string{
		"mysql\t<sql_driver>\tfalse\t", "failed to initialize the DB driver",
		"\n100\nnil\nnil\tx\n3\t2\n1\tnil\n2\tnil\n3\tnil\nnil\n1\t2\tin\n1\t1\t7\n",
		"<sql_statement>\t<sql_param>\tfalse\t", "Unsupported argument type: 8",
		"<sql_result>\n", "102\t201\tnil\t0.5\n",
		"SQL error, errno = 1054, state = '42S22'",
		"db_bulk_insert_next() failed", "ALERT: attempt to use an already closed connection",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestOldAPI is a script in the manner of 0.4 and 0.5.
func TestOldAPI(t *testing.T) {
	to := target(t)
	s := script(t, `
function prepare()
  db_connect()
  db_query("CREATE TABLE t(id INT PRIMARY KEY, n INT)")
  db_bulk_insert_init("INSERT INTO t VALUES")
  for i = 1, oltp_table_size do db_bulk_insert_next("(" .. i .. ", " .. sb_rand(1, 10) .. ")") end
  db_bulk_insert_done()
end
function thread_init(thread_id)
  stmt = db_prepare("SELECT n FROM t WHERE id = ?")
  params = {1}
  db_bind_param(stmt, params)
end
function event(thread_id)
  params[1] = sb_rand_uniform(1, oltp_table_size)
  rs = db_execute(stmt)
  db_store_results(rs)
  db_free_results(rs)
  db_query("UPDATE t SET n = n + 1 WHERE id = " .. (thread_id + 1))
end`, "--oltp-table-size=50")
	does(t, to, s, "prepare", 1)
	m := rounds(t, to, s, 2, 10)
	if m.Reads != 20 || m.Writes != 20 || m.Errors != 0 {
		t.Errorf("%d reads, %d writes, %d errors", m.Reads, m.Writes, m.Errors)
	}
}

// TestManyConnections: a thread with ten connections.
func TestManyConnections(t *testing.T) {
	to := target(t)
	s := script(t, `
function thread_init()
  con = {}
  for i = 1, 10 do con[i] = sysbench.sql.driver():connect() end
end
function event()
  local seen = {}
  for i = 1, 10 do seen[con[i]:query_row("SELECT CONNECTION_ID()")] = true end
  local n = 0
  for _ in pairs(seen) do n = n + 1 end
  assert(n == 10, n)
end`)
	m := rounds(t, to, s, 2, 3)
	if m.Queries != 60 || m.Errors != 0 {
		t.Errorf("%d queries, %d errors", m.Queries, m.Errors)
	}
}

// TestEnough: event() returning true ends its thread.
func TestEnough(t *testing.T) {
	to := target(t)
	s := script(t, `
function thread_init() con = sysbench.sql.driver():connect() end
function event()
  n = (n or 0) + 1
  con:query("DO 0")
  if n == 3 then return true end
  return false
end`)
	if m := rounds(t, to, s, 2, 10); m.Transactions != 4 || m.Queries != 6 {
		t.Errorf("%d transactions, %d queries; want 4 and 6", m.Transactions, m.Queries)
	}
}

// TestSeeds: the same seed gives the same statements, another one others.
func TestSeeds(t *testing.T) {
	to := target(t)
	source := `
function thread_init() con = sysbench.sql.driver():connect() end
function event() con:query("INSERT INTO log VALUES (" .. sysbench.tid .. ", " .. sysbench.rand.default(1, 1e6) .. ", " .. math.random(1, 1e6) .. ")") end`
	sum := func(seed uint64) string {
		conn, err := load.Connect(t.Context(), to.Config)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		var rows workload.Results
		for _, sql := range []string{"DROP TABLE IF EXISTS log", "CREATE TABLE log(t INT, a INT, b INT)"} {
			if _, err := conn.Fetch(t.Context(), sql, &rows); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := load.Run(t.Context(), to, script(t, source), load.Trial{Threads: 3, Queries: 20, ConnectParallel: 8, Seed: seed,
			Timeout: time.Minute}); err != nil {
			t.Fatal(err)
		}
		rows.Reset()
		if _, err := conn.Fetch(t.Context(), "SELECT SUM(t * a), SUM(b), COUNT(*) FROM log", &rows); err != nil {
			t.Fatal(err)
		}
		var values []string
		for i := range 3 {
			v, _ := rows.Value(0, 0, i)
			values = append(values, string(v))
		}
		return fmt.Sprint(values)
	}
	first, again, other := sum(1), sum(1), sum(2)
	if first != again || first == other {
		t.Errorf("seed 1 gives %s and %s, seed 2 gives %s", first, again, other)
	}
}

// A command that runs once sees as many threads as the largest trial has, as scripts make a table
// for each; a parallel one sees those that run it.
func TestThreadsOfCommands(t *testing.T) {
	to := target(t)
	s := script(t, `
sysbench.cmdline.commands = {once = {function() print("once", sysbench.opt.threads) end},
  each = {function() print("each", sysbench.opt.threads) end, sysbench.cmdline.PARALLEL_COMMAND}}
`)
	if got := does(t, to, s, "once", 2); got != "once\t7\n" {
		t.Errorf("%q, want 7 threads", got)
	}
	if got := does(t, to, s, "each", 2); got != "each\t2\neach\t2\n" {
		t.Errorf("%q, want two runs with 2 threads", got)
	}
}

// A bulk load that begins while another is under way loses no row, and one whose INSERT failed
// goes on.
func TestBulkAgain(t *testing.T) {
	to := target(t)
	s := script(t, `
function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("CREATE TABLE again (id INT PRIMARY KEY)")
  con:bulk_insert_init("INSERT INTO again VALUES")
  con:bulk_insert_next("(1)")
  con:bulk_insert_init("INSERT INTO again VALUES")
  con:bulk_insert_next("(2)")
  con:bulk_insert_done()
  con:bulk_insert_init("INSERT INTO again VALUES")
  con:bulk_insert_next("(2)")
  print(pcall(con.bulk_insert_done, con))
  con:bulk_insert_next("(3)")
  con:bulk_insert_done()
  print(con:query_row("SELECT COUNT(*) FROM again"))
  con:query("DROP TABLE again")
end`)
	if got := does(t, to, s, "prepare", 1); !strings.Contains(got, "false\t") || !strings.HasSuffix(got, "3\n") {
		t.Errorf("%q, want an error and three rows", got)
	}
}
