package plan

import "fmt"

// Cell is one point of the sweep.
type Cell struct {
	Case     string
	Workload string // its label, see Workload.Label
	Threads  int
	Queries  int // rounds per thread; 0 when the trial ends by time or events
}

func (c Cell) String() string {
	if c.Queries == 0 {
		return fmt.Sprintf("case=%s workload=%s threads=%d", c.Case, c.Workload, c.Threads)
	}
	return fmt.Sprintf("case=%s workload=%s threads=%d queries=%d", c.Case, c.Workload, c.Threads, c.Queries)
}

// Label is the name of a workload in results: its name, or its file.
func (w Workload) Label() string {
	switch {
	case w.Name != "":
		return w.Name
	case w.Smack != "":
		return w.Smack
	case w.Lua != "":
		return w.Lua
	}
	return w.SQL
}

// Cells are the cells of one case and workload; the queries vary fastest.
func (p *Plan) Cells(caseName, workload string) []Cell {
	queries := p.Queries
	if len(queries) == 0 {
		queries = Ints{0}
	}
	var cells []Cell
	for _, t := range p.Threads {
		for _, q := range queries {
			cells = append(cells, Cell{Case: caseName, Workload: workload, Threads: t, Queries: q})
		}
	}
	return cells
}
