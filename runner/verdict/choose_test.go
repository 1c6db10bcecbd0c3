package verdict

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// The best cell is run again; on a plateau the knee and the middle, whichever
// cell was the luckiest. Trials that were run again do not change the choice.
func TestConfirmCells(t *testing.T) {
	threads := []int{1, 5, 20, 40, 60, 80, 100}
	flat := noisyGrid(rand.New(rand.NewPCG(2, 3)), threads, []int{10}, 0.03, func(n, _ int) float64 { return 70_000 * min(1, float64(n)/20) })
	peak := noisyGrid(rand.New(rand.NewPCG(2, 3)), threads, []int{10}, 0.003, func(n, _ int) float64 { return 70_000 * min(float64(n)/20, 20/float64(n)) })
	for _, c := range []struct {
		name   string
		trials []result.Trial
		want   []int
	}{
		{"plateau", flat, []int{20, 60}},
		{"peak", peak, []int{20}},
		{"nothing", nil, nil},
	} {
		threadsOf := func(cells []plan.Cell) (list []int) {
			for _, cell := range cells {
				list = append(list, cell.Threads)
			}
			return list
		}
		got := ConfirmCells(c.trials, "a", "w")
		if !slices.Equal(threadsOf(got), c.want) {
			t.Errorf("%s: %v threads, want %v", c.name, threadsOf(got), c.want)
		}
		again := slices.Clone(c.trials)
		for i := range got { // far off, and yet no other choice
			x := trial(got[i].Threads, 10, 4, 10_000)
			x.Confirm = true
			again = append(again, x)
		}
		if after := ConfirmCells(again, "a", "w"); !slices.Equal(after, got) {
			t.Errorf("%s: %v after confirming trials, %v before", c.name, after, got)
		}
	}
}

// What is ranked is the headline, whatever statements say.
func TestBestCellByHeadline(t *testing.T) {
	connects := func(threads int, connects, queries int64) result.Trial {
		x := trial(threads, 10, 1, 0)
		x.Measure.Queries, x.Measure.Reconnects = queries, connects
		return x
	}
	trials := []result.Trial{connects(1, 900, 1000), connects(2, 800, 1500)}
	if cell, ok := BestCell(trials, "a", "w"); !ok || cell.Threads != 1 {
		t.Errorf("best %+v, %v; want 900 connects/s at 1 thread", cell, ok)
	}
	if cell, ok := KneeCell(trials, "a", "w"); !ok || cell.Threads != 1 {
		t.Errorf("knee %+v, %v", cell, ok)
	}
}
