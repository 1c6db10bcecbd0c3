package charts

import (
	"testing"

	"github.com/mysweep/mysweep/runner/verdict"
)

// The title of the map counts significant changes alone.
func TestChangeTitle(t *testing.T) {
	cell := func(ratio float64, significant bool) *verdict.CellComparison {
		return &verdict.CellComparison{Ratio: &verdict.Ratio{Value: ratio}, Significant: significant}
	}
	for want, group := range map[string][]*verdict.CellComparison{
		"No significant change in any of 2 cells":                        {cell(0.9, false), cell(1.1, false)},
		"Significantly slower in 2 of 2 cells, faster in 0":              {cell(0.9, true), cell(0.99, true)},
		"Significantly slower in 1 of 4 cells, faster in 1; 2 undecided": {cell(0.9, true), cell(1.2, true), cell(0.7, false), cell(1, false)},
	} {
		if got := changeTitle(group); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
