package table

import (
	"math"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/verdict"
)

// FuzzReadCells: no cells.csv panics, and what is read has no number that is none.
func FuzzReadCells(f *testing.F) {
	a := sample.Archive([]int{1, 4}, []int{10}, 1)
	v := verdict.Of(a)
	var text strings.Builder
	if err := Cells(&text, &a.Run, &v); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add("case,workload,threads,queries,queries_per_second_median,latency_p99_seconds\na,b,1,,NaN,-Inf\n")
	f.Add("case,case,workload,threads,queries,queries_per_second_median,latency_p99_seconds\n'=a,b,c,1,2,3,\n")
	f.Fuzz(func(t *testing.T, text string) {
		cells, _, err := ReadCells(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, c := range cells {
			for _, x := range []*float64{c.QueriesPerSecond, c.P99} {
				if x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) {
					t.Errorf("%+v has %v", c.Cell, *x)
				}
			}
		}
	})
}
