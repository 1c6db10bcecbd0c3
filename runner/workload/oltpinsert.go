package workload

import (
	"context"
	"fmt"
	"sync/atomic"
)

// oltpInsert adds rows. With auto-inc off its tables are empty at first, as in
// sysbench, because its own ids are scattered over the whole range.
var oltpInsert = Spec{
	Name:    "oltp_insert",
	Summary: "sysbench's oltp_insert: one INSERT of a row per round",
	Family:  "sysbench",
	Options: oltpOptionsOf(),
	Sweep:   Sweep{Time: "10s"},
	New: func(v Values) (Workload, error) {
		w, err := newOltp(v)
		inserts := &oltpInserts{oltp: w}
		w.round = inserts.insertOne
		return inserts, err
	},
}

type oltpInserts struct {
	*oltp
	made atomic.Uint32 // ids made so far, auto-inc off
}

// Tables are sysbench's, marked as growing.
func (w *oltpInserts) Tables() []Table {
	rows := w.rows
	if !w.autoInc {
		rows = 0
	}
	tables := make([]Table, w.tables)
	for i := range tables {
		tables[i] = w.table(i+1, rows)
		tables[i].Grows = true
	}
	return tables
}

// Adopt skips as many ids as the tables have rows.
func (w *oltpInserts) Adopt(ctx context.Context, query Query) error {
	if w.autoInc {
		return nil
	}
	for i := range w.tables {
		n, err := query.integer(ctx, fmt.Sprintf("SELECT COUNT(*) FROM sbtest%d", i+1))
		if err != nil {
			return err
		}
		w.made.Add(uint32(n))
	}
	return nil
}

func (w *oltpInserts) insertOne(_ *oltp, s Session) Round {
	insert := w.declare(s, "insert", Write, "INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)")
	row := newSbtestArgs()
	return repeat(s, insert, 1, func(h Handle) error {
		row.fill(s, w.oltp, w.newID())
		_, err := s.Exec(h, row.args)
		return err
	})
}

// newID is 0, for which the server generates an id, or an id that no thread and
// no earlier trial has used, from -2^31 to 2^31-1 in a scattered order.
func (w *oltpInserts) newID() int64 {
	if w.autoInc {
		return 0
	}
	return int64(scattered(scattered(w.made.Add(1)-1)^0x5bf03635)) - 1<<31
}

// scattered maps the numbers of 32 bits onto themselves, neighbours far apart,
// by quadratic residues of the largest prime p below 2^32: x^2 mod p for the
// lower half, p minus that for the upper (the method of sysbench's
// sb_rand_unique). The five numbers from p on stay as they are.
func scattered(x uint32) uint32 {
	const prime = 4294967291
	if x >= prime {
		return x
	}
	residue := uint32(uint64(x) * uint64(x) % prime)
	if x <= prime/2 {
		return residue
	}
	return prime - residue
}
