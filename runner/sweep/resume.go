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
	return slices.DeleteFunc(slices.Clone(slots), func(slot plan.Slot) bool {
		return slices.ContainsFunc(s.trials, func(t result.Trial) bool { return t.Slot() == slot })
	})
}
