package verdict

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Baseline is what a run is compared with, and in what the two differ.
type Baseline struct {
	result.Baseline
	Differences []Difference
}

// LeftOut is a base run that is not compared with, and the first difference that forbids it.
type LeftOut struct {
	RunID string
	Difference
}

// NewBaseline makes the baseline that a run is compared with. Of the base runs
// it takes those that differ from the new run in nothing that nobody asked to
// vary; when there is none, the last one with its differences, so that the
// sides are shown and not ranked. With one or two runs the cells have the
// figures of all trials, with more the median of each run. left says of each run that
// was left out why.
func NewBaseline(base []*result.Archive, fresh *result.Run, asked ...string) (b Baseline, left []LeftOut) {
	taken, left := comparable(base, fresh, asked)
	if len(taken) == 0 {
		return b, nil
	}
	last := &taken[len(taken)-1].Run
	b.RunID, b.Name, b.Runs = last.ID, last.Name, len(taken)
	b.Cells = baselineCells(taken)
	b.Differences = RunDifferences(last, fresh, asked...)
	return b, left
}

// comparable takes the runs that may be ranked with fresh, or else the last.
func comparable(base []*result.Archive, fresh *result.Run, asked []string) (taken []*result.Archive, left []LeftOut) {
	for _, a := range base {
		all := Comparison{Differences: RunDifferences(&a.Run, fresh, asked...)}
		if unasked := all.Unasked(); len(unasked) > 0 {
			left = append(left, LeftOut{a.Run.ID, unasked[0]})
			continue
		}
		taken = append(taken, a)
	}
	if n := len(base); len(taken) == 0 && n > 0 {
		return base[n-1:], left[:n-1]
	}
	return taken, left
}

// baselineCells are the cells of all runs that are taken. Of many runs each
// counts as a whole, see manyRuns.
func baselineCells(taken []*result.Archive) []result.BaselineCell {
	var all []measured
	at := map[plan.Cell]int{}
	for _, a := range taken {
		for _, m := range measuredOf(noted(a)) {
			if len(taken) >= manyRuns {
				m = m.whole()
			}
			i, seen := at[m.cell]
			switch {
			case !seen:
				at[m.cell] = len(all)
				all = append(all, m)
			case all[i].headline == m.headline:
				all[i].add(m)
			}
		}
	}
	cells := make([]result.BaselineCell, len(all))
	for i := range all {
		cells[i] = all[i].archived()
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
	for _, text := range run.Baseline.Varied {
		c.Differences = append(c.Differences, Difference{What: text, Asked: true})
	}
	c.judge(LimitsOf(&run.Plan))
	return &c
}

func compareWith(b *result.Baseline, run *result.Run, list []Sweep) Comparison {
	base, cases := make([]measured, len(b.Cells)), map[string]bool{}
	for i := range b.Cells {
		base[i] = measuredIn(&b.Cells[i])
		cases[base[i].cell.Case] = true
	}
	fresh, freshCases := measuredOf(list), map[string]bool{}
	for _, m := range fresh {
		freshCases[m.cell.Case] = true
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
