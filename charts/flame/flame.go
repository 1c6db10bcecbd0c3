// Package flame draws sampled stacks as a flame graph (Brendan Gregg, "The Flame Graph", CACM
// 59(6), 2016): a box for each function below the functions that called it, as wide as its share of
// the samples; the order from left to right is that of the names and says nothing. It owns the
// shape and the SVG; it refuses to know where the samples come from, and reads nothing but its
// arguments, so equal stacks give equal bytes.
package flame

import (
	"maps"
	"slices"
	"strings"
)

// Drawing is a flame graph. It needs no script, follows a dark page, and tells a box's function,
// samples and share when the mouse rests on it.
type Drawing struct {
	SVG     string // one svg element, whole in itself
	Samples int
	Dropped int // boxes that are left out: too narrow or too deep to be seen
}

const (
	rowHeight = 17   // of a box, with the gap above it, in pixels
	narrowest = 1.0  // pixels of a box that is drawn
	mostBoxes = 2000 // in a drawing: bounds its size to some 400 kB
	deepest   = 120  // rows
)

// box is a function below one chain of callers.
type box struct {
	name    string
	samples int
	left    int // samples to the left of it
	depth   int // callers below it
}

// Draw draws stacks in a width of so many pixels. A stack's functions are parted by ";", the
// outermost first; the number says how many samples found it.
func Draw(stacks map[string]int, width int) Drawing {
	boxes, d := boxes(stacks), Drawing{}
	for _, b := range boxes {
		if b.depth == 0 {
			d.Samples += b.samples
		}
	}
	if d.Samples == 0 {
		return Drawing{SVG: document(nil, 0, width)}
	}
	shown := visible(boxes, d.Samples, width)
	d.Dropped = len(boxes) - len(shown)
	d.SVG = document(shown, d.Samples, width)
	return d
}

// boxes lays stacks side by side in the order of their names; functions that neighbours have in
// common are one box.
func boxes(stacks map[string]int) []*box {
	var all, open []*box // open: from the bottom to the top of the stack before
	left := 0
	names := slices.SortedFunc(maps.Keys(stacks), func(a, b string) int {
		return slices.Compare(strings.Split(a, ";"), strings.Split(b, ";"))
	})
	for _, stack := range names {
		n := stacks[stack]
		if n <= 0 {
			continue
		}
		functions := strings.Split(stack, ";")
		common := 0
		for common < min(len(open), len(functions)) && open[common].name == functions[common] {
			open[common].samples += n
			common++
		}
		open = open[:common]
		for depth := common; depth < len(functions); depth++ {
			b := &box{functions[depth], n, left, depth}
			open, all = append(open, b), append(all, b)
		}
		left += n
	}
	return all
}

// visible leaves out what is too narrow or too deep, so that no more than mostBoxes remain. A box
// is never wider than the one below it, so that nothing hangs in the air.
func visible(boxes []*box, samples, width int) []*box {
	least := narrowest * float64(samples) / float64(width)
	var sizes []int
	for _, b := range boxes {
		if b.depth < deepest {
			sizes = append(sizes, b.samples)
		}
	}
	if len(sizes) > mostBoxes {
		slices.Sort(sizes)
		least = max(least, float64(sizes[len(sizes)-mostBoxes-1]+1))
	}
	return slices.DeleteFunc(slices.Clone(boxes), func(b *box) bool { return float64(b.samples) < least || b.depth >= deepest })
}

// short is a function's name without its arguments, for the little room on a box.
func short(name string) string {
	for i := range name {
		before := name[:i]
		// The parenthesis of "(anonymous namespace)" does not begin arguments.
		if name[i] == '(' && i > 0 && !strings.HasSuffix(before, "operator") && !strings.HasSuffix(before, "::") {
			return before
		}
	}
	return name
}
