package charts

import (
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// A run of trials that are over within a second has a picture of its load too:
// a point for each trial. Less than two points are no picture.
func TestLoadOfShortTrials(t *testing.T) {
	for _, c := range []struct {
		why    string
		trials int
		bare   func(m *result.Machine) // takes away what a short trial does not have
		points int                     // -1: the seconds of the trials, and the trials without one
	}{
		{"whole seconds", 6, func(*result.Machine) {}, -1},
		{"short trials", 6, func(m *result.Machine) { m.Samples = nil }, 6},
		{"no runnable tasks", 6, func(m *result.Machine) { m.Samples, m.RunnableMean = nil, nil }, 6},
		{"one trial", 1, func(m *result.Machine) { m.Samples = nil }, 0},
		{"nothing seen", 6, func(m *result.Machine) { *m = result.Machine{} }, 0},
	} {
		a := sample.Archive([]int{1, 2, 4}, []int{10, 100}, 1)
		a.Trials = a.Trials[:c.trials]
		seconds := 0
		for i := range a.Trials {
			m := a.Trials[i].Evidence.ServerMachine()
			c.bare(m)
			seconds += max(1, len(m.Samples))
		}
		if c.points < 0 {
			c.points = seconds
		}
		v := verdict.Of(a)
		d := &Data{Archive: a, Verdict: &v}
		list, err := loadCharts(d)
		if err != nil {
			t.Fatal(err)
		}
		samples := d.observed().load.samples
		if drawn := len(list) == 1; drawn != (c.points > 1) || drawn == TooShort(d) || drawn && len(samples) != c.points {
			t.Errorf("%s: %d charts of %d points; want %d", c.why, len(list), len(samples), c.points)
		}
	}
}
