package plan

import (
	"math/rand/v2"
	"slices"
)

// Block is a stretch of trials on one open case with one workload loaded.
type Block struct {
	Case     Case
	Workload Workload
	Trials   []Slot
}

// Slot is one trial that is to run.
type Slot struct {
	Cell
	Repeat int // from 1
}

// Schedule expands the plan into trials in the order in which they run, the
// confirming trials left out: which cell they repeat is known only then. So are
// the varying cases of a plan at the knee, see ScheduleAt.
//
// Interleaved, the repeats stand outside: each walks all cases, workloads and
// cells once, the cells in a fresh order drawn from the seed, so that drift of
// the machine falls on all of them alike. Sequential, cases and workloads
// stand outside and each cell has its repeats one after the other, in the
// order in which the lists were written.
func (p *Plan) Schedule() []Block {
	if p.Order == "sequential" {
		return p.sequential()
	}
	r := rand.New(rand.NewPCG(p.Seed, 1))
	var blocks []Block
	for repeat := 1; repeat <= p.Repeat; repeat++ {
		for _, c := range p.Swept() {
			for _, w := range p.Workloads {
				cells := p.Cells(c.Name, w.Label())
				r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
				blocks = append(blocks, Block{c, w, slots(cells, repeat)})
			}
		}
	}
	return blocks
}

func (p *Plan) sequential() []Block {
	var blocks []Block
	for _, c := range p.Swept() {
		for _, w := range p.Workloads {
			b := Block{Case: c, Workload: w}
			for _, cell := range p.Cells(c.Name, w.Label()) {
				for repeat := 1; repeat <= p.Repeat; repeat++ {
					b.Trials = append(b.Trials, Slot{cell, repeat})
				}
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// AtKnee reports whether the plan's varying cases wait for the knee of the
// case that they vary.
func (p *Plan) AtKnee() bool { return p.At == "knee" }

// Swept are the cases that run through the whole sweep.
func (p *Plan) Swept() []Case {
	return slices.DeleteFunc(slices.Clone(p.Cases), func(c Case) bool { return p.AtKnee() && c.Of != "" })
}

// VariedCases are those that run only at the knee of the case that they vary.
func (p *Plan) VariedCases() []Case {
	return slices.DeleteFunc(slices.Clone(p.Cases), func(c Case) bool { return !p.AtKnee() || c.Of == "" })
}

// ScheduleAt is the second part of a plan at the knee: the varying cases, each
// on the cell that knee names for the case that it varies. Without a knee a
// case has no trial.
func (p *Plan) ScheduleAt(knee func(kase, workload string) (Cell, bool)) []Block {
	var blocks []Block
	for repeat := 1; repeat <= p.Repeat; repeat++ {
		for _, c := range p.VariedCases() {
			for _, w := range p.Workloads {
				cell, ok := knee(c.Of, w.Label())
				if !ok {
					continue
				}
				cell.Case = c.Name
				blocks = append(blocks, Block{c, w, []Slot{{cell, repeat}}})
			}
		}
	}
	if p.Order == "sequential" {
		slices.SortStableFunc(blocks, func(a, b Block) int { return p.find(a.Case.Name) - p.find(b.Case.Name) })
	}
	return blocks
}

func slots(cells []Cell, repeat int) []Slot {
	list := make([]Slot, len(cells))
	for i, c := range cells {
		list[i] = Slot{c, repeat}
	}
	return list
}

// Trials counts the trials of the plan, the confirming ones included. A count that no plan can mean is given as 1e15.
func (p *Plan) Trials() int {
	cells := float64(len(p.Threads)) * float64(max(1, len(p.Queries)))
	swept, varied := float64(len(p.Swept())), float64(len(p.VariedCases()))
	repeat := float64(p.Repeat)
	return int(min(float64(len(p.Workloads))*(swept*(cells*repeat+float64(p.Confirm))+varied*repeat), 1e15))
}
