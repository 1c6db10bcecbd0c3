package verdict

import (
	"math"
	"testing"
)

// about compares with a hand-computed value, to so many parts of it.
func about(t *testing.T, what string, got *float64, want, share float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is unknown, want %v", what, want)
		return
	}
	if math.Abs(*got-want) > share*math.Abs(want)+1e-12 {
		t.Errorf("%s = %v, want %v", what, *got, want)
	}
}

func TestFigure(t *testing.T) {
	f := NewFigure([]float64{3, 1, 2})
	about(t, "median", f.Median, 2, 0)
	about(t, "mean", f.Mean, 2, 0)
	about(t, "deviation", f.Deviation, 1, 0) // √((1+0+1)/2)
	// logarithms 0, 0.693147, 1.098612: mean 0.597253, s = 0.555508, t(2) = 4.302653, half = t s/√3
	// = 1.380058
	about(t, "low", f.Low, math.Exp(0.597253-1.380058), 1e-4)
	about(t, "high", f.High, math.Exp(0.597253+1.380058), 1e-4)
	if f.HalfWidth() != nil {
		t.Errorf("an interval over more than a factor of ten is ± %v", *f.HalfWidth())
	}
	if f.Interval != LogInterval || !f.Noisy() {
		t.Errorf("interval %q, noisy %v", f.Interval, f.Noisy())
	}

	f = NewFigure([]float64{9, 1, 2, 3, 4, 5, 6, 7, 8})
	about(t, "median of nine", f.Median, 5, 0)
	about(t, "rank 2 of nine", f.Low, 2, 0) // 2 (1+9)/512 = 3.9 %
	about(t, "rank 8 of nine", f.High, 8, 0)
	if f.Interval != MedianInterval {
		t.Errorf("interval %q", f.Interval)
	}
}

// Unknown is not zero: too few values have no interval, none have nothing.
func TestFigureDegenerate(t *testing.T) {
	f := NewFigure(nil)
	if f.Median != nil || f.Low != nil || f.HalfWidth() != nil || f.Variation() != nil || f.Noisy() {
		t.Errorf("of nothing: %+v", f)
	}
	f = NewFigure([]float64{7})
	about(t, "median of one", f.Median, 7, 0)
	about(t, "max of one", f.Max, 7, 0)
	if f.Low != nil || f.Interval != "" || f.Deviation != nil || f.Noisy() {
		t.Errorf("of one: %+v", f)
	}
	f = NewFigure([]float64{math.NaN(), 1, math.Inf(1)})
	if f.N() != 1 {
		t.Errorf("NaN and Inf count: %+v", f)
	}
	f = NewFigure([]float64{0, 1, 2})
	if f.Interval != MeanInterval || *f.Low != 0 {
		t.Errorf("with a zero: %+v", f)
	}
	f = NewFigure([]float64{0, 0, 0})
	if f.HalfWidth() != nil || f.Variation() != nil {
		t.Errorf("of zeros: %+v", f)
	}
}

func TestOrderRank(t *testing.T) {
	for _, c := range []struct{ n, want int }{
		{1, 0}, {5, 0}, // 2/32 is more than 5 %
		{6, 1},    // 2/64
		{8, 1},    // 2 (1+8)/256 = 7 %
		{9, 2},    // 2 (1+9)/512 = 3.9 %
		{10, 2},   // 2 (1+10)/1024 = 2.1 %, rank 3 would be 10.9 %
		{20, 6},   // tables of the sign test: 5 of 20 is P = 0.0414
		{100, 40}, // 39 of 100 is P = 0.0352
	} {
		if got := orderRank(c.n); got != c.want {
			t.Errorf("orderRank(%d) = %d, want %d", c.n, got, c.want)
		}
	}
}
