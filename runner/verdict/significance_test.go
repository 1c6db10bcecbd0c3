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
