package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"unsafe"
)

// sbtest is the tables of sysbench 1.x, sbtest1 .. sbtestN. Either program can
// run on tables that the other one has loaded.
type sbtest struct {
	tables    int
	rows      int64 // of each table, and the ids that are drawn
	draw      Draw
	autoInc   bool
	secondary bool // KEY xid in place of the primary key
	indexK    bool
}

var sbtestOptions = append([]Option{
	{Name: "table-size", Usage: "rows of each table", Default: "10000", Form: "int"},
	{Name: "auto-inc", Usage: "take ids from AUTO_INCREMENT instead of the client", Default: "true", Form: "bool"},
	{Name: "secondary", Usage: "a secondary index on id in place of the primary key", Default: "false", Form: "bool"},
	{Name: "create-secondary", Usage: "a secondary index on k", Default: "true", Form: "bool"},
}, randOptions...)

func newSbtest(v Values, tables int64) (sbtest, error) {
	w := sbtest{
		tables:    int(tables),
		rows:      v.Int("table-size"),
		autoInc:   v.Bool("auto-inc"),
		secondary: v.Bool("secondary"),
		indexK:    v.Bool("create-secondary"),
	}
	if err := atLeast(v, 1, "table-size"); err != nil {
		return w, err
	}
	if w.rows > 1<<31-1 {
		return w, fmt.Errorf("invalid table-size %d: must be at most %d (id is an INTEGER)", w.rows, 1<<31-1)
	}
	var err error
	w.draw, err = newDraw(v)
	return w, err
}

// atLeast returns an error for the first option below least.
func atLeast(v Values, least int64, names ...string) error {
	for _, name := range names {
		if n := v.Int(name); n < least {
			return fmt.Errorf("invalid %s %d: must be at least %d", name, n, least)
		}
	}
	return nil
}

// Tables are sysbench's tables. Ids are written as numbers from 1 on, so that
// they have no gaps however many loaders share the work; k follows the
// distribution of the ids, as sysbench fills it.
func (w *sbtest) Tables() []Table {
	tables := make([]Table, w.tables)
	for i := range tables {
		tables[i] = w.table(i+1, w.rows)
	}
	return tables
}

func (w *sbtest) table(number int, rows int64) Table {
	id, key := "INTEGER NOT NULL", "PRIMARY KEY"
	if w.autoInc {
		id += " AUTO_INCREMENT"
	}
	if w.secondary {
		key = "KEY xid"
	}
	t := Table{
		Name: "sbtest" + strconv.Itoa(number),
		Columns: "id " + id + ", k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, " +
			"pad CHAR(60) DEFAULT '' NOT NULL, " + key + " (id)",
		Load:    []string{"id", "k", "c", "pad"},
		Rows:    rows,
		SizedBy: "table-size",
		Row:     w.row,
	}
	if w.indexK {
		t.After = []string{fmt.Sprintf("CREATE INDEX k_%d ON %s(k)", number, t.Name)}
	}
	return t
}

func (w *sbtest) row(row *Row, r *rand.Rand, i int64) {
	var c [cLength]byte
	var pad [padLength]byte
	row.Int(i + 1)
	row.Int(w.draw(r, 1, w.rows))
	row.Text(fillGroups(c[:], r))
	row.Text(fillGroups(pad[:], r))
}

// c is 10 groups of 11 digits joined by -, pad 5 of them.
const (
	group     = 11
	cLength   = 10*(group+1) - 1
	padLength = 5*(group+1) - 1
)

// fillGroups fills b with groups of 11 random digits joined by - and returns
// it as a string that shares its memory, so that a query allocates nothing:
// the string is good until b is filled again.
func fillGroups(b []byte, r *rand.Rand) string {
	for i := 0; i < len(b); i += group + 1 {
		if i > 0 {
			b[i-1] = '-'
		}
		n := r.Uint64N(1e11)
		for j := group - 1; j >= 0; j-- {
			b[i+j] = '0' + byte(n%10)
			n /= 10
		}
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// newNoise returns a generator for the content of updates. It is not seeded by
// the plan: a repeated run on the same tables would write the values that are
// already there, which costs the server nothing.
func newNoise() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// declare declares a statement for each table; sql has %d for its number.
func (w *sbtest) declare(s Session, typ string, kind Kind, sql string) []Handle {
	handles := make([]Handle, w.tables)
	for i := range handles {
		handles[i] = s.Declare(Statement{Type: typ, Kind: kind, SQL: fmt.Sprintf(sql, i+1)})
	}
	return handles
}

// id draws an id by the distribution, pick one of the tables uniformly.
func (w *sbtest) id(r *rand.Rand) int64 { return w.draw(r, 1, w.rows) }

func pick(r *rand.Rand, handles []Handle) Handle { return handles[r.IntN(len(handles))] }
