package workload

import "math/rand/v2"

// The parts of sysbench 1.x's oltp rounds. Each part draws one table for all of
// its statements in a round, and ids by the distribution.

// repeat sends a statement so many times, to one table that is drawn per round.
func repeat(s Session, tables []Handle, times int64, send func(Handle) error) Round {
	return func() error {
		h := pick(s.Rand(), tables)
		for range times {
			if err := send(h); err != nil {
				return err
			}
		}
		return nil
	}
}

// points is point-selects times SELECT c by id.
func (w *oltp) points(s Session) Round {
	point := w.declare(s, "point_select", Read, "SELECT c FROM sbtest%d WHERE id=?")
	args := make(Args, 1)
	return repeat(s, point, w.pointSelects, func(h Handle) error {
		args.SetInt(0, w.id(s.Rand()))
		_, err := s.Query(h, args)
		return err
	})
}

// ranges is the four range SELECTs, nil without range-selects.
func (w *oltp) ranges(s Session) Round {
	if !w.rangeSelects {
		return nil
	}
	return inOrder([]Round{
		w.rangeSelect(s, "simple_range", w.simpleRanges, "SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ?"),
		w.rangeSelect(s, "sum_range", w.sumRanges, "SELECT SUM(k) FROM sbtest%d WHERE id BETWEEN ? AND ?"),
		w.rangeSelect(s, "order_range", w.orderRanges, "SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c"),
		w.rangeSelect(s, "distinct_range", w.distinctRange, "SELECT DISTINCT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c"),
	})
}

// rangeSelect reads range-size ids from a drawn one on. As in sysbench the
// range may reach beyond the last id.
func (w *oltp) rangeSelect(s Session, typ string, times int64, sql string) Round {
	ranges := w.declare(s, typ, Read, sql)
	args := make(Args, 2)
	return repeat(s, ranges, times, func(h Handle) error {
		id := w.id(s.Rand())
		args.SetInt(0, id)
		args.SetInt(1, id+w.rangeSize-1)
		_, err := s.Query(h, args)
		return err
	})
}

// updateIndex is index-updates times k=k+1.
func (w *oltp) updateIndex(s Session) Round {
	update := w.declare(s, "update_index", Write, "UPDATE sbtest%d SET k=k+1 WHERE id=?")
	args := make(Args, 1)
	return repeat(s, update, w.indexUpdates, func(h Handle) error {
		args.SetInt(0, w.id(s.Rand()))
		_, err := s.Exec(h, args)
		return err
	})
}

// updateNonIndex is non-index-updates times a new c.
func (w *oltp) updateNonIndex(s Session) Round {
	update := w.declare(s, "update_non_index", Write, "UPDATE sbtest%d SET c=? WHERE id=?")
	args, c, noise := make(Args, 2), make([]byte, cLength), newNoise()
	return repeat(s, update, w.otherUpdates, func(h Handle) error {
		args.SetText(0, fillGroups(c, noise))
		args.SetInt(1, w.id(s.Rand()))
		_, err := s.Exec(h, args)
		return err
	})
}

// deleteInsert is delete-inserts times the deletion of a row and its return
// with new contents.
func (w *oltp) deleteInsert(s Session) Round {
	remove := w.declare(s, "delete", Write, "DELETE FROM sbtest%d WHERE id=?")
	insert := w.declare(s, "insert", Write, "INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)")
	one, row := make(Args, 1), newSbtestArgs()
	return func() error {
		table := s.Rand().IntN(w.tables)
		for range w.deleteInserts {
			id := w.id(s.Rand())
			one.SetInt(0, id)
			row.fill(s, w, id)
			if _, err := s.Exec(remove[table], one); err != nil {
				return err
			}
			if _, err := s.Exec(insert[table], row.args); err != nil {
				return err
			}
		}
		return nil
	}
}

// sbtestArgs are the arguments of an INSERT of one row, with the memory of its texts.
type sbtestArgs struct {
	args   Args
	c, pad []byte
	noise  *rand.Rand
}

func newSbtestArgs() *sbtestArgs {
	return &sbtestArgs{make(Args, 4), make([]byte, cLength), make([]byte, padLength), newNoise()}
}

func (a *sbtestArgs) fill(s Session, w *oltp, id int64) {
	a.args.SetInt(0, id)
	a.args.SetInt(1, w.id(s.Rand()))
	a.args.SetText(2, fillGroups(a.c, a.noise))
	a.args.SetText(3, fillGroups(a.pad, a.noise))
}
