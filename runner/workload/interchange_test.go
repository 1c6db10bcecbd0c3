package workload_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
)

// sysbench runs the real one, 1.0.20 as Debian has it.
func (e *engine) sysbench(t *testing.T, schema, workload, command string, options ...string) string {
	t.Helper()
	config := e.server.Config()
	args := append([]string{workload, "--mysql-socket=" + config.Addr, "--mysql-user=" + config.User, "--mysql-password=" + config.Passwd,
		"--mysql-db=" + schema, "--threads=2", "--time=0"}, options...)
	var out bytes.Buffer
	cmd := exec.Command("sysbench", append(args, command)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("sysbench %s %s: %v\n%s", workload, command, err, out.String())
	}
	return out.String()
}

var counted = regexp.MustCompile(`read: +(\d+)\s+write: +(\d+)\s+other: +(\d+)\s+total: +\d+\s+transactions: +(\d+)`)

// sysbenchPerEvent are sysbench's reads, writes and others of an event.
func sysbenchPerEvent(t *testing.T, report string) string {
	t.Helper()
	m := counted.FindStringSubmatch(report)
	if m == nil {
		t.Fatalf("no counts in\n%s", report)
	}
	var n [5]float64
	for i := 1; i < 5; i++ {
		n[i], _ = strconv.ParseFloat(m[i], 64)
	}
	return fmt.Sprintf("%.4g/%.4g/%.4g", n[1]/n[4], n[2]/n[4], n[3]/n[4])
}

var interchanged = []struct {
	workload string
	counts   string // per round; "" if chance decides
	set      map[string]string
}{
	{"oltp_point_select", "1/0/0", nil},
	{"oltp_read_only", "14/0/2", nil},
	{"oltp_read_only", "13/0/0", map[string]string{"skip-trx": "on", "point-selects": "5", "sum-ranges": "5"}},
	{"oltp_read_write", "14/4/2", nil},
	{"oltp_read_write", "12/6/2", map[string]string{"range-selects": "off", "point-selects": "12", "delete-inserts": "2"}},
	{"oltp_write_only", "0/4/2", nil},
	{"oltp_update_index", "0/1/0", nil},
	{"oltp_update_non_index", "0/1/0", nil},
	{"oltp_insert", "0/1/0", nil},
	{"oltp_insert", "0/1/0", map[string]string{"auto-inc": "off"}},
	{"oltp_delete", "", nil},
	{"select_random_points", "1/0/0", nil},
	{"select_random_ranges", "1/0/0", map[string]string{"secondary": "on"}},
	{"bulk_insert", "", nil},
}

// TestInterchange: what sysbench prepared, mysweep runs on, and the reverse;
// the tables have the same definition, and an event the same statements.
func TestInterchange(t *testing.T) {
	if _, err := exec.LookPath("sysbench"); err != nil {
		t.Skip("sysbench is not installed: apt-get install sysbench")
	}
	onEngines(t, func(t *testing.T, e *engine) {
		for _, test := range interchanged {
			t.Run(test.workload, func(t *testing.T) {
				set := map[string]string{"table-size": "500", "tables": "2"}
				if strings.HasPrefix(test.workload, "select_random") {
					delete(set, "tables")
				}
				if test.workload == "bulk_insert" {
					delete(set, "table-size") // it has none
				}
				for name, value := range test.set {
					set[name] = value
				}
				var flags []string
				for name, value := range set {
					if test.workload != "bulk_insert" {
						flags = append(flags, "--"+name+"="+value)
					}
				}
				e.interchange(t, e.schema(t), e.schema(t), test.workload, test.counts, set, flags)
			})
		}
	})
}

// interchange prepares by sysbench in theirs and by mysweep in ours, and runs
// both on both. Deadlocks are possible, so counts are of what was answered.
func (e *engine) interchange(t *testing.T, theirs, ours, name, counts string, set map[string]string, flags []string) {
	e.sysbench(t, theirs, name, "prepare", flags...)
	w := made(t, name, set)
	e.load(t, ours, name, set, w)
	if a, b := e.definition(t, theirs), e.definition(t, ours); a != b {
		t.Errorf("sysbench's table\n%s\nmysweep's\n%s", a, b)
	}
	const events = 60
	for schema, who := range map[string]string{theirs: "sysbench's", ours: "mysweep's"} {
		before := e.rows(t, schema)
		m := e.run(t, schema, made(t, name, set), load.Trial{Threads: 2, Events: events, Prepared: true})
		if m.Transactions != events {
			t.Errorf("on %s tables: %d rounds, want %d", who, m.Transactions, events)
		}
		if name == "bulk_insert" {
			if grown := e.rows(t, schema) - before; grown != events {
				t.Errorf("on %s tables: %d rows inserted, want %d", who, grown, events)
			}
			e.exec(t, "TRUNCATE TABLE "+schema+".sbtest1") // sysbench begins at 1 again
			e.exec(t, "TRUNCATE TABLE "+schema+".sbtest2")
		}
		if m.Reads+m.Writes+m.Others != m.Queries {
			t.Errorf("on %s tables: %d reads, %d writes, %d others of %d queries", who, m.Reads, m.Writes, m.Others, m.Queries)
		}
		if counts != "" && m.Deadlocks == 0 && perRound(m) != counts {
			t.Errorf("on %s tables: reads/writes/others %s a round, want %s", who, perRound(m), counts)
		}
		if name == "oltp_delete" { // sysbench too counts a DELETE of nothing as "other"
			if gone := before - e.rows(t, schema); gone != m.Writes || m.Writes+m.Others != events {
				t.Errorf("on %s tables: %d writes and %d others, %d rows gone", who, m.Writes, m.Others, gone)
			}
		}
		report := e.sysbench(t, schema, name, "run", append(flags, fmt.Sprintf("--events=%d", events))...)
		if counts != "" && strings.Contains(report, "ignored errors:                      0 ") && sysbenchPerEvent(t, report) != counts {
			t.Errorf("sysbench on %s tables: %s an event, want %s", who, sysbenchPerEvent(t, report), counts)
		}
		if strings.HasPrefix(name, "oltp_read_write") && e.rows(t, schema) != before {
			t.Errorf("%s tables have %d rows, before %d", who, e.rows(t, schema), before)
		}
	}
}

var changing = regexp.MustCompile(` (AUTO_INCREMENT=\d+|COMMENT='[^']*')`)

// definition is how the server shows the first table, without what is ours.
func (e *engine) definition(t *testing.T, schema string) string {
	t.Helper()
	rows, err := e.query(schema)(t.Context(), "SHOW CREATE TABLE sbtest1")
	if err != nil {
		t.Fatal(err)
	}
	return changing.ReplaceAllString(rows[0][1], "")
}

// rows are those of all sbtest tables.
func (e *engine) rows(t *testing.T, schema string) int64 {
	t.Helper()
	tables, err := e.query(schema)(t.Context(), "SHOW TABLES")
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, table := range tables {
		n, err := strconv.ParseInt(e.ask(t, "SELECT COUNT(*) FROM "+schema+"."+table[0]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}
