package table

import (
	"io"

	"github.com/mysweep/mysweep/runner/verdict"
)

// Change is a row of compare's CSV: one cell of both sides. Rates are geometric means; changes are
// fractions.
type Change struct {
	Case       Text     `csv:"case"`
	Workload   Text     `csv:"workload"`
	Threads    int      `csv:"threads"`
	Queries    *int     `csv:"queries"`
	Figure     Text     `csv:"change_figure"`
	Base       *float64 `csv:"change_base_per_second"`
	New        *float64 `csv:"change_new_per_second"`
	Change     *float64 `csv:"change_ratio"`
	ChangeLow  *float64 `csv:"change_low_ratio"`
	ChangeHigh *float64 `csv:"change_high_ratio"`
	P          *float64 `csv:"change_p_value"`
	P50        *float64 `csv:"change_latency_p50_ratio"`
	P99        *float64 `csv:"change_latency_p99_ratio"`
}

// Comparison writes the cells of a comparison, a row each.
func Comparison(w io.Writer, c *verdict.Comparison) error {
	rows := []Change{}
	for i := range c.Cells {
		k := &c.Cells[i]
		row := Change{Case: Text(k.Case), Workload: Text(k.Workload), Threads: k.Threads, Queries: positive(k.Queries),
			Figure: Text(string(k.Headline) + " per second"), Base: known(k.Base.Geometric()), New: known(k.New.Geometric()),
			Change: less(&k.Ratio.Value), ChangeLow: less(k.Ratio.Low), ChangeHigh: less(k.Ratio.High), P: known(k.Ratio.P)}
		if k.P50 != nil {
			row.P50 = less(&k.P50.Ratio.Value)
		}
		if k.P99 != nil {
			row.P99 = less(&k.P99.Ratio.Value)
		}
		rows = append(rows, row)
	}
	return write(w, rows)
}
