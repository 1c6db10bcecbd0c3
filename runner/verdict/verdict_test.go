package verdict

import (
	"math"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func TestPeakIsTheConfirmedCell(t *testing.T) {
	trials := curve(10, []int{1, 2, 4, 8}, []float64{100, 200, 300, 310})
	lucky := trial(4, 10, 4, 900) // one lucky repeat does not make a peak
	confirm := func(repeat int, rate float64) result.Trial {
		c := trial(8, 10, repeat, rate)
		c.Confirm = true
		return c
	}
	a := archive(append(trials, lucky, confirm(1, 290), confirm(2, 295), confirm(3, 300))...)
	v := Of(a)
	s := v.Main()
	if s == nil || s.Peak == nil || s.Peak.Threads != 8 || !s.Peak.Confirmed {
		t.Fatalf("peak %+v", s)
	}
	about(t, "peak", s.Peak.QueriesPerSecond.Median, 295, 0) // of the confirming trials only
	// Of all six: 290 295 300 310 310 310.
	about(t, "cell", s.Cell(8, 10).QueriesPerSecond.Median, 305, 0)
	if s.Cell(8, 10).Confirming != 3 || s.Cell(8, 10).OK != 6 {
		t.Errorf("cell %+v", s.Cell(8, 10).Tally)
	}
	if s.Knee == nil || s.Knee.Threads != 4 {
		t.Errorf("knee %+v", s.Knee) // 305 is less than 1.05 × 300
	}
	about(t, "half width", s.Peak.Rate().HalfWidth(), 0.0421, 1e-2) // t(2) 4.3027 × 5/√3 / 295
	if !v.Complete() || !v.RequirementMet() || v.Worse() {
		t.Errorf("complete %v, met %v, worse %v", v.Complete(), v.RequirementMet(), v.Worse())
	}
}

// A peak that does not come again stands below other cells of the sweep: the
// answer says so, instead of leaving the reader with a knee above the peak.
func TestPeakBelowTheSweep(t *testing.T) {
	again := func(repeat int, rate float64) result.Trial {
		c := trial(8, 10, repeat, rate)
		c.Confirm = true
		return c
	}
	for _, c := range []struct {
		why    string
		rate   float64 // of the confirming trials
		higher int     // threads of the cell that is named, 0 = none
		note   bool
	}{
		{"as in the sweep", 310, 0, false},
		{"a little less", 294, 0, false}, // 303 is within 5 %
		{"less than another cell", 285, 4, false},
		{"far less", 200, 4, true},
	} {
		trials := curve(10, []int{2, 4, 8, 16}, []float64{200, 303, 310, 302})
		v := Of(archive(append(trials, again(4, c.rate), again(5, c.rate), again(6, c.rate))...))
		s := v.Main()
		if !s.Peak.Confirmed || s.Peak.Threads != 8 {
			t.Fatalf("%s: peak %+v", c.why, s.Peak)
		}
		if got := s.Higher; (got == nil) != (c.higher == 0) || got != nil && got.Threads != c.higher {
			t.Errorf("%s: higher %+v; want %d threads", c.why, got, c.higher)
		}
		if n, ok := codes(v.Notes)["not-reproduced"]; ok != c.note || ok && (len(n.Cells) != 1 || n.Cells[0].Threads != 8) {
			t.Errorf("%s: note %+v", c.why, n)
		}
	}
}

func TestKnee(t *testing.T) {
	for _, c := range []struct {
		name   string
		rates  []float64
		want   int // place in the list of threads, -1 = none
		rising bool
	}{
		{"flattens at the third", []float64{100, 190, 240, 245, 243}, 2, false},
		{"still rising", []float64{100, 190, 300, 400, 500}, -1, true},
		{"flat from the first", []float64{100, 102, 101, 103, 100}, 0, false},
		{"falls at once", []float64{100, 90, 80, 70, 60}, 0, false},
		// 240 / mean(226,210) = 1.10.
		{"a dip before the top", []float64{200, 226, 210, 234, 240}, 3, false},
		// 240 / mean(239,180) = 1.15.
		{"a spike on the way up", []float64{100, 239, 180, 235, 240}, 3, false},
		{"the top is the knee, then it falls", []float64{100, 150, 240, 200, 180}, 2, false},
		{"one point", []float64{100}, -1, false},
	} {
		threads := []int{1, 2, 4, 8, 16}[:len(c.rates)]
		v := Of(archive(curve(10, threads, c.rates)...))
		s := v.Main()
		got := -1
		if s.Knee != nil {
			for i, n := range threads {
				if n == s.Knee.Threads {
					got = i
				}
			}
		}
		if got != c.want || s.Rising != c.rising {
			t.Errorf("%s: knee at place %d, rising %v; want %d, %v", c.name, got, s.Rising, c.want, c.rising)
		}
	}
}

// Where repeats differ by 10 %, a median that is 8 % higher is chance.
func TestKneeInNoise(t *testing.T) {
	for _, c := range []struct {
		noise float64
		want  int // threads at the knee
	}{{0.001, 8}, {0.1, 2}} {
		var trials []result.Trial
		for i, rate := range []float64{10000, 20000, 20000, 21600, 20000} {
			for repeat := 1; repeat <= 3; repeat++ {
				trials = append(trials, trial(1<<i, 10, repeat, rate*(1+c.noise*float64(repeat-2))))
			}
		}
		v := Of(archive(trials...))
		s := v.Main()
		if s.Knee == nil || s.Knee.Threads != c.want || (s.KneeMargin > KneeGain) != (c.noise > 0.05) {
			t.Errorf("noise %v: knee %+v, margin %v", c.noise, s.Knee, s.KneeMargin)
		}
	}
	// Standard deviations of logarithms 0.1 and 0.2, and a cell of one trial.
	cells := []*Cell{
		{QueriesPerSecond: NewFigure([]float64{math.Exp(-0.1), 1, math.Exp(0.1)})},
		{QueriesPerSecond: NewFigure([]float64{math.Exp(-0.2), 1, math.Exp(0.2)})},
		{QueriesPerSecond: NewFigure([]float64{7})},
	}
	about(t, "noise", ptr(noiseOf(cells)), 0.15, 1e-9)
}

// What was not measured has no peak.
func TestNothingMeasured(t *testing.T) {
	failed := trial(1, 10, 1, 0)
	failed.Status, failed.Error, failed.Measure = result.Failed, "connect: refused", result.Measure{}
	interrupted := archive(trial(1, 10, 1, 100))
	interrupted.Run.Status, interrupted.Run.Trials = result.Interrupted, 9
	for _, c := range []struct {
		name    string
		archive *result.Archive
		notes   []string
		whole   bool
	}{
		{"no trial", archive(), nil, true},
		{"empty archive", &result.Archive{}, []string{"unfinished"}, true},
		{"all failed", archive(failed), []string{"failed-trials"}, false},
		{"interrupted", interrupted, []string{"interrupted", "few-samples"}, false},
	} {
		c.archive.Run.Plan.Require = plan.Texts{"qps>=20000"}
		v := Of(c.archive)
		notes := codes(v.Notes)
		for _, code := range c.notes {
			if _, ok := notes[code]; !ok {
				t.Errorf("%s: no note %s in %+v", c.name, code, v.Notes)
			}
		}
		if v.RequirementMet() {
			t.Errorf("%s: the requirement is met", c.name)
		}
		if v.Complete() != c.whole {
			t.Errorf("%s: complete %v", c.name, v.Complete())
		}
	}
}
