package table

import (
	"io"

	"github.com/mysweep/mysweep/runner/result"
)

// Key says which trial a row belongs to, in the columns that all files with more than one row a
// trial share.
type Key struct {
	RunID    Text `csv:"run_id"`
	Case     Text `csv:"case"`
	Workload Text `csv:"workload"`
	Threads  int  `csv:"threads"`
	Queries  *int `csv:"queries"`
	Repeat   int  `csv:"repeat"`
	Sequence int  `csv:"sequence"`
}

func keyOf(run *result.Run, t *result.Trial) Key {
	return Key{Text(run.ID), Text(t.Case), Text(t.Workload), t.Threads, positive(t.Queries), t.Repeat, t.Seq}
}

// Query is a row of queries.csv: one type of query in one trial, or one type of round, whose kind
// is interaction and whose queries are rounds. Times are seconds.
type Query struct {
	Key
	Type   Text     `csv:"query_type"`
	Kind   Text     `csv:"kind"` // read, write, other or interaction
	Total  int64    `csv:"queries_total"`
	Errors int64    `csv:"errors_total"`
	QPS    *float64 `csv:"queries_per_second"`
	Latency
	Sum     *float64 `csv:"latency_sum_seconds"`
	Samples int64    `csv:"latency_samples"`
}

// Queries begins queries.csv.
func Queries(w io.Writer, a *result.Archive) (Rows, error) {
	return rowsOf(w, func(t *result.Trial) (rows []Query) {
		for _, q := range t.Measure.Types {
			rows = append(rows, queryOf(&a.Run, t, q))
		}
		for _, q := range t.Measure.Interactions {
			q.Kind = "interaction"
			rows = append(rows, queryOf(&a.Run, t, q))
		}
		return rows
	})
}

func queryOf(run *result.Run, t *result.Trial, q result.TypeMeasure) Query {
	l := q.Latency
	row := Query{
		Key: keyOf(run, t), Type: Text(q.Type), Kind: Text(q.Kind), Total: q.Queries, Errors: q.Errors,
		Latency: latencyOf(&l), Samples: l.Count,
	}
	if l.Count > 0 {
		row.Sum = known(&l.Sum)
	}
	if t.Measure.Elapsed > 0 && q.Queries > 0 {
		rate := float64(q.Queries) / t.Measure.Elapsed
		row.QPS = &rate
	}
	return row
}
