package verdict

import (
	"math"
	"testing"
)

func TestRatioOf(t *testing.T) {
	r := RatioOf([]float64{100, 100, 100}, []float64{90, 90, 90})
	about(t, "ratio", &r.Value, 0.9, 1e-12)
	about(t, "high, without spread", r.High, 0.9, 1e-12)
	about(t, "p, without spread", r.P, 0, 0)
	about(t, "p of the same", RatioOf([]float64{100, 100}, []float64{100, 100}).P, 1, 0)

	// The ratio is that of geometric means: √(1×4) against √(2×32).
	r = RatioOf([]float64{1, 4}, []float64{2, 32})
	about(t, "geometric", &r.Value, 4, 1e-12)

	// logs 0, 0.2 against 1, 1.2: pooled s² = 0.02, × (1/2 + 1/2) = 0.02, 2 degrees
	// of freedom, t = 4.302653, half = 4.302653 × √0.02 = 0.608487
	r = RatioOf([]float64{1, math.Exp(0.2)}, []float64{math.E, math.Exp(1.2)})
	about(t, "low", r.Low, math.Exp(1-0.608487), 1e-5)
	about(t, "high", r.High, math.Exp(1+0.608487), 1e-5)
	// t = 1/√0.02 = 7.0711; of 2 degrees of freedom p = 1 - t/√(t²+2) = 0.019419
	about(t, "p", r.P, 0.019419, 1e-4)

	if r := RatioOf([]float64{90, 100, 110}, []float64{50}); r.Low != nil || r.P != nil || !r.Vague() {
		t.Errorf("a single trial has an interval: %+v", r)
	}
	if r := RatioOf([]float64{10, 100}, []float64{10, 100}); r.Low == nil || !r.Vague() {
		t.Errorf("an interval of more than a factor of ten: %+v", r)
	}
	if RatioOf(nil, []float64{1}) != nil || RatioOf([]float64{0}, []float64{1}) != nil {
		t.Error("a ratio to nothing")
	}
}

// logs 0, 0.1, 0.2: s = 0.1, √(1+1/3) = 1.154701, t(2) = 4.302653
func TestRatioToRuns(t *testing.T) {
	r := RatioToRuns([]float64{1, math.Exp(0.1), math.Exp(0.2)}, 1)
	about(t, "ratio", &r.Value, math.Exp(-0.1), 1e-9)
	about(t, "low", r.Low, math.Exp(-0.1-0.1*1.154701*4.302653), 1e-5)
	if r := RatioToRuns([]float64{2}, 1); r.Value != 0.5 || r.Low != nil {
		t.Errorf("one run: %+v", r)
	}
	if RatioToRuns(nil, 1) != nil {
		t.Error("a ratio to nothing")
	}
}

// Two cells like the one of TestRatioOf: the variance of the sum is 0.04, with
// 0.04²/(2 × 0.02²/2) = 4 degrees of freedom, t(4) = 2.776445, half = t × 0.2 / 2.
func TestOverTrials(t *testing.T) {
	cell := pair{[]float64{1, math.Exp(0.2)}, []float64{math.E, math.Exp(1.2)}}
	r := overTrials([]pair{cell, cell})
	about(t, "ratio", &r.Value, math.E, 1e-9)
	about(t, "freedom", &r.Freedom, 4, 1e-9)
	about(t, "low", r.Low, math.Exp(1-2.776445*0.2/2), 1e-5)
	if r := overTrials([]pair{cell, {[]float64{1}, []float64{2}}}); r.Low != nil || r.Value == 0 {
		t.Errorf("with a cell of single trials: %+v", r)
	}
	if overTrials(nil) != nil || overTrials([]pair{{nil, []float64{1}}}) != nil {
		t.Error("a ratio of nothing")
	}
}
