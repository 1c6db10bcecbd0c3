package sweep

import (
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// keepDone takes over the good trials of the archive that is resumed. Failed,
// invalid, skipped and interrupted ones run again; their lines stay in the
// journal, and the later line of a slot counts.
func (s *sweep) keepDone() {
	for _, t := range s.Done {
		if t.Status == result.OK {
			s.trials = append(s.trials, t)
			s.ended++
		}
	}
}

// missing leaves out the slots whose trial is there.
func (s *sweep) missing(slots []plan.Slot) []plan.Slot {
	there := map[plan.Slot]bool{}
	for i := range s.trials {
		there[s.trials[i].Slot()] = true
	}
	return slices.DeleteFunc(slices.Clone(slots), func(slot plan.Slot) bool { return there[slot] })
}
