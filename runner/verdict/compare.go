package verdict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Comparison sets new figures against those of a base, cell by cell. Cells
// that only one side has are left out and counted.
type Comparison struct {
	Base, New Party
	Cells     []CellComparison
	OnlyBase  int // cells without a partner
	OnlyNew   int

	// Overall is the geometric mean of the ratios of all cells, nil without
	// cells. Its interval comes from what Method says.
	Overall *Ratio
	Method  string
	// Spread is half of the interval in which one more run like those of the
	// base is expected, as a share; nil for fewer than three runs.
	Spread *float64
	// Peak is the cell at which both sides together are fastest.
	Peak *CellComparison

	Differences []Difference
}

// Party is one side of a comparison.
type Party struct {
	Name  string
	RunID string
	Runs  int
}

// How the interval of Overall was found.
const (
	// OverRuns: from the spread of the base's runs, each taken as a whole.
	OverRuns = "spread of the runs"
	// OverTrials: from the spread of the trials within cells. It does not know
	// how much a whole run moves by itself: only several runs show that.
	OverTrials = "spread of the trials"
	// OverCells: Student's t over the logarithms of the cells' ratios, where
	// cells have a single trial.
	OverCells = "spread of the cells"
)

// CellComparison is one cell of both sides. Its rates are queries per second.
type CellComparison struct {
	plan.Cell // as the new side names it
	Base, New Figure
	Ratio     *Ratio   // new over base
	P         *float64 // Mann-Whitney, nil when a side has fewer than 4 values
	// Significant says that P is below 5 %. Of twenty cells in which nothing
	// changed, one is expected to be called so.
	Significant bool
}

// Difference is something in which two sides differ.
type Difference struct {
	What  string // e.g. "variable innodb_io_capacity", "client cpu.model"
	Base  string
	New   string
	Asked bool // somebody asked for it to be varied
}

// Ranked reports whether the sides may be ranked: they have cells in common,
// and differ in nothing that nobody asked to vary.
func (c *Comparison) Ranked() bool {
	return len(c.Cells) > 0 && len(c.Unasked()) == 0
}

// Unasked lists the differences that forbid a ranking.
func (c *Comparison) Unasked() []Difference {
	var list []Difference
	for _, d := range c.Differences {
		if !d.Asked {
			list = append(list, d)
		}
	}
	return list
}

// Worse reports whether the new side is worse by more than the share
// failAbove: overall or at the peak, with the whole interval below 1. It is
// never so for sides that are not to be ranked, nor for failAbove 0.
func (c *Comparison) Worse(failAbove float64) bool {
	if failAbove <= 0 || !c.Ranked() {
		return false
	}
	worse := func(r *Ratio) bool { return r.Below() && r.Value < 1-failAbove }
	return worse(c.Overall) || c.Peak != nil && worse(c.Peak.Ratio)
}

// Compare sets a new run against one or several base runs, of which those are
// taken that NewBaseline takes. asked names what was meant to differ
// (variables, keys of facts, keys of the plan).
func Compare(base []*result.Archive, fresh *result.Archive, asked ...string) Comparison {
	b, _ := NewBaseline(base, &fresh.Run, asked...)
	c := compareWith(&b, &fresh.Run, sweeps(&fresh.Run, each(fresh.Trials)))
	for _, a := range base {
		if a.Run.ID == b.RunID {
			c.Differences = RunDifferences(&a.Run, &fresh.Run, asked...)
		}
	}
	return c
}

// rates are the rates of one cell.
type rates struct {
	cell   plan.Cell
	values []float64
}

// ratesOf are the rates of the cells that rank, each trial's.
func ratesOf(list []Sweep) []rates {
	var all []rates
	for i := range list {
		for j := range list[i].Cells {
			if c := &list[i].Cells[j]; c.Ranks() {
				all = append(all, rates{c.Cell, c.QueriesPerSecond.Values})
			}
		}
	}
	return all
}

// compare matches cells by match, which hides what may differ in their names.
func compare(base, fresh []rates, runs int, match func(plan.Cell) plan.Cell) Comparison {
	var c Comparison
	partner := map[plan.Cell]rates{}
	for _, b := range base {
		partner[match(b.cell)] = b
	}
	var log [][]float64 // of the base's runs, for each cell
	for _, f := range fresh {
		b, ok := partner[match(f.cell)]
		if !ok {
			c.OnlyNew++
			continue
		}
		values := f.values
		if runs > 1 { // one run against runs: its trials are no runs
			values = []float64{*NewFigure(values).Median}
		}
		cell := compareCell(f.cell, b.values, values)
		if cell.Ratio == nil {
			continue
		}
		c.Cells = append(c.Cells, cell)
		log = append(log, logs(b.values))
	}
	c.OnlyBase = len(base) - len(c.Cells)
	c.overall(log, runs)
	c.peak()
	return c
}

func compareCell(cell plan.Cell, base, fresh []float64) CellComparison {
	c := CellComparison{Cell: cell, Base: NewFigure(base), New: NewFigure(fresh), Ratio: RatioOf(base, fresh)}
	if c.Base.N() >= fewest && c.New.N() >= fewest {
		c.P = MannWhitney(base, fresh)
		c.Significant = *c.P < 0.05
	}
	return c
}

// overall sets Overall, Method and Spread.
func (c *Comparison) overall(log [][]float64, runs int) {
	if len(c.Cells) == 0 {
		return
	}
	ratios := make([]float64, len(c.Cells))
	for i := range c.Cells {
		ratios[i] = math.Log(c.Cells[i].Ratio.Value)
	}
	middle := mean(ratios)
	c.Overall = &Ratio{Value: math.Exp(middle)}
	if levels := runLevels(log, runs); len(levels) >= 3 {
		c.Method = OverRuns
		n := float64(len(levels))
		half := studentT(len(levels)-1) * deviation(levels) * math.Sqrt(1+1/n)
		c.Spread = ptr(math.Expm1(half))
		c.Overall.Low, c.Overall.High = ptr(math.Exp(middle-half)), ptr(math.Exp(middle+half))
		return
	}
	c.Method = OverTrials
	if len(c.Cells) == 1 {
		c.Overall.Low, c.Overall.High = c.Cells[0].Ratio.Low, c.Cells[0].Ratio.High
		return
	}
	half, ok := c.withinCells()
	if !ok {
		c.Method = OverCells
		half = studentT(len(ratios)-1) * deviation(ratios) / math.Sqrt(float64(len(ratios)))
	}
	c.Overall.Low, c.Overall.High = ptr(math.Exp(middle-half)), ptr(math.Exp(middle+half))
}

// withinCells is half of the interval of the mean of the cells' logarithms of
// ratios, from how much trials differ within each cell: the variances add up,
// with the degrees of freedom of Welch and Satterthwaite. It is not ok unless
// every side of every cell has two values.
func (c *Comparison) withinCells() (half float64, ok bool) {
	variance, squares := 0.0, 0.0
	for i := range c.Cells {
		for _, side := range [2]Figure{c.Cells[i].Base, c.Cells[i].New} {
			l := logs(side.Values)
			if len(l) < 2 {
				return 0, false
			}
			v := deviation(l) * deviation(l) / float64(len(l))
			variance += v
			squares += v * v / float64(len(l)-1)
		}
	}
	if variance == 0 {
		return 0, true
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: variance * variance / squares}.Quantile(0.975)
	return t * math.Sqrt(variance) / float64(len(c.Cells)), true
}

// runLevels is the mean of the logarithms of each run over the cells that all
// runs have; nil when the rates are not one for each run.
func runLevels(log [][]float64, runs int) []float64 {
	if runs < 2 {
		return nil
	}
	levels, cells := make([]float64, runs), 0
	for _, l := range log {
		if len(l) != runs {
			continue
		}
		cells++
		for i, v := range l {
			levels[i] += v
		}
	}
	if cells == 0 {
		return nil
	}
	for i := range levels {
		levels[i] /= float64(cells)
	}
	return levels
}

// peak is the cell with the highest product of both rates: choosing it by one
// side alone would favour that side.
func (c *Comparison) peak() {
	best := 0.0
	for i := range c.Cells {
		if p := *c.Cells[i].Base.Median * *c.Cells[i].New.Median; p > best {
			best, c.Peak = p, &c.Cells[i]
		}
	}
}
