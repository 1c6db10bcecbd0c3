package command

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
)

// A bare number is refused by every flag and key whose value has a unit: as a
// duration it could be seconds or milliseconds, as a percentage it could be a
// fraction.
func TestBareNumbersAreRefused(t *testing.T) {
	units := 0
	for _, f := range plan.Flags() {
		if kind := f.KindOf(); kind != plan.Span && kind != plan.Percent && kind != plan.Limits {
			continue
		}
		units++
		for _, text := range []string{"5", "0.5", "-5", "5x"} {
			var p plan.Plan
			if err := f.Apply(&p, text); err == nil || !strings.Contains(err.Error(), "e.g.") {
				t.Errorf("--%s %s: %v; want an error with the expected form", f.Name, text, err)
			}
			for _, file := range []string{f.Key() + ": " + text, f.Key() + ": '" + text + "'"} {
				if err := p.Decode([]byte(file), catalogue()); err == nil || !strings.Contains(err.Error(), "e.g.") {
					t.Errorf("%s: %v; want an error with the expected form", file, err)
				}
			}
		}
	}
	if units < 9 {
		t.Errorf("%d flags have a unit, there are more", units)
	}
}
