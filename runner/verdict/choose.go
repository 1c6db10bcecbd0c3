package verdict

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// BestCell is the peak of a case and workload in the trials so far; not ok
// when no cell ranks.
func BestCell(trials []result.Trial, caseName, workload string) (cell plan.Cell, ok bool) {
	s := sweepSoFar(trials, caseName, workload)
	if s == nil || s.Peak == nil {
		return cell, false
	}
	return s.Peak.Cell.Cell, true
}

// KneeCell is the cell at which a case stops scaling, its best one when it has
// no knee.
func KneeCell(trials []result.Trial, caseName, workload string) (cell plan.Cell, ok bool) {
	if s := sweepSoFar(trials, caseName, workload); s != nil && s.Knee != nil {
		return s.Knee.Cell.Cell, true
	}
	return BestCell(trials, caseName, workload)
}

// ConfirmCells are the cells that are to be run again: the best one, or on a
// plateau, where the best is the luckiest, the knee and the middle of the
// plateau. Confirming trials that were run already do not change the choice.
func ConfirmCells(trials []result.Trial, caseName, workload string) []plan.Cell {
	var swept []result.Trial
	for _, t := range trials {
		if !t.Confirm {
			swept = append(swept, t)
		}
	}
	s := sweepSoFar(swept, caseName, workload)
	if s == nil || s.Peak == nil {
		return nil
	}
	if s.Plateau == nil {
		return []plan.Cell{s.Peak.Cell.Cell}
	}
	var level []plan.Cell // of the plateau, at the query count of the peak
	for _, c := range s.Plateau.Cells {
		if c.Queries == s.Peak.Queries {
			level = append(level, c)
		}
	}
	first, middle := level[0], level[len(level)/2]
	if s.Knee != nil {
		first = s.Knee.Cell.Cell
	}
	if first == middle {
		return []plan.Cell{first}
	}
	return []plan.Cell{first, middle}
}

// sweepSoFar is the sweep of a case and workload, nil without a trial.
func sweepSoFar(trials []result.Trial, caseName, workload string) *Sweep {
	var list []*result.Trial
	for i := range trials {
		if t := &trials[i]; t.Case == caseName && t.Workload == workload {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	s := newSweep(caseName, workload, list)
	return &s
}
