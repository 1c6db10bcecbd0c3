package workload

import (
	"fmt"
	"strings"
)

var selectRandomPoints = Spec{
	Name:    "select_random_points",
	Summary: "sysbench's select_random_points: one SELECT of ten values of k per round",
	Family:  "sysbench",
	Options: append([]Option{
		{Name: "random-points", Usage: "values of k in the IN list", Default: "10", Form: "int", Most: 100_000},
	}, sbtestOptions...),
	Sweep: Sweep{Time: "10s"},
	New: func(v Values) (Workload, error) {
		n := v.Int("random-points")
		sql := "SELECT id, k, c, pad FROM sbtest1 WHERE k IN (%s)"
		return newSelectRandom(v, "random-points", n, Statement{Type: "random_points", SQL: sql}, "?", ", ")
	},
}

var selectRandomRanges = Spec{
	Name:    "select_random_ranges",
	Summary: "sysbench's select_random_ranges: one SELECT count(k) over ten ranges of k per round",
	Family:  "sysbench",
	Options: append([]Option{
		{Name: "number-of-ranges", Usage: "ranges of k in a SELECT", Default: "10", Form: "int", Most: 100_000},
		{Name: "delta", Usage: "size of a range", Default: "5", Form: "int"},
	}, sbtestOptions...),
	Sweep: Sweep{Time: "10s"},
	New: func(v Values) (Workload, error) {
		n := v.Int("number-of-ranges")
		sql := "SELECT count(k) FROM sbtest1 WHERE %s"
		return newSelectRandom(v, "number-of-ranges", n, Statement{Type: "random_ranges", SQL: sql}, "k BETWEEN ? AND ?", " OR ")
	},
}

// selectRandom draws values of k from the thread's own part of the table.
type selectRandom struct {
	sbtest
	statement Statement
	values    int   // values of k that are drawn for a statement
	ends      int64 // length of a range after its first value; -1: points
}

// newSelectRandom repeats term, joined by between, n times in the statement.
func newSelectRandom(v Values, option string, n int64, st Statement, term, between string) (Workload, error) {
	tables, err := newSbtest(v, 1)
	if err != nil {
		return nil, err
	}
	if n < 1 || n > 10000 {
		return nil, fmt.Errorf("invalid %s %d: must be between 1 and 10000", option, n)
	}
	w := &selectRandom{sbtest: tables, statement: st, values: int(n), ends: -1}
	if strings.Contains(term, "BETWEEN") {
		if err := atLeast(v, 0, "delta"); err != nil {
			return nil, err
		}
		w.ends = v.Int("delta")
	}
	w.statement.SQL = fmt.Sprintf(st.SQL, strings.Repeat(term+between, w.values-1)+term)
	return w, nil
}

// Thread draws from the thread's own share of the table, so that threads do not
// overlap.
func (w *selectRandom) Thread(s Session) (Round, error) {
	h := s.Declare(w.statement)
	share := float64(w.rows) / float64(s.Threads())
	from := share * float64(s.Thread())
	a, b := int64(from), int64(from+share)
	args := make(Args, 0, 2*w.values)
	return func() error {
		args = args[:0]
		for range w.values {
			k := w.draw(s.Rand(), a, b)
			args = append(args, Arg{Form: Integer, Int: k})
			if w.ends >= 0 {
				args = append(args, Arg{Form: Integer, Int: k + w.ends})
			}
		}
		_, err := s.Query(h, args)
		return err
	}, nil
}
