package sweep

import (
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// confirming are the further trials of the best cell of a case and workload:
// the best of many noisy cells is partly luck, so the answer rests on trials
// made after it was chosen.
func (s *sweep) confirming(caseName, label string) []plan.Slot {
	best, ok := s.best(caseName, label)
	if !ok {
		return nil
	}
	var slots []plan.Slot
	for i := range s.Plan.Confirm {
		slots = append(slots, plan.Slot{Cell: best, Repeat: s.Plan.Repeat + 1 + i})
	}
	return slots
}

// best is the cell with the highest median rate, confirming trials left out.
func (s *sweep) best(caseName, label string) (best plan.Cell, ok bool) {
	rates := map[plan.Cell][]float64{}
	for _, t := range s.trials {
		if t.Case != caseName || t.Workload != label || t.Status != result.OK || t.Confirm {
			continue
		}
		if r := s.headline(&t); r != nil {
			cell := t.Slot().Cell
			rates[cell] = append(rates[cell], *r)
		}
	}
	highest := 0.0
	for _, cell := range s.Plan.Cells(caseName, label) { // in the plan's order, so that a draw has one winner
		if m := median(rates[cell]); m > highest {
			best, highest, ok = cell, m, true
		}
	}
	return best, ok
}

// headline is the figure by which cells are ranked: connects where they are
// the point, else statements.
func (s *sweep) headline(t *result.Trial) *float64 {
	if r := t.Measure.ConnectsPerSecond(); r != nil {
		return r
	}
	return t.Measure.QueriesPerSecond()
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
