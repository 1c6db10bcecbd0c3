package verdict

import (
	"math"

	"github.com/mysweep/mysweep/runner/plan"
)

// Limits are how much worse a run may be than its base, as shares; 0 is no
// limit.
type Limits struct {
	Rate    float64 // the headline's rate may be lower by this
	Latency float64 // p50 and p99 may be higher by this
	// OpenLoop says that the rate is kept whatever the server does: it is then
	// not the rate that tells a slower server but the latency.
	OpenLoop bool
}

// LimitsOf are the limits that a plan sets. In an open loop latencies have the
// limit of the rate, unless they have their own.
func LimitsOf(p *plan.Plan) Limits {
	return NewLimits(p.FailAbove, p.FailLatencyAbove, p.Rate > 0)
}

// NewLimits are limits for the rate and for latencies.
func NewLimits(rate, latency float64, openLoop bool) Limits {
	if openLoop && latency == 0 {
		latency = rate
	}
	return Limits{Rate: rate, Latency: latency, OpenLoop: openLoop}
}

// Any reports whether there is a limit at all.
func (l Limits) Any() bool { return l.Rate > 0 || l.Latency > 0 }

// Decision is what a comparison says of a regression.
type Decision string

// The decisions. Without limits a comparison has none, unless it cannot be made.
const (
	NoRegression  Decision = "no regression"
	Regression    Decision = "regression"
	Undecided     Decision = "undecided"
	CannotCompare Decision = "cannot compare"
)

// Reason is why a decision is open or cannot be made.
type Reason string

// The reasons.
const (
	Differ Reason = "differences" // the sides differ in what nobody asked to vary
	// No cell ranks on both sides.
	NothingCommon Reason = "no common cell"
	// No run has the tag of the baseline.
	NothingFound Reason = "nothing found"
	FirstRun     Reason = "first run" // there is no earlier run of this name
	// The spread is not known.
	SingleTrials Reason = "single trials"
	Noise        Reason = "noise"    // a change of the limit's size would not be told from chance
	FewRuns      Reason = "few runs" // one or two base runs do not show how much runs differ
	Notes        Reason = "notes"    // others used the machine, or figures are missing or wrong
)

// Gate is the answer to --fail-above and --fail-latency-above.
type Gate struct {
	Limits   Limits
	Decision Decision
	Reason   Reason // of Undecided and CannotCompare
	// Extra is what is added to the limits before a change counts as a
	// regression: ten percentage points with one or two base runs.
	Extra float64
	// Figures are those that were judged: of the rate the peak cell and the mean over the common
	// cells, of latencies the mean. Shown is the index of the one to speak of first: that which
	// decides, the peak before others unless they are far worse; -1 without any.
	Figures []GateFigure
	Shown   int
	// Repeats and Nights are how many trials of each cell, or base runs, would
	// decide it; nil when it is decided or no number would.
	Repeats, Nights *int
	// Row is how many runs in a row have now been undecided, this one included.
	Row int
}

// fewRunsExtra is added to the limits with one or two base runs. With nights
// that differ by a standard deviation of 3 %, one night differs from another
// by more than 15 % in one of 2,000.
const fewRunsExtra = 0.10

func extraFor(runs int) float64 {
	if runs < manyRuns {
		return fewRunsExtra
	}
	return 0
}

// farWorse is how many times as far beyond its limit a figure must be to be
// spoken of before one that comes first, such as the peak.
const farWorse = 2

// unsettled is how many undecided runs in a row are a problem of their own.
const unsettled = 3

// Stuck reports whether so many runs in a row were undecided that somebody
// should hear of it: a gate must not sleep for ever.
func (g *Gate) Stuck() bool { return g.Decision == Undecided && g.Row >= unsettled }

// Refused reports whether the decision is to fail a job (exit code 4): a
// regression, or a gate that has nothing to compare; with strict an open
// decision too.
func (g *Gate) Refused(strict bool) bool {
	switch g.Decision {
	case Regression:
		return true
	case CannotCompare:
		return g.Limits.Any()
	case Undecided:
		return strict
	}
	return false
}

// First reports whether the decision is what a reader must know first.
func (g *Gate) First() bool {
	return g.Decision == Regression || g.Decision == CannotCompare || g.Decision == Undecided && g.Limits.Any()
}

// ShownFigure is the figure to speak of first, nil without any.
func (g *Gate) ShownFigure() *GateFigure {
	if g.Shown < 0 || g.Shown >= len(g.Figures) {
		return nil
	}
	return &g.Figures[g.Shown]
}

// judge sets Gate.
func (c *Comparison) judge(limits Limits) {
	g := Gate{Limits: limits, Shown: -1}
	switch {
	case len(c.Cells) == 0:
		g.Decision, g.Reason = CannotCompare, NothingCommon
	case !c.Ranked():
		g.Decision, g.Reason = CannotCompare, Differ
	case limits.Any():
		g.Extra = extraFor(c.Base.Runs)
		g.Figures = c.gateFigures(limits)
		g.decide(c)
		g.needed(c)
	}
	c.Gate = g
}

// decide draws the decision from the figures: one regression is enough; what
// is open keeps the whole open.
func (g *Gate) decide(c *Comparison) {
	risk := gateRisk / float64(len(g.Figures))
	g.Decision, g.Shown = NoRegression, 0
	for i := range g.Figures {
		f := &g.Figures[i]
		f.decide(g.Extra, risk)
		worse := f.Decision == g.Decision && g.Decision != NoRegression && f.excess() > farWorse*g.Figures[g.Shown].excess()
		if rank(f.Decision) > rank(g.Decision) || worse {
			g.Decision, g.Shown = f.Decision, i
		}
	}
	g.Reason = g.Figures[g.Shown].Reason
	if peakTainted := c.Peak != nil && len(c.Peak.Notes) > 0; peakTainted || 2*c.Tainted > len(c.Cells) {
		g.Decision, g.Reason = Undecided, Notes
	}
}

func rank(d Decision) int {
	return map[Decision]int{NoRegression: 0, Undecided: 1, Regression: 2}[d]
}

// needed says how many trials or nights would decide an open figure.
func (g *Gate) needed(c *Comparison) {
	f := g.ShownFigure()
	switch {
	case g.Decision != Undecided:
	case g.Reason == FewRuns:
		g.Nights = ptr(manyRuns)
	case g.Reason == Noise && c.Base.Runs >= manyRuns:
		g.Nights = f.nights(c.Base.Runs)
	case g.Reason == Noise:
		g.Repeats = f.repeats(c.repeats())
	}
}

// Taints are the codes of the notes on the peak, or else on any common cell.
func (c *Comparison) Taints() []string {
	if c.Peak != nil && len(c.Peak.Notes) > 0 {
		return c.Peak.Notes
	}
	var all [][]string
	for i := range c.Cells {
		all = append(all, c.Cells[i].Notes)
	}
	return tainting(all...)
}

// repeats is the smallest number of trials of a side of a common cell.
func (c *Comparison) repeats() int {
	least := math.MaxInt
	for i := range c.Cells {
		least = min(least, c.Cells[i].Base.N(), c.Cells[i].New.N())
	}
	return least
}

// gateFigures are the figures that limits speak of.
func (c *Comparison) gateFigures(limits Limits) []GateFigure {
	var list []GateFigure
	if limits.Rate > 0 {
		headline := c.Cells[0].Headline
		if p := c.Peak; p != nil && len(c.Cells) > 1 && !limits.OpenLoop {
			list = append(list, GateFigure{Quantity: Rate, Headline: p.Headline, Cell: &p.Cell, Ratio: p.Ratio, Limit: limits.Rate,
				Base: p.Base.Geometric(), New: p.New.Geometric()})
		}
		list = append(list, c.meanFigure(GateFigure{Quantity: Rate, Headline: headline, Ratio: c.Overall, Limit: limits.Rate}))
	}
	if limits.Latency > 0 {
		list = append(list, c.meanFigure(GateFigure{Quantity: P50, Headline: c.Cells[0].Headline, Ratio: c.OverallP50, Limit: limits.Latency}),
			c.meanFigure(GateFigure{Quantity: P99, Headline: c.Cells[0].Headline, Ratio: c.OverallP99, Limit: limits.Latency}))
	}
	return list
}

// meanFigure adds what the only cell has, where the mean is over one cell.
func (c *Comparison) meanFigure(f GateFigure) GateFigure {
	f.Cells = len(c.Cells)
	if len(c.Cells) > 1 {
		return f
	}
	cell := &c.Cells[0]
	f.Cell = &cell.Cell
	switch {
	case f.Quantity == Rate:
		f.Base, f.New = cell.Base.Geometric(), cell.New.Geometric()
	case f.Quantity == P50 && cell.P50 != nil:
		f.Base, f.New = cell.P50.Base.Geometric(), cell.P50.New.Geometric()
	case f.Quantity == P99 && cell.P99 != nil:
		f.Base, f.New = cell.P99.Base.Geometric(), cell.P99.New.Geometric()
	}
	return f
}
