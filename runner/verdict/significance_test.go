package verdict

import "testing"

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"three apart from three: 2 of 20 splits", []float64{1, 2, 3}, []float64{4, 5, 6}, 2.0 / 20},
		{"four apart from four: 2 of 70", []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70},
		{"one pair exchanged: 4 of 70", []float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}, 4.0 / 70},
		{"all equal", []float64{1, 1, 1}, []float64{1, 1, 1}, 1},
		// ranks 1, 2.5, 2.5, 4: of the 6 pairs 3.5 and 6.5 are as far out as 3.5
		{"a tie across: {1,2} and {2,3}", []float64{1, 2}, []float64{2, 3}, 4.0 / 6},
		{"one against one", []float64{1}, []float64{2}, 1},
	} {
		about(t, c.name, MannWhitney(c.a, c.b), c.want, 1e-9)
		about(t, c.name+", exchanged", MannWhitney(c.b, c.a), c.want, 1e-9)
	}
	if MannWhitney(nil, []float64{1}) != nil {
		t.Error("a side without values has a p")
	}
}

// Where the exact test ends the approximation goes on without a step.
func TestMannWhitneyNormal(t *testing.T) {
	var a, b []float64
	for i := range 30 {
		a = append(a, float64(i))
		b = append(b, float64(i)+7.5)
	}
	exact := *MannWhitney(a, b)
	ranks, ties := doubleRanks(a, b)
	sum := 0
	for _, r := range ranks[:len(a)] {
		sum += r
	}
	near := normalSplits(len(a), len(b), sum, ties)
	if exact > 0.01 || near < exact/1.3 || near > exact*1.3 {
		t.Errorf("exact %v, approximation %v", exact, near)
	}
	about(t, "61 values", MannWhitney(a, append(b, 18.5)), near, 0.5)
}

func TestRatioOf(t *testing.T) {
	r := RatioOf([]float64{100, 100, 100}, []float64{90, 90, 90})
	about(t, "ratio", &r.Value, 0.9, 1e-12)
	about(t, "high, without spread", r.High, 0.9, 1e-12)

	// logs 0, 0.2 against 1, 1.2: s² = 0.02 each, s²/n = 0.01, 2 degrees of
	// freedom, t = 4.302653, half = 4.302653 × √0.02 = 0.608487
	r = RatioOf([]float64{1, 1.2214027581601699}, []float64{2.718281828459045, 3.3201169227365472})
	about(t, "low", r.Low, 1.4793, 1e-3)   // e^(1-0.608487)
	about(t, "high", r.High, 4.9951, 1e-3) // e^(1+0.608487)

	// one against three: s of the three, 2 degrees of freedom, √(1/1+1/3)
	r = RatioOf([]float64{90, 100, 110}, []float64{50})
	if !r.Below() {
		t.Errorf("half of 100 ± 10 is not below: %v..%v", *r.Low, *r.High)
	}
	if r = RatioOf([]float64{90, 100, 110}, []float64{95}); r.Below() || r.Above() {
		t.Errorf("95 lies outside of 100 ± 10: %v..%v", *r.Low, *r.High)
	}
	if r = RatioOf([]float64{100}, []float64{50}); r.High != nil || r.Value != 0.5 || r.Below() {
		t.Errorf("one against one: %+v", r)
	}
	if RatioOf(nil, []float64{1}) != nil || RatioOf([]float64{0}, []float64{1}) != nil {
		t.Error("a ratio to nothing")
	}
}
