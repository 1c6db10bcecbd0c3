package load

import (
	"math"
	"testing"
	"time"
)

// Arrivals that are passed over are as many as those that would have been drawn one by one.
func TestSkipArrivals(t *testing.T) {
	const rate, end = 1000, 10 * time.Second
	for _, kind := range []string{"uniform", "poisson"} {
		skipped, drawn := 0., 0.
		const schedules = 200
		for seed := range uint64(schedules) {
			a, b := newArrivals(rate, kind, seed), newArrivals(rate, kind, seed)
			for range 300 {
				a.next()
			}
			skipped += 300 + float64(a.skip(end))
			if again := a.skip(end); again != 0 {
				t.Fatalf("%s: %d arrivals are left behind the end", kind, again)
			}
			if due := a.next(); due < end {
				t.Fatalf("%s: an arrival at %s, after all before %s were skipped", kind, due, end)
			}
			for b.next() < end {
				drawn++
			}
		}
		tolerance := 0.
		if kind == "poisson" {
			tolerance = 5 * math.Sqrt(2*drawn)
		}
		if math.Abs(skipped-drawn) > tolerance {
			t.Errorf("%s: %g arrivals were skipped, %g drawn one by one", kind, skipped, drawn)
		}
	}
}
