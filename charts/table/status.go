package table

import (
	"io"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/result"
)

// Status is a row of status.csv: by how much a counter of the server grew during one trial.
type Status struct {
	Key
	Counter Text     `csv:"counter"`
	Delta   *float64 `csv:"delta"`
}

// Statuses begins status.csv.
func Statuses(w io.Writer, a *result.Archive) (Rows, error) {
	return rowsOf(w, func(t *result.Trial) (rows []Status) {
		for _, name := range slices.Sorted(maps.Keys(t.Evidence.Status)) {
			delta := t.Evidence.Status[name]
			rows = append(rows, Status{keyOf(&a.Run, t), Text(name), known(&delta)})
		}
		return rows
	})
}
