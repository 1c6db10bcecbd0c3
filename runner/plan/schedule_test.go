package plan

import (
	"fmt"
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

// At the knee each repeat measures the base again before the cases that vary it,
// and the plan counts these trials.
func TestScheduleAtKnee(t *testing.T) {
	for _, order := range []string{"interleaved", "sequential"} {
		p := Default()
		p.Order, p.At, p.Repeat, p.Confirm = order, "knee", 2, 3
		p.Threads, p.Queries = Ints{1, 2}, Ints{10}
		p.Workloads = []Workload{{Name: "w"}}
		p.Cases = []Case{{Name: "base"}, {Name: "x", Of: "base"}, {Name: "y", Of: "base"}}
		var got []string
		for _, b := range p.ScheduleAt(func(name, w string) (Cell, bool) { return Cell{Case: name, Workload: w, Threads: 2, Queries: 10}, true }) {
			for _, s := range b.Trials {
				if s.Case != b.Case.Name || s.Threads != 2 || p.Interleaved(s) != (s.Case == "base") {
					t.Errorf("%s: slot %+v in a block of %s", order, s, b.Case.Name)
				}
				got = append(got, fmt.Sprintf("%s %d", s.Case, s.Repeat))
			}
		}
		if want := []string{"base 6", "x 1", "y 1", "base 7", "x 2", "y 2"}; !slices.Equal(got, want) {
			t.Errorf("%s: %v; want %v", order, got, want)
		}
		if n := p.Trials(); n != 2*2+3+6 {
			t.Errorf("%s: %d trials; want 13", order, n)
		}
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
