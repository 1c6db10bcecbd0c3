package page

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// fastest is how many cells stand before the fold.
const fastest = 8

// cells are the table of the fastest cells, and behind a fold the table of all when there are more.
func cells(v *verdict.Verdict) (grid, *folded) {
	t := cellTable(v)
	var list []*verdict.Cell
	for i := range v.Sweeps {
		for j := range v.Sweeps[i].Cells {
			list = append(list, &v.Sweeps[i].Cells[j])
		}
	}
	all := t
	for _, c := range list {
		all.Rows = append(all.Rows, t.cell(c, len(v.Sweeps) > 1))
	}
	if len(list) <= fastest {
		return all.grid, nil
	}
	ranked := slices.DeleteFunc(slices.Clone(list), func(c *verdict.Cell) bool { return !c.Ranks() })
	slices.SortStableFunc(ranked, func(a, b *verdict.Cell) int { return compare(rate(b), rate(a)) })
	for _, c := range ranked[:min(fastest, len(ranked))] {
		t.Rows = append(t.Rows, t.cell(c, len(v.Sweeps) > 1))
	}
	return t.grid, &folded{fmt.Sprintf("all %d cells (also in cells.csv)", len(list)), all.grid}
}

func rate(c *verdict.Cell) float64 {
	if m := c.Rate().Median; m != nil {
		return *m
	}
	return 0
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// cellsTable is a table of cells with the columns that this run has something for.
type cellsTable struct {
	grid
	errors  bool
	changes map[plan.Cell]*verdict.CellComparison // against the baseline, nil without one
}

func cellTable(v *verdict.Verdict) cellsTable {
	var t cellsTable
	headline := verdict.Queries
	for i := range v.Sweeps {
		headline = v.Sweeps[i].Headline
		for j := range v.Sweeps[i].Cells {
			t.errors = t.errors || v.Sweeps[i].Cells[j].Errors > 0
		}
	}
	columns := []string{"threads × queries", short(headline), "± 95 %", "p50 ms", "p99 ms", "connect ms", "runnable/CPU", "trials"}
	if len(v.Sweeps) > 0 && len(v.Sweeps[0].Cells) > 0 && v.Sweeps[0].Cells[0].Queries == 0 {
		columns[0] = "threads"
	}
	if len(v.Sweeps) > 1 {
		columns[0] = "case, workload, " + columns[0]
		columns[1] = "per second"
	}
	if t.errors {
		columns = append(columns, "errors")
	}
	if c := v.Baseline; c != nil && len(c.Cells) > 0 {
		columns = append(columns, "change")
		t.changes = map[plan.Cell]*verdict.CellComparison{}
		for i := range c.Cells {
			t.changes[c.Cells[i].Cell] = &c.Cells[i]
		}
	}
	t.grid = plainTable(columns, nil)
	return t
}

func (t cellsTable) cell(c *verdict.Cell, named bool) row {
	name := strconv.Itoa(c.Threads)
	if c.Queries > 0 {
		name = fmt.Sprintf("%d × %d", c.Threads, c.Queries)
	}
	if named {
		name = fmt.Sprintf("%s, %s, %s", c.Case, c.Workload, name)
	}
	times := c.Times()
	fields := []string{
		name, charts.Grouped(c.Rate().Median), charts.Percent(c.Rate().HalfWidth()), charts.Milliseconds(times.P50), charts.Milliseconds(times.P99),
		charts.Milliseconds(c.Connects.Mean), charts.Significant(c.RunnablePerCPU), strconv.Itoa(c.Trials()),
	}
	if t.errors {
		fields = append(fields, strconv.FormatInt(c.Errors, 10))
	}
	if t.changes != nil {
		change := "–"
		if k := t.changes[c.Cell]; k != nil {
			change = charts.Signed(k.Ratio.Value - 1)
		}
		fields = append(fields, change)
	}
	return row{Fields: fields}
}

// mostTrouble bounds the table of trials that went wrong; results.csv has them all.
const mostTrouble = 20

// trouble lists the trials that are not ok, each with its error.
func trouble(a *result.Archive) grid {
	t := grid{Columns: []string{"trial", "what", "became", "because"}}
	for i := range a.Trials {
		trial := &a.Trials[i]
		if trial.Status == result.OK || len(t.Rows) == mostTrouble {
			continue
		}
		what := fmt.Sprintf("%s, %s, %d %s", trial.Case, trial.Workload, trial.Threads, threadsWord(trial.Threads))
		if trial.Queries > 0 {
			what += fmt.Sprintf(" × %d", trial.Queries)
		}
		t.Rows = append(t.Rows, row{Fields: []string{strconv.Itoa(trial.Seq), what, string(trial.Status), because(trial)}})
	}
	return t
}

func because(t *result.Trial) string {
	if t.Error != "" {
		return t.Error
	}
	if len(t.Measure.ErrorsBy) > 0 {
		e := t.Measure.ErrorsBy[0]
		return fmt.Sprintf("%d × %s: %s", e.Count, e.Class, e.Example)
	}
	return ""
}
