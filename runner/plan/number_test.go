package plan

import (
	"math"
	"slices"
	"testing"
)

// A duration or a percentage has its unit; only 0 needs none.
func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{"500ms": 0.5, "30s": 30, "1m30s": 90, "0": 0, "0s": 0, " 2h ": 7200} {
		if got, err := ParseDuration(text); err != nil || got.Seconds() != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %g s", text, got, err, want)
		}
	}
	for text, want := range map[string]float64{"5%": 0.05, "0": 0, "0%": 0, "2.5 %": 0.025, "150%": 1.5} {
		if got, err := ParsePercent(text); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("ParsePercent(%q) = %v, %v; want %g", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "500", "0.5", "5x", "-1s", "9000h", "5%", "1e3", "Inf", "NaN"} {
		if got, err := ParseDuration(bad); err == nil {
			t.Errorf("ParseDuration(%q) = %v, want an error", bad, got)
		}
	}
	for _, bad := range []string{"", "%", "5", "0.05", "-5%", "NaN%", "Inf%", "5s", "1e400%"} {
		if got, err := ParsePercent(bad); err == nil {
			t.Errorf("ParsePercent(%q) = %v, want an error", bad, got)
		}
	}
	for _, bad := range []string{"dirty=5", "dirty=0.05", "load1=50%", "timewait=5%", "timeout=10", "timeout=0", "load1=-1"} {
		if got, err := ParseSettle(bad); err == nil {
			t.Errorf("ParseSettle(%q) = %v, want an error", bad, got)
		}
	}
}

// The plan of an archive that an earlier version wrote keeps its requirements:
// bare numbers were base units, and a percent sign divided by 100.
func TestArchivedRequirements(t *testing.T) {
	p := Plan{Require: Texts{"p99<10,server_cpu<=0.9", "qps>=1%", "tps>=2k", "mean < 5ms"}}
	var values []float64
	for _, r := range p.Requirements() {
		values = append(values, r.Value)
	}
	if want := []float64{10, 0.9, 0.01, 2000, 0.005}; !slices.Equal(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
}
