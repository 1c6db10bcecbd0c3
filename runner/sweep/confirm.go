package sweep

import "github.com/mysweep/mysweep/runner/plan"

// confirming are the further trials of a case and workload that follow its
// sweep: the best of many noisy cells is partly luck, so the result rests on
// trials made after their cells were chosen.
func (s *sweep) confirming(caseName, label string) []plan.Slot {
	if s.Confirm == nil || s.Plan.Confirm == 0 {
		return nil
	}
	var slots []plan.Slot
	cells := s.Confirm(s.trials, caseName, label)
	for _, cell := range cells {
		for i := range s.Plan.Confirm {
			slots = append(slots, plan.Slot{Cell: cell, Repeat: s.Plan.Repeat + 1 + i})
		}
	}
	if further := len(cells) - 1; further > 0 { // the plan counts on one cell
		s.total += further * s.Plan.Confirm
		s.Run.Trials = s.total
	}
	return slots
}

// best is the best cell of a case and workload so far.
func (s *sweep) best(caseName, label string) (best plan.Cell, ok bool) {
	if s.Best == nil {
		return best, false
	}
	return s.Best(s.trials, caseName, label)
}
