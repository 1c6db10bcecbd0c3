package words

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func TestWhere(t *testing.T) {
	grid := func(caseName string) []result.Trial {
		var list []result.Trial
		for _, n := range []int{1, 2, 4, 8, 10} {
			for _, q := range []int{10, 20, 30, 40} {
				x := trial(n, q, 1, 100)
				x.Case = caseName
				list = append(list, x)
			}
		}
		return list
	}
	one := sweepsOf(grid("a"))
	two := sweepsOf(append(grid("a"), grid("b")...))
	cells := func(caseName string, points ...[2]int) map[plan.Cell]bool {
		m := map[plan.Cell]bool{}
		for _, p := range points {
			m[plan.Cell{Case: caseName, Workload: "w", Threads: p[0], Queries: p[1]}] = true
		}
		return m
	}
	rows := func(caseName string, threads ...int) map[plan.Cell]bool {
		m := map[plan.Cell]bool{}
		for _, n := range threads {
			for _, q := range []int{10, 20, 30, 40} {
				m[plan.Cell{Case: caseName, Workload: "w", Threads: n, Queries: q}] = true
			}
		}
		return m
	}
	for _, c := range []struct {
		name   string
		sweeps []verdict.Sweep
		cells  map[plan.Cell]bool
		want   string
	}{
		{"one cell", one, cells("a", [2]int{4, 20}), "4 threads × 20"},
		{"a column of the sweep", one, cells("a", [2]int{1, 10}, [2]int{2, 10}, [2]int{4, 10}), "1-4 threads × 10"},
		{"two neighbours are no range", one, cells("a", [2]int{1, 10}, [2]int{2, 10}), "1,2 threads × 10"},
		{"whole rows", one, rows("a", 1, 10), "1,10 threads"},
		{"one thread", one, rows("a", 1), "1 thread"},
		{"a query count at any threads", one, cells("a", [2]int{1, 10}, [2]int{2, 10}, [2]int{4, 10}, [2]int{8, 10}, [2]int{10, 10}), "any threads × 10"},
		{"ranges of queries", one, cells("a", [2]int{8, 20}, [2]int{8, 30}, [2]int{8, 40}), "8 threads × 20-40"},
		{"all", one, rows("a", 1, 2, 4, 8, 10), "all"},
		{"too many places", one, cells("a", [2]int{1, 10}, [2]int{2, 20}, [2]int{4, 30}, [2]int{8, 40}, [2]int{10, 10}, [2]int{10, 30}),
			"6 of 20 cells, e.g. 1 thread × 10"},
		{"a whole case", two, rows("b", 1, 2, 4, 8, 10), "b"},
		{"some of a case", two, cells("b", [2]int{4, 20}), "b: 4 threads × 20"},
	} {
		if got := where(c.sweeps, c.cells); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func sweepsOf(trials []result.Trial) []verdict.Sweep {
	v := verdict.Of(archive(trials...))
	return v.Sweeps
}
