package verdict

import (
	"math"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// loadFromElsewhere is a run in which other processes take most of the machine once
// the sweep of the base is done: all trials at its knee are ten times slower.
func loadFromElsewhere(interleaved bool) *result.Archive {
	trials := curve(10, []int{1, 2, 4, 8}, []float64{1000, 2000, 2050, 2060})
	for repeat := range 3 {
		drift := 1 + 0.01*float64(repeat)
		if interleaved {
			base := trial(2, 10, 4+repeat, 200*drift)
			base.Interleaved = true
			trials = append(trials, base)
		}
		varied := trial(2, 10, 1+repeat, 199*drift)
		varied.Case = "a, thread_cache_size=0"
		trials = append(trials, varied)
	}
	a := archive(trials...)
	a.Run.Plan.At = "knee"
	a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: "a, thread_cache_size=0", Of: "a"})
	return a
}

// Cases that vary another at its knee are compared with the trials interleaved with
// them alone, which have no part in the sweep.
func TestComparedWithInterleavedTrials(t *testing.T) {
	v := Of(loadFromElsewhere(true))
	c := v.Cases[0]
	if len(c.Cells) != 1 || c.Cells[0].Base.N() != 3 || math.Abs(c.Overall.Value-0.995) > 0.01 || c.OnlyBase != 0 {
		t.Errorf("ratio %+v of %+v", c.Overall, c.Cells)
	}
	if *c.Cells[0].Base.Max > 210 {
		t.Errorf("the base has trials of the sweep: %v", c.Cells[0].Base.Values)
	}
	s := v.Sweep("a", "w")
	if cell := s.Cell(2, 10); cell.Trials() != 3 || *cell.QueriesPerSecond.Median != 2000 || s.Again.Trials() != 3 {
		t.Errorf("cell of the sweep %+v, again %+v", cell.QueriesPerSecond, s.Again)
	}
}

// An archive without such trials is compared with the sweep.
func TestComparedWithSweep(t *testing.T) {
	c := Of(loadFromElsewhere(false)).Cases[0]
	if len(c.Cells) != 1 || math.Abs(c.Overall.Value-0.1) > 0.01 {
		t.Errorf("ratio %+v of %+v", c.Overall, c.Cells)
	}
}
