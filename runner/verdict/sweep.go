package verdict

import (
	"cmp"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Sweep is the answer for one case and workload.
type Sweep struct {
	Case, Workload string
	// Headline is what this workload is known by: Queries, Transactions or Connects.
	Headline Headline
	Cells    []Cell // by threads, then queries
	// Again is the cell that was measured again among the cases that vary this
	// one, which are compared with it. It has no part in Cells and what follows
	// from them. Nil unless the plan varies this case at its knee.
	Again *Cell
	Peak  *Point // nil when no cell ranks
	// Higher is the cell with the highest rate of all, where that is more than
	// KneeGain above the confirmed peak: the sweep showed more there than the
	// peak reached when it was run again. It is nil on a plateau.
	Higher *Point
	// Knee is the smallest thread count beyond which more threads bring less
	// than KneeMargin more, nil when there is none. KneeMargin is 5 %, or up to
	// 10 % where the repeats differ by so much that 5 % could be chance.
	Knee       *Point
	KneeMargin float64
	Rising     bool // the rate still grew at the largest thread count of Curve, so there is no knee
	Level      bool // the rates of Curve cannot be distinguished, so there is no knee
	// Thread counts with a rate at the query count of the peak, ascending.
	Curve []int
	// Plateau is where the cells cannot be distinguished from the best one, nil when
	// there is none.
	Plateau *Plateau
	Fits    []Fit // one for each query count that has enough points
	Limit   Limit // what limited the peak
}

// Point is a cell that the answer speaks of. Its figures are those of the
// confirming trials when there are any: the best of many cells is partly
// luck, the trials that came after the choice are not.
type Point struct {
	Cell
	Confirmed bool
}

// Headline is the measure that a workload is known by.
type Headline string

// The headlines: statements, rounds of transactional workloads, and connects
// where most statements have a connect of their own.
const (
	Queries      Headline = "queries"
	Transactions Headline = "transactions"
	Connects     Headline = "connects"
)

// Rate is the cell's figure for its headline.
func (c *Cell) Rate() Figure {
	switch c.Headline {
	case Transactions:
		return c.TransactionsPerSecond
	case Connects:
		return c.ConnectsPerSecond
	}
	return c.QueriesPerSecond
}

// Rate is the headline rate of one trial, nil when nothing was measured.
func (h Headline) Rate(m *result.Measure) *float64 {
	switch h {
	case Transactions:
		return m.TransactionsPerSecond()
	case Connects:
		return m.ConnectsPerSecond()
	}
	return m.QueriesPerSecond()
}

// Times is the cell's latency for its headline: of rounds where they are the
// headline, else of statements.
func (c *Cell) Times() result.Distribution {
	if c.Headline == Transactions {
		return c.Transaction
	}
	return c.Latency
}

// fastest sorts points by their rate, the highest first.
func fastest(points []Point) {
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(b.rate(), a.rate()) })
}

// Cell returns the cell of so many threads and queries, nil when it has no trial.
func (s *Sweep) Cell(threads, queries int) *Cell {
	i, ok := slices.BinarySearchFunc(s.Cells, plan.Cell{Threads: threads, Queries: queries}, func(c Cell, want plan.Cell) int {
		return inOrder(c.Cell, want)
	})
	if !ok {
		return nil
	}
	return &s.Cells[i]
}

// inOrder compares cells of a sweep by threads, then queries.
func inOrder(a, b plan.Cell) int {
	return cmp.Or(cmp.Compare(a.Threads, b.Threads), cmp.Compare(a.Queries, b.Queries))
}

// ThreadCounts lists the thread counts that have trials, ascending.
func (s *Sweep) ThreadCounts() []int {
	return s.counts(func(c *Cell) int { return c.Threads })
}

// QueryCounts lists the query counts that have trials, ascending; 0 stands
// for trials that end by time or events.
func (s *Sweep) QueryCounts() []int {
	return s.counts(func(c *Cell) int { return c.Queries })
}

func (s *Sweep) counts(of func(*Cell) int) []int {
	var list []int
	for i := range s.Cells {
		list = append(list, of(&s.Cells[i]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func cellOf(t *result.Trial) plan.Cell {
	return plan.Cell{Case: t.Case, Workload: t.Workload, Threads: t.Threads, Queries: t.Queries}
}

// sweeps groups trials by case and workload, in the order of the plan, then
// of the first trial.
func sweeps(run *result.Run, trials []*result.Trial) []Sweep {
	type key struct{ caseName, workload string }
	var order []key
	for _, c := range run.Plan.Cases {
		for _, w := range run.Plan.Workloads {
			order = append(order, key{c.Name, w.Label()})
		}
	}
	groups := map[key][]*result.Trial{}
	for _, t := range trials {
		k := key{t.Case, t.Workload}
		groups[k] = append(groups[k], t)
		if !slices.Contains(order, k) {
			order = append(order, k)
		}
	}
	var list []Sweep
	for _, k := range order {
		if len(groups[k]) > 0 {
			list = append(list, newSweep(k.caseName, k.workload, groups[k]))
		}
	}
	return list
}

func newSweep(caseName, workload string, trials []*result.Trial) Sweep {
	s := Sweep{Case: caseName, Workload: workload, Headline: headline(trials)}
	groups := map[plan.Cell][]*result.Trial{}
	var again []*result.Trial
	for _, t := range trials {
		if t.Interleaved {
			again = append(again, t)
			continue
		}
		groups[cellOf(t)] = append(groups[cellOf(t)], t)
	}
	if len(again) > 0 {
		c := newCell(cellOf(again[0]), s.Headline, again)
		s.Again = &c
	}
	for key, group := range groups {
		s.Cells = append(s.Cells, newCell(key, s.Headline, group))
	}
	slices.SortFunc(s.Cells, func(a, b Cell) int { return inOrder(a.Cell, b.Cell) })
	s.Peak = s.peak()
	s.Plateau = s.findPlateau()
	s.findKnee()
	s.Higher = s.higher()
	s.Fits = s.fits()
	return s
}

// headline tells from what was counted what the workload is known by.
func headline(trials []*result.Trial) Headline {
	var queries, others, connects, transactions int64
	for _, t := range trials {
		queries += t.Measure.Queries
		others += t.Measure.Others // BEGIN and COMMIT among them
		connects += t.Measure.Reconnects
		transactions += t.Measure.Transactions
	}
	switch {
	case connects > 0 && 2*connects >= queries:
		return Connects
	case others > 0 && transactions > 0 && queries > transactions:
		return Transactions
	}
	return Queries
}

// peak is the best of the cells that were confirmed, or of all when none was.
func (s *Sweep) peak() *Point {
	var best *Point
	for i := range s.Cells {
		if c := s.Cells[i].confirmed(); c != nil && c.Ranks() && (best == nil || c.rate() > best.rate()) {
			best = &Point{Cell: *c, Confirmed: true}
		}
	}
	if best != nil {
		return best
	}
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Ranks() && (best == nil || c.rate() > best.rate()) {
			best = &Point{Cell: *c}
		}
	}
	return best
}

// higher is the best cell of the sweep, nil unless it beats the confirmed peak.
func (s *Sweep) higher() *Point {
	if s.Peak == nil || !s.Peak.Confirmed || s.Plateau != nil {
		return nil
	}
	var best *Point
	most := (1 + KneeGain) * s.Peak.rate()
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Cell != s.Peak.Cell.Cell && c.rate() > most {
			best, most = &Point{Cell: *c}, c.rate()
		}
	}
	return best
}

// confirmed is the cell as its confirming trials show it, nil without any.
func (c *Cell) confirmed() *Cell {
	var list []*result.Trial
	for _, t := range c.trials {
		if t.Confirm {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	confirmed := newCell(c.Cell, c.Headline, list)
	return &confirmed
}

// SweepName tells a sweep from the others of a run, empty when it is alone.
func SweepName(sweeps []Sweep, s *Sweep) string {
	cases, workloads := false, false
	for i := range sweeps {
		cases = cases || sweeps[i].Case != s.Case
		workloads = workloads || sweeps[i].Workload != s.Workload
	}
	switch {
	case cases && workloads:
		return s.Case + " " + s.Workload
	case cases:
		return s.Case
	case workloads:
		return s.Workload
	}
	return ""
}
