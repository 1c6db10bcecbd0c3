package charts

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Titles of the map and of the throughput say what the curves do, whatever
// cell was run again.
func TestThroughputTitles(t *testing.T) {
	for _, c := range []struct {
		why        string
		rate       func(threads, queries int) float64
		confirm    int // threads of the cell that was run again
		inMap, top string
	}{
		{"rises", func(n, q int) float64 { return float64(100 * n) }, 4, "Only 4 threads, the most tested, reach", "still increases at 4 threads"},
		{"rises, another cell was run again", func(n, q int) float64 { return float64(100 * n) }, 2, "Only 4 threads, the most tested, reach", "still increases at 4 threads"},
		{"flat", func(n, q int) float64 { return 100 }, 1, "1 thread reaches 95 %", "About 100 queries/s at all thread counts tested (1 to 4), mean of cells"},
		{"one count rises, the other falls", func(n, q int) float64 {
			return map[bool]float64{true: 100 * float64(n), false: 500 / float64(n)}[q == 100]
		}, 1,
			"The best thread count depends on the query count: 1 to 4", "Highest confirmed throughput at 1 thread"},
	} {
		a := sample.Archive([]int{1, 2, 4}, []int{10, 100}, 3)
		var trials []result.Trial
		for _, tr := range a.Trials {
			if tr.Confirm {
				continue
			}
			tr.Measure.Queries, tr.Measure.Elapsed = int64(c.rate(tr.Threads, tr.Queries)), 1
			trials = append(trials, tr)
			if tr.Threads == c.confirm && tr.Queries == 10 {
				tr.Confirm, tr.Repeat = true, 4
				trials = append(trials, tr)
			}
		}
		a.Trials = trials
		v := verdict.Of(a)
		s := v.Main()
		if got := mapTitle(s); !strings.Contains(got, c.inMap) {
			t.Errorf("%s: map: %q; want %q", c.why, got, c.inMap)
		}
		if got := rateTitle([]*verdict.Sweep{s}); !strings.Contains(got, c.top) {
			t.Errorf("%s: throughput: %q; want %q", c.why, got, c.top)
		}
	}
}
