package verdict

import (
	"math"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

const (
	oddFewest = 4    // further cases before any is called odd
	oddLeast  = 0.05 // what differs by less is never odd
	oddSpread = 3    // robust standard deviations
)

// CaseVerdict is a case against the first case of the run, on one workload.
type CaseVerdict struct {
	Workload string
	Comparison
	// Peaks is the peak of the case over the peak of the first, each at its own
	// cell; of cases that did not run the same thread counts, their rates in the
	// common cell at which they are fastest. Nil without a common cell.
	Peaks            *Ratio
	BaseRate, Rate   Figure    // of those cells, of the headline, per second
	BasePlace, Place plan.Cell // those cells
	// Best marks the case that is faster than all others of the workload and,
	// with its whole interval, than the first.
	Best bool
	// Odd marks a case whose ratio lies apart from those of the other cases:
	// by more than three robust standard deviations, and 5 %.
	Odd bool
}

// compareCases sets each further case of a workload against the first that has
// figures. A case that varies another at its knee is set against the trials of
// that one which were interleaved with its own.
func compareCases(run *result.Run, list []Sweep) []CaseVerdict {
	first := map[string]*Sweep{}
	for i := range list {
		s := &list[i]
		if base := first[s.Workload]; base == nil || base.Peak == nil && s.Peak != nil {
			first[s.Workload] = s
		}
	}
	var verdicts []CaseVerdict
	for i := range list {
		s := &list[i]
		if first[s.Workload] == s {
			continue
		}
		base, figures, again := first[s.Workload], []Sweep{*first[s.Workload]}, false
		if of := interleaved(run, list, s); of != nil {
			base, figures, again = of, []Sweep{{Cells: []Cell{*of.Again}}}, true
		}
		hide := func(c plan.Cell) plan.Cell { c.Case = ""; return c }
		v := CaseVerdict{Workload: s.Workload, Comparison: compare(measuredOf(figures), measuredOf([]Sweep{*s}), 1, hide)}
		v.Base, v.New = Party{base.Case, run.ID, 1}, Party{s.Case, run.ID, 1}
		v.Differences = CaseDifferences(run, base.Case, s.Case)
		v.peaks(base, s, again)
		verdicts = append(verdicts, v)
	}
	for workload := range first {
		markCases(verdicts, workload)
	}
	return verdicts
}

// peaks compares the peaks of two cases, or where both did not run the same thread counts, the
// common cell at which they are fastest. again says that the first one's peak is the cell that was
// measured again.
func (v *CaseVerdict) peaks(base, fresh *Sweep, again bool) {
	switch {
	case v.Peak == nil:
	case again || base.Peak == nil || fresh.Peak == nil || !slices.Equal(base.ThreadCounts(), fresh.ThreadCounts()):
		v.BasePlace, v.Place, v.Peaks = v.Peak.Cell, v.Peak.Cell, v.Peak.Ratio
		v.BaseRate, v.Rate = v.Peak.Base, v.Peak.New
	default:
		v.BasePlace, v.Place = base.Peak.Cell.Cell, fresh.Peak.Cell.Cell
		v.BaseRate, v.Rate = base.Peak.Rate(), fresh.Peak.Rate()
		v.Peaks = RatioOf(v.BaseRate.Values, v.Rate.Values)
	}
}

// interleaved is the sweep whose case s varies at its knee, if it was measured
// again there; else nil.
func interleaved(run *result.Run, list []Sweep, s *Sweep) *Sweep {
	at := slices.IndexFunc(run.Plan.Cases, func(c plan.Case) bool { return c.Name == s.Case && c.Of != "" })
	if at < 0 || !run.Plan.AtKnee() {
		return nil
	}
	for i := range list {
		if of := &list[i]; of.Case == run.Plan.Cases[at].Of && of.Workload == s.Workload && of.Again != nil {
			return of
		}
	}
	return nil
}

// markCases sets Best and Odd among the cases of a workload. The first case
// counts with the ratio 1.
func markCases(verdicts []CaseVerdict, workload string) {
	ratios := []float64{0} // logarithms
	var best *CaseVerdict
	for i := range verdicts {
		v := &verdicts[i]
		if v.Workload != workload || v.Overall == nil {
			continue
		}
		ratios = append(ratios, math.Log(v.Overall.Value))
		if v.Ranked() && v.Overall.Above() && (best == nil || v.Overall.Value > best.Overall.Value) {
			best = v
		}
	}
	if best != nil {
		best.Best = true
	}
	if len(ratios) <= oddFewest {
		return
	}
	middle, tolerance := spread(ratios)
	tolerance = max(tolerance, math.Log1p(oddLeast))
	for i := range verdicts {
		if v := &verdicts[i]; v.Workload == workload && v.Overall != nil {
			v.Odd = math.Abs(math.Log(v.Overall.Value)-middle) > tolerance
		}
	}
}

// spread is the median of values and three robust standard deviations: the
// median absolute deviation times 1.4826 (Hampel, J. Am. Stat. Assoc. 69, 1974).
func spread(values []float64) (centre, tolerance float64) {
	centre = middle(values)
	away := make([]float64, len(values))
	for i, v := range values {
		away[i] = math.Abs(v - centre)
	}
	return centre, oddSpread * 1.4826 * middle(away)
}
