package workload

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
)

// oltpInsert adds rows. With auto-inc off its tables begin empty, as in
// sysbench, because the ids that it makes itself lie anywhere.
var oltpInsert = Spec{
	Name:    "oltp_insert",
	Summary: "sysbench's oltp_insert: one INSERT of a row a round",
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

// Tables are sysbench's, with the warning that they grow.
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

// Adopt passes over as many ids as the tables hold rows.
func (w *oltpInserts) Adopt(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error {
	if w.autoInc {
		return nil
	}
	for i := range w.tables {
		sql := fmt.Sprintf("SELECT COUNT(*) FROM sbtest%d", i+1)
		rows, err := query(ctx, sql)
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(rows[0][0], 10, 32)
		if err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		w.made.Add(uint32(n))
	}
	return nil
}

func (w *oltpInserts) insertOne(_ *oltp, s Session) Round {
	insert := w.declare(s, "insert", Write, "INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)")
	row := newSbtestArgs()
	return func() error {
		h := pick(s.Rand(), insert)
		row.fill(s, w.oltp, w.newID())
		_, err := s.Exec(h, row.args)
		return err
	}
}

// newID is 0, for which the server makes an id, or an id of our own that no
// thread and no earlier trial had, from -2^31 to 2^31-1 in no visible order.
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
