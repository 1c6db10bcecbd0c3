package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// history draws nights of a level with noise; from the night at on they are
// factor times as high.
func history(r *rand.Rand, nights, at int, factor, noise float64) []float64 {
	values := make([]float64, nights)
	for i := range values {
		values[i] = 10000 * math.Exp(noise*r.NormFloat64())
		if i >= at {
			values[i] *= factor
		}
	}
	return values
}

// alarm reports whether a new level begins at the index from or later.
func alarm(values []float64, from int) bool {
	points, _ := Levels(values)
	return len(points) > 0 && points[len(points)-1].At >= from
}

// A shift that stays is found within some nights, in 9 of 10 cases: losses of 5
// and 3 % in 93.4 and 90.6 %, gains in 90.7 and 90.6 %, of 4,000 series each
// (± 0.9 percentage points).
func TestLevelsPower(t *testing.T) {
	simulation(t)
	const series, before = 4000, 100
	for i, c := range []struct {
		factor float64
		within int
		want   float64
	}{
		{0.95, 3, 0.9}, {0.97, 7, 0.9},
		{1.05, 3, 0.9}, {1.03, 7, 0.9}, // as logarithms less than losses of as many percent
	} {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		found := 0
		for range series {
			values := history(r, before+c.within, before, c.factor, 0.02)
			for night := 1; night <= c.within; night++ {
				if alarm(values[:before+night], before-5) {
					found++
					break
				}
			}
		}
		share := float64(found) / series
		t.Logf("%+.0f %% within %d nights: %.1f %%", 100*(c.factor-1), c.within, 100*share)
		if share < c.want {
			t.Errorf("%+.0f %% within %d nights: found in %.1f %%", 100*(c.factor-1), c.within, 100*share)
		}
	}
}

// Where nothing changes, a new level is announced in less than one of 100
// nights (0.86 ± 0.08 % of 56,400). One that moves by some nights as more of them are known
// is the same.
func TestLevelsFalseAlarms(t *testing.T) {
	simulation(t)
	r := rand.New(rand.NewPCG(1, 4))
	alarms, nights := 0, 0
	for range 200 {
		values := history(r, 200, 200, 1, 0.02)
		said := map[int]bool{}
		for night := 60; night <= len(values); night++ {
			nights++
			points, _ := Levels(values[:night])
			for _, p := range points {
				fresh := true
				for at := range said {
					fresh = fresh && max(at-p.At, p.At-at) >= changeTail
				}
				if fresh {
					alarms++
				}
				said[p.At] = true
			}
		}
	}
	share := float64(alarms) / float64(nights)
	t.Logf("a false alarm in %.2f %% of %d nights", 100*share, nights)
	if share >= 0.01 {
		t.Errorf("a false alarm in %.2f %% of nights", 100*share)
	}
}

// Single bad nights are outliers, never a new level, on the night itself and on
// those that follow.
func TestLevelsOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	marked, shifts, changed := 0, 0, 0
	const series = 300
	for range series {
		values := history(r, 40, 40, 1, 0.02)
		bad := 25 + r.IntN(10)
		values[bad] *= []float64{0.7, 0.8, 1.3}[r.IntN(3)]
		quiet := slices.Clone(values)
		quiet[bad] = 10000
		for night := bad + 1; night <= bad+4; night++ {
			points, outliers := Levels(values[:night])
			if outliers[bad] {
				marked++
			}
			for _, p := range points {
				if p.At == bad || p.At == bad+1 {
					shifts++
				}
			}
			if without, _ := Levels(quiet[:night]); len(without) != len(points) {
				changed++
			}
		}
	}
	if share := float64(marked) / (4 * series); share < 0.99 {
		t.Errorf("marked in %.1f %%", 100*share)
	}
	if share := float64(shifts) / (4 * series); share > 0.01 {
		t.Errorf("taken for a shift in %.1f %%", 100*share)
	}
	if share := float64(changed) / (4 * series); share > 0.03 {
		t.Errorf("the levels change with an outlier in %.1f %%", 100*share)
	}
}

// Five and a half years of nights are judged in well under a second.
func TestLevelsSpeed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	values := history(r, 2000, 1200, 0.9, 0.02)
	began := time.Now()
	points, _ := Levels(values)
	if took := time.Since(began); took > time.Second {
		t.Errorf("2,000 nights took %v", took)
	}
	if !slices.ContainsFunc(points, func(p ChangePoint) bool { return p.At >= 1199 && p.At <= 1201 }) {
		t.Errorf("the shift at 1200 is not among %v", points)
	}
}

func TestLevelsDegenerate(t *testing.T) {
	for _, values := range [][]float64{nil, {1}, {1, 2}, {5, 5, 5, 5, 5, 5, 5, 5, 5}} {
		if points, outliers := Levels(values); len(points) > 0 || len(outliers) != len(values) || slices.Contains(outliers, true) {
			t.Errorf("%v: %v, %v", values, points, outliers)
		}
	}
	steps := []float64{5, 5, 5, 5, 5, 5, 4, 4, 4, 4} // nothing varies but the level
	if points, _ := Levels(steps); len(points) != 1 || points[0].At != 6 || points[0].Ratio.Value != 0.8 {
		t.Errorf("%+v", points)
	}
}
