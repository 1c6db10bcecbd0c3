package verdict

import (
	"math"
	"slices"

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

	// Overall is the mean over the common cells of the headline's rate, OverallP50
	// and OverallP99 those of the latencies: geometric means of the cells' ratios,
	// nil without cells. Their intervals come from what Method says, empty where
	// there is none. Cells whose notes taint them are left out, see Tainted.
	Overall, OverallP50, OverallP99 *Ratio
	Method                          string
	// Spread is half of the interval in which one more run like those of the
	// base is expected, as a share; nil for fewer than three runs.
	Spread *float64
	// Peak is the cell at which both sides together are fastest.
	Peak *CellComparison
	// Tainted counts the common cells that say nothing about a change: others
	// used the machine, or figures are missing or wrong.
	Tainted int

	Differences []Difference
	Gate        Gate
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
)

// manyRuns is how many base runs show how much whole runs differ. From so many
// on, a run counts as one value; with fewer, each trial does.
const manyRuns = 3

// CellComparison is one cell of both sides.
type CellComparison struct {
	plan.Cell // as the new side names it
	Headline  Headline
	// Base and New are the rates of the headline, per second: a value for each
	// trial, or for each run of a base of three or more.
	Base, New Figure
	Ratio     *Ratio   // new over base, with p
	RankP     *float64 // Mann-Whitney, nil when a side has fewer than 4 values
	// Significant says that the p of Ratio is below 5 %. Of twenty cells in
	// which nothing changed, one is expected to be called so.
	Significant bool
	P50, P99    *LatencyChange // of the headline, nil when a side does not know it
	Notes       []string       // codes of the notes of both sides that taint it
}

// LatencyChange is a percentile of both sides, in seconds, a value for each
// trial or run. A ratio above 1 is slower.
type LatencyChange struct {
	Base, New Figure
	Ratio     *Ratio
}

// P is the two-sided p of the change, nil when it is unknown.
func (c *CellComparison) P() *float64 { return c.Ratio.P }

// Difference is something in which two sides differ.
type Difference struct {
	What  string // e.g. "variable innodb_io_capacity", "client cpu.model"
	Base  string
	New   string
	Asked bool // the plan varies it, or it follows from that
	// Follows marks a variable of the server that was not set: the server derived
	// its value from what was varied.
	Follows bool
}

// Ranked reports whether the sides may be ranked: they have cells in common,
// and differ only in what the plan varies.
func (c *Comparison) Ranked() bool {
	return len(c.Cells) > 0 && len(c.Unasked()) == 0
}

// Unasked lists the differences that forbid a ranking.
func (c *Comparison) Unasked() []Difference { return c.differences(false) }

// Varied lists the differences that were asked for.
func (c *Comparison) Varied() []Difference { return c.differences(true) }

func (c *Comparison) differences(asked bool) []Difference {
	var list []Difference
	for _, d := range c.Differences {
		if d.Asked == asked {
			list = append(list, d)
		}
	}
	return list
}

// Compare sets a new run against one or several base runs, of which those are
// taken that NewBaseline takes, and judges it by limits. asked names what was
// meant to differ (variables, keys of facts, keys of the plan).
func Compare(base []*result.Archive, fresh *result.Archive, limits Limits, asked ...string) Comparison {
	b, _ := NewBaseline(base, &fresh.Run, asked...)
	c := compareWith(&b.Baseline, &fresh.Run, noted(fresh))
	c.Differences = b.Differences
	c.judge(limits)
	return c
}

// noted are the sweeps of an archive, their cells with the codes of notes.
func noted(a *result.Archive) []Sweep {
	trials := each(a.Trials)
	list := sweeps(&a.Run, trials)
	writeNotes(a, trials, list)
	return list
}

// compare matches cells by match, which hides what may differ in their names.
func compare(base, fresh []measured, runs int, match func(plan.Cell) plan.Cell) Comparison {
	var c Comparison
	partner := map[plan.Cell]measured{}
	for _, b := range base {
		partner[match(b.cell)] = b
	}
	for _, f := range fresh {
		b, ok := partner[match(f.cell)]
		if !ok {
			c.OnlyNew++
			continue
		}
		if cell := compareCell(b, f, runs); cell.Ratio != nil {
			c.Cells = append(c.Cells, cell)
			c.Tainted += min(1, len(cell.Notes))
		}
	}
	c.OnlyBase = len(base) - len(c.Cells)
	c.overall(runs)
	c.peak()
	return c
}

func compareCell(base, fresh measured, runs int) CellComparison {
	c := CellComparison{Cell: fresh.cell, Headline: fresh.headline, Notes: tainting(base.notes, fresh.notes)}
	old, now := base.rates, fresh.rates
	if base.headline != fresh.headline { // an archive of an earlier version knows statements alone
		c.Headline, old, now = Queries, base.queries, fresh.queries
	}
	c.Base, c.New, c.Ratio = compareValues(old, now, runs)
	if c.Ratio == nil {
		return c
	}
	if c.Base.N() >= fewest && c.New.N() >= fewest {
		c.RankP = MannWhitney(old, now)
	}
	c.Significant = c.Ratio.P != nil && *c.Ratio.P < 0.05
	c.P50, c.P99 = compareLatency(base.p50, fresh.p50, runs), compareLatency(base.p99, fresh.p99, runs)
	return c
}

func compareLatency(base, fresh []float64, runs int) *LatencyChange {
	var l LatencyChange
	if l.Base, l.New, l.Ratio = compareValues(base, fresh, runs); l.Ratio == nil {
		return nil
	}
	return &l
}

// compareValues compares trials with trials, or a run as a whole with runs.
func compareValues(base, fresh []float64, runs int) (b, f Figure, r *Ratio) {
	if len(base) == 0 || len(fresh) == 0 {
		return b, f, nil
	}
	if runs >= manyRuns {
		one := middle(fresh)
		return NewFigure(base), NewFigure([]float64{one}), RatioToRuns(base, one)
	}
	return NewFigure(base), NewFigure(fresh), RatioOf(base, fresh)
}

// overall sets the means over the cells, their method and the spread.
func (c *Comparison) overall(runs int) {
	var rates, p50, p99 []pair
	for i := range c.Cells {
		cell := &c.Cells[i]
		if len(cell.Notes) > 0 && c.Tainted < len(c.Cells) {
			continue
		}
		rates = append(rates, pair{cell.Base.Values, cell.New.Values})
		if l := cell.P50; l != nil {
			p50 = append(p50, pair{l.Base.Values, l.New.Values})
		}
		if l := cell.P99; l != nil {
			p99 = append(p99, pair{l.Base.Values, l.New.Values})
		}
	}
	var levels []float64
	if c.Overall, levels = over(rates, runs); levels != nil {
		half := tQuantile(0.975, c.Overall.Freedom) * *c.Overall.Error
		c.Method, c.Spread = OverRuns, ptr(math.Expm1(half))
	} else if c.Overall != nil && c.Overall.Error != nil {
		c.Method = OverTrials
	}
	c.OverallP50, _ = over(p50, runs)
	c.OverallP99, _ = over(p99, runs)
}

// over is the mean over cells by runs, or by trials where there are few runs.
// levels are those of the runs, nil in the latter case.
func over(cells []pair, runs int) (r *Ratio, levels []float64) {
	if runs >= manyRuns {
		if r, levels = overRuns(cells, runs); r != nil {
			return r, levels
		}
	}
	return overTrials(cells), nil
}

// peak is the cell with the highest product of both rates: choosing it by one
// side alone would favour that side.
func (c *Comparison) peak() {
	best := 0.0
	for i := range c.Cells {
		if p := *c.Cells[i].Base.Geometric() * *c.Cells[i].New.Geometric(); p > best {
			best, c.Peak = p, &c.Cells[i]
		}
	}
}

// tainting are the codes of notes that leave a change unexplained: others used
// the machine, or figures are missing, wrong or only a bound. What an open loop
// missed is the server's own doing, and part of what is compared.
func tainting(sides ...[]string) []string {
	var list []string
	for _, code := range slices.Concat(sides...) {
		if code == "rate-missed" || code == "dropped" || slices.Contains(list, code) {
			continue
		}
		if code == "other-load" || severityOf(code) == Fault {
			list = append(list, code)
		}
	}
	return list
}

// severityOf is the severity of a note by its code.
func severityOf(code string) Severity {
	for _, c := range Catalogue() {
		if c.Code == code {
			return c.Severity
		}
	}
	return Caution
}
