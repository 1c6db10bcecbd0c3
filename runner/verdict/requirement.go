package verdict

import (
	"math"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// Outcome is what became of a requirement.
type Outcome string

// The outcomes. NotMeasured is that of a condition alone: what could not be
// measured is not met. Open is that of a comparison alone.
const (
	Pass        Outcome = "PASS"
	Fail        Outcome = "FAIL"
	Open        Outcome = "UNDECIDED"
	NotMeasured Outcome = "not measured"
)

// Requirement is the answer to --require. All conditions must hold in one
// cell together: a rate that is reached at 100 threads and a latency that
// holds at 10 are of no use to anybody.
type Requirement struct {
	Outcome    Outcome
	Conditions []Condition
	// Point is the cell that was judged: the confirmed best cell when it meets
	// all conditions or no other does, else the best of those that do. It is
	// nil when no cell ranks.
	Point *Point
}

// Condition is one condition, as the judged cell meets it.
type Condition struct {
	plan.Requirement
	Outcome Outcome
	Figure  *float64 // of the judged cell, in the metric's base unit
	// Nearest is the figure that comes nearest to meeting the condition, of
	// all cells, with its cell.
	Nearest     *float64
	NearestCell plan.Cell
}

// judgeRequirement judges the peaks first, then all other cells.
func judgeRequirement(conditions []plan.Requirement, sweeps []Sweep) *Requirement {
	if len(conditions) == 0 {
		return nil
	}
	candidates := candidates(sweeps)
	r := &Requirement{}
	for i := range candidates {
		if tried := judge(conditions, &candidates[i]); i == 0 || tried.closer(r) {
			r = tried
		}
	}
	if r.Point == nil {
		r = &Requirement{Outcome: Fail}
		for _, c := range conditions {
			r.Conditions = append(r.Conditions, Condition{Requirement: c, Outcome: NotMeasured})
		}
		return r
	}
	for i := range r.Conditions {
		r.Conditions[i].nearest(candidates)
	}
	if r.Outcome == NotMeasured { // nobody knows that it holds
		r.Outcome = Fail
	}
	return r
}

// candidates are the peaks, best first within equals, then every cell that
// ranks, the fastest first.
func candidates(sweeps []Sweep) []Point {
	var peaks, cells []Point
	for i := range sweeps {
		s := &sweeps[i]
		if s.Peak == nil {
			continue
		}
		peaks = append(peaks, *s.Peak)
		for j := range s.Cells {
			if c := &s.Cells[j]; c.Ranks() && c.Cell != s.Peak.Cell.Cell {
				cells = append(cells, Point{Cell: *c})
			}
		}
	}
	fastest(peaks)
	fastest(cells)
	return append(peaks, cells...)
}

func judge(conditions []plan.Requirement, p *Point) *Requirement {
	r := &Requirement{Outcome: Pass, Point: p}
	for _, condition := range conditions {
		c := Condition{Requirement: condition, Figure: Metric(&p.Cell, condition.Metric), Outcome: NotMeasured}
		if c.Figure != nil {
			c.Outcome = Fail
			if condition.Met(*c.Figure) {
				c.Outcome = Pass
			}
		}
		r.Conditions = append(r.Conditions, c)
		if c.Outcome == Fail || c.Outcome == NotMeasured && r.Outcome == Pass {
			r.Outcome = c.Outcome
		}
	}
	return r
}

// closer reports whether r is a better answer than other, which was tried
// before: more conditions met, then less missing from the others.
func (r *Requirement) closer(other *Requirement) bool {
	rank := map[Outcome]int{Pass: 2, NotMeasured: 1, Fail: 0}
	if rank[r.Outcome] != rank[other.Outcome] {
		return rank[r.Outcome] > rank[other.Outcome]
	}
	met, miss := r.score()
	otherMet, otherMiss := other.score()
	return r.Outcome == Fail && (met > otherMet || met == otherMet && miss < otherMiss)
}

// score counts the conditions that are met, and sums by what factor (as a
// logarithm) the others are missed.
func (r *Requirement) score() (met int, miss float64) {
	for _, c := range r.Conditions {
		switch c.Outcome {
		case Pass:
			met++
		case Fail:
			miss += c.miss(*c.Figure)
		}
	}
	return met, miss
}

// miss is how far a figure is from meeting the condition, 0 when it does.
func (c *Condition) miss(figure float64) float64 {
	switch {
	case c.Met(figure):
		return 0
	case figure > 0 && c.Value > 0:
		return math.Abs(math.Log(figure / c.Value))
	}
	return math.Abs(figure - c.Value)
}

func (c *Condition) nearest(candidates []Point) {
	upward := strings.HasPrefix(c.Op, ">")
	for i := range candidates {
		f := Metric(&candidates[i].Cell, c.Metric)
		if f == nil {
			continue
		}
		if c.Nearest == nil || upward && *f > *c.Nearest || !upward && *f < *c.Nearest {
			c.Nearest, c.NearestCell = f, candidates[i].Cell.Cell
		}
	}
}

// Metric is a cell's figure for a metric of plan.Requirement, nil when it was
// not measured. Rates are medians; p50 to max are of statements, or of rounds
// where those are the headline; errors are all that any trial had.
func Metric(c *Cell, metric string) *float64 {
	times := c.Times()
	switch metric {
	case "qps":
		return c.QueriesPerSecond.Median
	case "tps":
		return c.TransactionsPerSecond.Median
	case "connects":
		return c.ConnectsPerSecond.Median
	case "p50":
		return times.P50
	case "p95":
		return times.P95
	case "p99":
		return times.P99
	case "p999":
		return times.P999
	case "mean":
		return times.Mean
	case "max":
		return times.Max
	case "connect_mean":
		return c.Connects.Mean
	case "connect_max":
		return c.Connects.Max
	}
	return machineMetric(c, metric)
}

func machineMetric(c *Cell, metric string) *float64 {
	switch metric {
	case "runnable/cpu":
		return c.RunnablePerCPU
	case "load1":
		if c.Load == nil {
			return nil
		}
		return &c.Load.One
	case "errors":
		return ptr(float64(c.Errors))
	case "server_cpu":
		return c.ServerCPU
	case "client_cpu":
		return c.ClientCPU
	}
	return nil
}
