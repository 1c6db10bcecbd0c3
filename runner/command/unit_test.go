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
	for _, name := range []string{"time", "min-time", "ramp-up", "warmup", "query-timeout", "trial-timeout", "max-time", "fail-above"} {
		for _, s := range append(sweepSettings(), answerSettings()...) {
			if s.flag.Names()[0] != name {
				continue
			}
			var p plan.Plan
			if err := s.set(&p, "5"); err == nil || !strings.Contains(err.Error(), "e.g.") {
				t.Errorf("--%s 5: %v; want an error with the expected form", name, err)
			}
			if err := decodePlan([]byte(keyOf(name)+": 5"), &p); err == nil || !strings.Contains(err.Error(), "e.g.") {
				t.Errorf("%s: 5: %v; want an error with the expected form", keyOf(name), err)
			}
		}
	}
}
