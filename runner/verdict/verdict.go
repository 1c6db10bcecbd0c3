package verdict

import (
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// Verdict is the whole answer of a run, as plain data.
type Verdict struct {
	Trials Tally
	// Planned is how many trials the plan has; Missing how many of them have
	// no line in the journal.
	Planned, Missing int

	Sweeps []Sweep // one for each case and workload, in the order of the plan
	// Best is the index in Sweeps of the sweep that the answer speaks of
	// first: of the first workload, the case with the highest peak, or the
	// first case when the cases are not to be ranked. -1 without any peak.
	Best int

	Requirement *Requirement  // nil when nothing was required
	Baseline    *Comparison   // against the run's baseline, nil without one
	Gate        *Gate         // what the baseline says of a regression, nil when none was asked for
	Cases       []CaseVerdict // each further case against the first, by workload
	Notes       []Note        // the weightiest first
	Strict      bool          // the plan's: an undecided gate fails too
}

// Of judges an archive. It never fails: what is unknown is nil or empty. Where the archive's
// journal could not be read again, the archive's Err says so.
func Of(a *result.Archive) Verdict {
	trials := each(a.Trials)
	v := Verdict{Planned: a.Run.Trials, Strict: a.Run.Plan.Strict}
	for _, t := range trials {
		v.Trials.add(t.Status)
	}
	v.Missing = max(0, v.Planned-v.Trials.All())
	v.Sweeps = sweeps(&a.Run, trials)
	for i := range v.Sweeps {
		v.Sweeps[i].Limit = v.Sweeps[i].limit(a)
	}
	v.Notes = writeNotes(a, trials, v.Sweeps)
	v.Requirement = judgeRequirement(a.Run.Plan.Requirements(), v.Sweeps)
	v.Cases = compareCases(&a.Run, v.Sweeps)
	v.Baseline = againstBaseline(&a.Run, v.Sweeps)
	v.Gate = v.gate(&a.Run)
	v.Best = v.best()
	return v
}

// each points to trials: those of an archive are the last of each slot already.
func each(trials []result.Trial) []*result.Trial {
	list := make([]*result.Trial, len(trials))
	for i := range trials {
		list[i] = &trials[i]
	}
	return list
}

// Main is the sweep that the answer speaks of first, nil without any peak.
func (v *Verdict) Main() *Sweep {
	if v.Best < 0 {
		return nil
	}
	return &v.Sweeps[v.Best]
}

// Sweep is the sweep of a case and workload, nil when it has no trial.
func (v *Verdict) Sweep(caseName, workload string) *Sweep {
	for i := range v.Sweeps {
		if s := &v.Sweeps[i]; s.Case == caseName && s.Workload == workload {
			return s
		}
	}
	return nil
}

// RequirementMet is false when something was required and it is not known to
// hold (exit code 4).
func (v *Verdict) RequirementMet() bool {
	return v.Requirement == nil || v.Requirement.Outcome == Pass
}

// Worse reports whether the run is worse than its baseline by more than its
// plan allows.
func (v *Verdict) Worse() bool { return v.Gate != nil && v.Gate.Decision == Regression }

// Refused reports whether the answer is no (exit code 4): a requirement is not
// met, or the gate refuses the run.
func (v *Verdict) Refused() bool {
	return !v.RequirementMet() || v.Gate != nil && v.Gate.Refused(v.Strict)
}

// gate is the baseline's gate, or says why there is no baseline.
func (v *Verdict) gate(run *result.Run) *Gate {
	g := &Gate{Limits: LimitsOf(&run.Plan), Shown: -1}
	switch {
	case run.Plan.Baseline == "" && v.Baseline == nil:
		return nil
	case v.Baseline != nil:
		g = &v.Baseline.Gate
	case strings.HasPrefix(run.Plan.Baseline, "tag:"):
		g.Decision, g.Reason = CannotCompare, NothingFound
	default:
		g.Decision, g.Reason = Undecided, FirstRun
	}
	if g.Decision == Undecided {
		g.Row = run.UndecidedBefore + 1
	}
	return g
}

// Complete reports whether every trial of the plan ran and is ok (else exit
// code 3).
func (v *Verdict) Complete() bool {
	return v.Trials.Bad() == 0 && v.Missing == 0 && v.Trials.Interrupted == 0
}

func (v *Verdict) best() int {
	best := -1
	ranked := true
	for _, c := range v.Cases {
		// Cases without figures do not prevent a ranking.
		ranked = ranked && (c.Overall == nil || c.Ranked())
	}
	for i := range v.Sweeps {
		s := &v.Sweeps[i]
		switch {
		case s.Peak == nil:
		case best < 0:
			best = i
		case ranked && s.Workload == v.Sweeps[best].Workload && s.Peak.rate() > v.Sweeps[best].Peak.rate():
			best = i
		}
	}
	return best
}
