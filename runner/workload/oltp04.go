package workload

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"sync/atomic"
	"time"
)

// oltp04Spec is the OLTP test of sysbench 0.4.12, with that version's names
// of options, its table and its constant rows.
var oltp04Spec = Spec{
	Name:    "oltp",
	Summary: "sysbench 0.4.12's oltp: complex, simple or nontrx, with its reconnect modes",
	Family:  "sysbench",
	Options: oltp04Options,
	Sweep:   Sweep{Time: "10s"},
	New:     newOLTP04,
}

var oltp04Options = append([]Option{
	{Name: "oltp-test-mode", Usage: "complex: a transaction; simple: one SELECT; nontrx: one statement of --oltp-nontrx-mode",
		Default: "complex", Form: "text", Choices: []string{"complex", "simple", "nontrx"}},
	{Name: "oltp-reconnect-mode", Usage: "when to reconnect, within the event",
		Default: "session", Form: "text", Choices: []string{"session", "transaction", "query", "random"}},
	{Name: "oltp-connect-delay", Usage: "sleep after a reconnect, within the event, in microseconds", Default: "10000", Form: "int"},
	{Name: "oltp-read-only", Usage: "no statements that write", Default: "false", Form: "bool"},
	{Name: "oltp-skip-trx", Usage: "no BEGIN and COMMIT", Default: "false", Form: "bool"},
	{Name: "oltp-nontrx-mode", Usage: "statement of the mode nontrx",
		Default: "select", Form: "text", Choices: []string{"select", "update_key", "update_nokey", "insert", "delete"}},
	{Name: "oltp-range-size", Usage: "rows of a range SELECT", Default: "100", Form: "int"},
	{Name: "oltp-point-selects", Usage: "point SELECTs per transaction", Default: "10", Form: "int"},
	{Name: "oltp-simple-ranges", Usage: "simple range SELECTs per transaction", Default: "1", Form: "int"},
	{Name: "oltp-sum-ranges", Usage: "SELECT SUM() queries per transaction", Default: "1", Form: "int"},
	{Name: "oltp-order-ranges", Usage: "SELECT ORDER BY queries per transaction", Default: "1", Form: "int"},
	{Name: "oltp-distinct-ranges", Usage: "SELECT DISTINCT queries per transaction", Default: "1", Form: "int"},
	{Name: "oltp-index-updates", Usage: "updates of the indexed column k per transaction", Default: "1", Form: "int"},
	{Name: "oltp-non-index-updates", Usage: "updates of the column c per transaction", Default: "1", Form: "int"},
	{Name: "oltp-user-delay-min", Usage: "minimum think time before a statement, in microseconds", Default: "0", Form: "int"},
	{Name: "oltp-user-delay-max", Usage: "maximum think time before a statement, in microseconds", Default: "0", Form: "int"},
	{Name: "oltp-auto-inc", Usage: "take ids from AUTO_INCREMENT instead of the client", Default: "true", Form: "bool"},
	{Name: "oltp-table-name", Usage: "name of the table", Default: "sbtest", Form: "text"},
	{Name: "oltp-table-size", Usage: "rows of the table", Default: "10000", Form: "int"},
	{Name: "mysql-engine-trx", Usage: "use BEGIN and COMMIT; off: LOCK TABLES and UNLOCK TABLES",
		Default: "true", Form: "bool"},
}, oltp04RandOptions...)

// oltp04 is the workload with its options.
type oltp04 struct {
	table     string
	rows      int64
	id        func(*rand.Rand) int64
	autoInc   bool
	test      string
	nontrx    string
	reconnect string
	readOnly  bool
	skipTrx   bool
	engineTrx bool
	rangeSize int64
	// times is the number of each statement in a complex transaction.
	times [doInsert + 1]int64

	connectDelay       time.Duration
	thinkMin, thinkMax time.Duration
	made               atomic.Int64 // ids given by uniqueID
}

var tableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

func newOLTP04(v Values) (Workload, error) {
	w := &oltp04{
		table:        v.Text("oltp-table-name"),
		rows:         v.Int("oltp-table-size"),
		autoInc:      v.Bool("oltp-auto-inc"),
		test:         v.Text("oltp-test-mode"),
		nontrx:       v.Text("oltp-nontrx-mode"),
		reconnect:    v.Text("oltp-reconnect-mode"),
		readOnly:     v.Bool("oltp-read-only"),
		skipTrx:      v.Bool("oltp-skip-trx"),
		engineTrx:    v.Bool("mysql-engine-trx"),
		rangeSize:    v.Int("oltp-range-size"),
		connectDelay: microseconds(v, "oltp-connect-delay"),
		thinkMin:     microseconds(v, "oltp-user-delay-min"),
		thinkMax:     microseconds(v, "oltp-user-delay-max"),
	}
	for do, name := range oltp04Counts {
		if name == "" {
			continue
		}
		w.times[do] = v.Int(name)
		if err := atLeast(v, 0, name); err != nil {
			return nil, err
		}
	}
	if !tableName.MatchString(w.table) {
		return nil, fmt.Errorf("invalid oltp-table-name %q: expected letters, digits and _", w.table)
	}
	if err := atLeast(v, 1, "oltp-table-size", "oltp-range-size"); err != nil {
		return nil, err
	}
	if w.rows > 1<<32-1 {
		return nil, fmt.Errorf("invalid oltp-table-size %d: must be at most %d (id is an INTEGER UNSIGNED)", w.rows, 1<<32-1)
	}
	if err := atLeast(v, 0, "oltp-connect-delay", "oltp-user-delay-min", "oltp-user-delay-max"); err != nil {
		return nil, err
	}
	var err error
	w.id, err = newOLTP04Draw(v, w.rows)
	return w, err
}

func microseconds(v Values, name string) time.Duration {
	return time.Duration(v.Int(name)) * time.Microsecond
}

// Tables is 0.4.12's table: all rows have the same content, so that it
// compresses well and its index on k has one value. The index is created before
// the load.
func (w *oltp04) Tables() []Table {
	auto := ""
	if w.autoInc {
		auto = " AUTO_INCREMENT"
	}
	alone := w.test == "nontrx"
	return []Table{{
		Name: w.table,
		Columns: "id INTEGER UNSIGNED NOT NULL" + auto + ", k integer UNSIGNED DEFAULT '0' NOT NULL, " +
			"c char(120) DEFAULT '' NOT NULL, pad char(60) DEFAULT '' NOT NULL, PRIMARY KEY (id), KEY k (k)",
		Load: []string{"id", "k", "c", "pad"},
		Rows: w.rows, SizedBy: "oltp-table-size",
		Row: func(row *Row, _ *rand.Rand, i int64) {
			row.Int(i + 1)
			row.Int(0)
			row.Text(" ")
			row.Text("qqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt")
		},
		Grows:   alone && w.nontrx == "insert",
		Shrinks: alone && w.nontrx == "delete",
	}}
}

// BeforeTrial empties the table for the inserts of the mode nontrx, as the
// original does at its start.
func (w *oltp04) BeforeTrial() []string {
	if w.test != "nontrx" || w.nontrx != "insert" {
		return nil
	}
	return []string{"TRUNCATE TABLE " + w.table}
}

// uniqueID walks over all ids in steps of a prime. The original repeats itself
// after as many ids as the table has rows; here new ids follow.
func (w *oltp04) uniqueID() int64 {
	const prime = 1<<31 - 1
	n, rows := uint64(w.made.Add(1)-1), uint64(w.rows)
	step := max(prime%rows, 1)
	return int64(n%rows*step%rows + 1 + n/rows*rows)
}
