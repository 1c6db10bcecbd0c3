package verdict

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// NewBaseline makes the baseline that a run is compared with. Of the base runs
// it takes those that differ from the new run in nothing that nobody asked to
// vary; when there is none, the last one with its differences, so that the
// sides are shown and not ranked. With one run the cells have the rates of
// its trials, with several the median of each run. left says of each run that
// was left out why.
func NewBaseline(base []*result.Archive, fresh *result.Run, asked ...string) (b result.Baseline, left []string) {
	taken, left := comparable(base, fresh, asked)
	if len(taken) == 0 {
		return b, nil
	}
	last := &taken[len(taken)-1].Run
	b.RunID, b.Name, b.Runs = last.ID, last.Name, len(taken)
	b.Cells = baselineCells(taken)
	unasked := Comparison{Differences: RunDifferences(last, fresh, asked...)}
	for _, d := range unasked.Unasked() {
		b.Differences = append(b.Differences, d.Sentence())
	}
	return b, left
}

// comparable takes the runs that may be ranked with fresh, or else the last.
func comparable(base []*result.Archive, fresh *result.Run, asked []string) (taken []*result.Archive, left []string) {
	for _, a := range base {
		all := Comparison{Differences: RunDifferences(&a.Run, fresh, asked...)}
		if unasked := all.Unasked(); len(unasked) > 0 {
			left = append(left, fmt.Sprintf("%s: %s", a.Run.ID, unasked[0].Sentence()))
			continue
		}
		taken = append(taken, a)
	}
	if n := len(base); len(taken) == 0 && n > 0 {
		return base[n-1:], left[:n-1]
	}
	return taken, left
}

func baselineCells(taken []*result.Archive) []result.BaselineCell {
	var cells []result.BaselineCell
	at := map[plan.Cell]int{}
	for _, a := range taken {
		for _, r := range ratesOf(sweeps(&a.Run, each(a.Trials))) {
			i, seen := at[r.cell]
			if !seen {
				i = len(cells)
				at[r.cell] = i
				cells = append(cells, result.BaselineCell{Case: r.cell.Case, Workload: r.cell.Workload, Threads: r.cell.Threads, Queries: r.cell.Queries})
			}
			if len(taken) == 1 {
				cells[i].Rates = r.values
			} else {
				cells[i].Rates = append(cells[i].Rates, *NewFigure(r.values).Median)
			}
		}
	}
	return cells
}

// againstBaseline compares a run with the baseline that was archived with it.
func againstBaseline(run *result.Run, list []Sweep) *Comparison {
	if run.Baseline == nil {
		return nil
	}
	c := compareWith(run.Baseline, run, list)
	for _, text := range run.Baseline.Differences {
		c.Differences = append(c.Differences, Difference{What: text})
	}
	return &c
}

func compareWith(b *result.Baseline, run *result.Run, list []Sweep) Comparison {
	var base []rates
	cases := map[string]bool{}
	for _, cell := range b.Cells {
		base = append(base, rates{plan.Cell{Case: cell.Case, Workload: cell.Workload, Threads: cell.Threads, Queries: cell.Queries}, cell.Rates})
		cases[cell.Case] = true
	}
	fresh := ratesOf(list)
	freshCases := map[string]bool{}
	for _, r := range fresh {
		freshCases[r.cell.Case] = true
	}
	single := len(cases) == 1 && len(freshCases) == 1
	match := func(c plan.Cell) plan.Cell {
		if single { // one case against one case, whatever they are called
			c.Case = ""
		}
		return c
	}
	c := compare(base, fresh, b.Runs, match)
	c.Base = Party{b.Name, b.RunID, b.Runs}
	c.New = Party{run.Name, run.ID, 1}
	return c
}
