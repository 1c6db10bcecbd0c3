package plan

import (
	"math/rand/v2"
	"slices"
)

// Block is a sequence of trials of one case and one workload.
type Block struct {
	Case     Case
	Workload Workload
	Trials   []Slot
}

// Slot is one scheduled trial.
type Slot struct {
	Cell
	Repeat int // from 1
}

// Interleaved reports whether the trial measures a base again among the cases
// that vary it, see ScheduleAt: its repeats follow those of the confirming trials.
func (p *Plan) Interleaved(s Slot) bool { return s.Repeat > p.Repeat+p.Confirm }

// Schedule lists the trials in the order in which they run. It does not have the
// confirming trials, whose cell is known only when the sweep is done, nor the
// derived cases of a plan at the knee, see ScheduleAt.
//
// Interleaved, each repeat visits all cases, workloads and cells once, the cells
// in a new random order drawn from the seed, so that drift of the machine affects
// all of them alike. Sequential, each case and workload is finished before the
// next one, and the repeats of a cell follow one another, in the order of the
// lists in the plan.
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

// AtKnee reports whether derived cases run only at the knee of the case that they
// vary.
func (p *Plan) AtKnee() bool { return p.At == "knee" }

// Swept are the cases that run the whole sweep.
func (p *Plan) Swept() []Case {
	return slices.DeleteFunc(slices.Clone(p.Cases), func(c Case) bool { return p.AtKnee() && c.Of != "" })
}

// VariedCases are the cases that run only at the knee of the case that they vary.
func (p *Plan) VariedCases() []Case {
	return slices.DeleteFunc(slices.Clone(p.Cases), func(c Case) bool { return !p.AtKnee() || c.Of == "" })
}

// ScheduleAt lists the trials of the derived cases of a plan at the knee, each at
// the cell that knee returns for the case that it varies. Where knee returns
// none, the derived case has no trial. In each repeat the varied case is measured
// again at this cell, before the cases that vary it: what the machine does to them
// it does to their base.
func (p *Plan) ScheduleAt(knee func(caseName, workload string) (Cell, bool)) []Block {
	var blocks []Block
	for repeat := 1; repeat <= p.Repeat; repeat++ {
		for _, base := range p.variedBases() {
			for _, w := range p.Workloads {
				if cell, ok := knee(base.Name, w.Label()); ok {
					blocks = append(blocks, p.aroundBase(base, w, cell, repeat)...)
				}
			}
		}
	}
	return blocks
}

// aroundBase are the trials of a base and of the cases that vary it, at one cell.
func (p *Plan) aroundBase(base Case, w Workload, cell Cell, repeat int) []Block {
	cell.Case = base.Name
	blocks := []Block{{base, w, []Slot{{cell, p.Repeat + p.Confirm + repeat}}}}
	for _, c := range p.Cases {
		if c.Of == base.Name {
			cell.Case = c.Name
			blocks = append(blocks, Block{c, w, []Slot{{cell, repeat}}})
		}
	}
	return blocks
}

// variedBases are the cases that others vary at their knee.
func (p *Plan) variedBases() []Case {
	varied := map[string]bool{}
	for i := range p.Cases {
		varied[p.Cases[i].Of] = p.AtKnee()
	}
	return slices.DeleteFunc(slices.Clone(p.Cases), func(base Case) bool { return !varied[base.Name] })
}

func slots(cells []Cell, repeat int) []Slot {
	list := make([]Slot, len(cells))
	for i, c := range cells {
		list[i] = Slot{c, repeat}
	}
	return list
}

// Trials counts the trials of the plan, including the confirming ones; at most 1e15.
func (p *Plan) Trials() int {
	cells := float64(len(p.Threads)) * float64(max(1, len(p.Queries)))
	swept, varied := float64(len(p.Swept())), float64(len(p.VariedCases())+len(p.variedBases()))
	repeat := float64(p.Repeat)
	return int(min(float64(len(p.Workloads))*(swept*(cells*repeat+float64(p.Confirm))+varied*repeat), 1e15))
}
