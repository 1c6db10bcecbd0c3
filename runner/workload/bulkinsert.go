package workload

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// bulkInsert adds one row a round to a text that is sent when it is long
// enough, so that most rounds send nothing: its figure is rows per second.
var bulkInsert = Spec{
	Name:    "bulk_insert",
	Summary: "sysbench's bulk_insert: one row per round, sent in INSERTs of 512 KiB, one table per thread",
	Family:  "sysbench",
	Options: []Option{
		{Name: "tables", Usage: "number of tables; threads beyond it share them", Default: "128", Form: "int", Most: 100_000},
	},
	Sweep: Sweep{Time: "10s"},
	New: func(v Values) (Workload, error) {
		if err := atLeast(v, 1, "tables"); err != nil {
			return nil, err
		}
		return &bulkInserts{ids: make([]atomic.Int64, v.Int("tables"))}, nil
	},
}

// bulkLength is the length in bytes from which on a text is sent.
const bulkLength = 512 << 10

type bulkInserts struct {
	ids []atomic.Int64 // the last id of each table: later trials continue after it
}

// Tables are sysbench's, empty. They are named like those of the oltp
// workloads and have other columns.
func (w *bulkInserts) Tables() []Table {
	tables := make([]Table, len(w.ids))
	for i := range tables {
		tables[i] = Table{
			Name:    "sbtest" + strconv.Itoa(i+1),
			Columns: "id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id)",
			Load:    []string{"id", "k"},
			Grows:   true,
		}
	}
	return tables
}

// Adopt continues after the last id of each table.
func (w *bulkInserts) Adopt(ctx context.Context, query Query) error {
	for i := range w.ids {
		last, err := query.integer(ctx, fmt.Sprintf("SELECT COALESCE(MAX(id), 0) FROM sbtest%d", i+1))
		if err != nil {
			return err
		}
		w.ids[i].Store(last)
	}
	return nil
}

// Thread makes a round that writes a row and, if the text is long enough,
// sends it; the rest is sent after the last round.
func (w *bulkInserts) Thread(s Session) (Round, error) {
	table := s.Thread() % len(w.ids)
	head := fmt.Sprintf("INSERT INTO sbtest%d VALUES", table+1)
	h := s.Declare(Statement{Type: "bulk_insert", Kind: Write})
	text := append(make([]byte, 0, bulkLength+64), head...)
	send := func() error {
		if len(text) == len(head) {
			return nil
		}
		if _, err := s.Raw(h, unsafe.String(unsafe.SliceData(text), len(text))); err != nil {
			return err
		}
		text = text[:len(head)]
		return nil
	}
	s.AtEnd(send)
	return func() error {
		text = appendRow(text, w.ids[table].Add(1), len(text) > len(head))
		if len(text) < bulkLength {
			return nil
		}
		return send()
	}, nil
}

// appendRow appends (id,id), after a comma unless the row is the first.
func appendRow(text []byte, id int64, comma bool) []byte {
	if comma {
		text = append(text, ',')
	}
	text = append(text, '(')
	text = strconv.AppendInt(text, id, 10)
	text = append(text, ',')
	text = strconv.AppendInt(text, id, 10)
	return append(text, ')')
}
