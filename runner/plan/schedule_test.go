package plan

import (
	"slices"
	"testing"
)

// The default plan is 14 x 10 cells, three times, and three confirming trials.
func TestScheduleDefault(t *testing.T) {
	p := Default()
	p.Fill(Sweep{Queries: Ints{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}})
	if n := p.Trials(); n != 423 {
		t.Errorf("%d trials; want 423", n)
	}
	blocks := p.Schedule()
	if len(blocks) != 3 {
		t.Fatalf("%d blocks; want one for each repeat", len(blocks))
	}
	if slices.Equal(blocks[0].Trials, blocks[1].Trials) {
		t.Errorf("two repeats walk the grid in the same order")
	}
	again := p.Schedule()
	if !slices.Equal(blocks[2].Trials, again[2].Trials) {
		t.Errorf("one seed gives two orders")
	}
	seen := map[Slot]bool{}
	for _, b := range blocks {
		for _, s := range b.Trials {
			seen[s] = true
		}
	}
	if len(seen) != 420 {
		t.Errorf("%d different trials; want each cell in each repeat, 420", len(seen))
	}
}

// The shell loop runs threads outside, queries inside, upwards, each cell once.
func TestScheduleSuperSmack(t *testing.T) {
	p := Default()
	p.SuperSmack()
	p.Fill(Sweep{})
	blocks := p.Schedule()
	if len(blocks) != 1 || len(blocks[0].Trials) != 100 || p.Trials() != 100 {
		t.Fatalf("%d blocks, %d trials; want 1 and 100", len(blocks), p.Trials())
	}
	trials := blocks[0].Trials
	if a, b, z := trials[0], trials[1], trials[99]; a.Threads != 10 || a.Queries != 10 || b.Threads != 10 || b.Queries != 20 || z.Threads != 100 || z.Queries != 100 {
		t.Errorf("order begins %v, %v and ends %v", a, b, z)
	}
}
