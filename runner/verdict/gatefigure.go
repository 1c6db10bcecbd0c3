package verdict

import (
	"math"
	"sort"

	"github.com/mysweep/mysweep/runner/plan"
)

// Quantity is a kind of figure that a gate judges.
type Quantity string

// The kinds: the rate of the headline, and its latencies.
const (
	Rate Quantity = "rate" // per second, more is better
	P50  Quantity = "p50"  // seconds, less is better
	P99  Quantity = "p99"  // seconds, less is better
)

const (
	// gateRisk is the chance of a false alarm of a whole gate, where nothing has
	// changed. It is shared out among the gate's figures (Bonferroni's
	// inequality), each tested on one side.
	gateRisk = 0.01
	// gatePower is the chance with which a change of the smallest detectable
	// size is distinguished from chance.
	gatePower = 0.8
	// mostNeeded bounds the numbers of repeats and nights that are searched.
	mostNeeded = 1000
)

// GateFigure is one figure of a gate.
type GateFigure struct {
	Quantity Quantity
	Headline Headline
	// Cell is where it was measured; nil for the mean over so many Cells.
	Cell      *plan.Cell
	Cells     int
	Base, New *float64 // geometric means, per second or in seconds; nil for a mean over cells
	Ratio     *Ratio   // nil when it was not measured
	Limit     float64  // share by which it may be worse
	Decision  Decision
	Reason    Reason
	Risk      float64 // chance of a false alarm that the figure is judged at
}

// Detectable is the smallest change for the worse, as a share, that would be
// distinguished from chance in four of five comparisons like this one (minimum
// detectable effect: Bloom, Evaluation Review 19(5), 1995); nil when the spread
// is not known.
func (f *GateFigure) Detectable() *float64 {
	if f.Ratio == nil || f.Ratio.Error == nil {
		return nil
	}
	return ptr(f.share(needed(f.Ratio.Freedom, f.Risk) * *f.Ratio.Error))
}

// Worse is the change for the worse as a share: 0.1 is a rate 10 % lower, or a
// latency 10 % higher. It is negative for what became better, 0 when unknown.
func (f *GateFigure) Worse() float64 {
	switch {
	case f.Ratio == nil:
		return 0
	case f.Quantity == Rate:
		return 1 - f.Ratio.Value
	}
	return f.Ratio.Value - 1
}

// excess is the change for the worse in limits.
func (f *GateFigure) excess() float64 { return f.loss() / f.allowed(f.Limit) }

// loss is the change for the worse as a logarithm.
func (f *GateFigure) loss() float64 {
	switch {
	case f.Ratio == nil:
		return 0
	case f.Quantity == Rate:
		return -math.Log(f.Ratio.Value)
	}
	return math.Log(f.Ratio.Value)
}

// allowed is a limit as a logarithm. No rate falls by more than all of it.
func (f *GateFigure) allowed(limit float64) float64 {
	switch {
	case f.Quantity != Rate:
		return math.Log1p(limit)
	case limit >= 1:
		return math.Inf(1)
	}
	return -math.Log1p(-limit)
}

// share is a change for the worse as a share, from its logarithm.
func (f *GateFigure) share(loss float64) float64 {
	if f.Quantity == Rate {
		return -math.Expm1(-loss)
	}
	return math.Expm1(loss)
}

// decide judges the figure. It is a regression when it is beyond limit and
// extra, and distinguished from chance at risk; open when it is beyond the limit and
// not that, or when a change of the limit's size could have gone unseen. The
// peak, one cell of many, is open only in the former case: the mean decides.
func (f *GateFigure) decide(extra, risk float64) {
	f.Risk = risk
	limit := f.allowed(f.Limit)
	beyond := f.Ratio != nil && f.loss() > limit
	if f.Ratio == nil || f.Ratio.Error == nil {
		f.Decision, f.Reason = Undecided, SingleTrials
		if f.peak() && !beyond {
			f.Decision, f.Reason = NoRegression, ""
		}
		return
	}
	error, freedom := *f.Ratio.Error, f.Ratio.Freedom
	told := beyond && tTail(f.loss(), error, freedom) < risk
	switch {
	case told && f.loss() > f.allowed(f.Limit+extra):
		f.Decision = Regression
	case told:
		f.Decision, f.Reason = Undecided, FewRuns
	case beyond:
		f.Decision, f.Reason = Undecided, Noise
	case f.peak(), f.most() < limit, needed(freedom, risk)*error <= limit:
		f.Decision = NoRegression
	default:
		f.Decision, f.Reason = Undecided, Noise
	}
}

// most is the end of the 95 % interval that is worse, as a logarithm.
func (f *GateFigure) most() float64 {
	if f.Quantity == Rate {
		return -math.Log(*f.Ratio.Low)
	}
	return math.Log(*f.Ratio.High)
}

// peak reports whether the figure is one of several cells.
func (f *GateFigure) peak() bool { return f.Cells == 0 }

// needed is how many standard errors a change must have to be found at risk
// with gatePower.
func needed(freedom, risk float64) float64 {
	return tQuantile(1-risk, freedom) + tQuantile(gatePower, freedom)
}

// repeats is how many trials of each side instead of n would show a change of
// the limit's size. The standard error shrinks with the root of the number, the
// degrees of freedom grow with it.
func (f *GateFigure) repeats(n int) *int {
	if f.Ratio == nil || f.Ratio.Error == nil || n < 2 {
		return nil
	}
	return leastNeeded(n, func(more int) bool {
		freedom := f.Ratio.Freedom * float64(more-1) / float64(n-1)
		error := *f.Ratio.Error * math.Sqrt(float64(n)/float64(more))
		return needed(freedom, f.Risk)*error <= f.allowed(f.Limit)
	})
}

// nights is how many base runs instead of n would do so. The new run stays a
// single one, so that no number is enough where runs differ by too much.
func (f *GateFigure) nights(n int) *int {
	if f.Ratio == nil || f.Ratio.Error == nil {
		return nil
	}
	deviation := *f.Ratio.Error / math.Sqrt(1+1/float64(n))
	return leastNeeded(n, func(more int) bool {
		return needed(float64(more-1), f.Risk)*deviation*math.Sqrt(1+1/float64(more)) <= f.allowed(f.Limit)
	})
}

// leastNeeded is the smallest number above n that is enough, nil when not even
// mostNeeded is.
func leastNeeded(n int, enough func(int) bool) *int {
	if !enough(mostNeeded) {
		return nil
	}
	more := n + 1 + sort.Search(mostNeeded-n-1, func(i int) bool { return enough(n + 1 + i) })
	return &more
}
