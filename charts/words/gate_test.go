package words

import (
	"math"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// rates is a run of three thread counts whose three repeats differ by ± noise.
func rates(factor, noise float64) *result.Archive {
	var trials []result.Trial
	for i, threads := range []int{1, 2, 4} {
		for repeat := -1; repeat <= 1; repeat++ {
			rate := math.Round(10000 * math.Exp2(float64(i)) * factor * math.Exp(noise*float64(repeat)))
			trials = append(trials, trial(threads, 10, repeat+2, rate))
		}
	}
	a := archive(trials...)
	a.Run.Plan.Repeat = 3
	return a
}

// What one must know comes first: the decision, the figure, its change and interval.
func TestComparison(t *testing.T) {
	three := []*result.Archive{rates(1, 0.01), rates(1.01, 0.01), rates(0.99, 0.01)}
	otherMachine := rates(1, 0.01)
	otherMachine.Run.Version = "0.9"
	otherTests := rates(1, 0.01)
	for i := range otherTests.Trials {
		otherTests.Trials[i].Workload = "another"
	}
	for _, c := range []struct {
		name  string
		base  []*result.Archive
		fresh *result.Archive
		limit float64
		want  []string // how each sentence begins
	}{
		{"regressed", three, rates(0.8, 0.01), 0.05, []string{
			"Regression: peak 39,999 -> 32,000 queries/s, −20 % (95 % interval −24 % to −16 %) at 4 threads × 10 queries, against the last 3 runs; limit −5 %.",
			"Mean over 3 common cells −20 % (95 % interval"}},
		{"improved", three, rates(1.5, 0.01), 0.05, []string{"No regression: peak 39,999 -> 60,000 queries/s, +50 % (95 %", "Mean over 3 common cells +50 % (95 %"}},
		{"one base run", three[:1], rates(0.9, 0.01), 0.05, []string{
			"Undecided: with fewer than three base runs only a change beyond −15 % counts: peak 40,000 -> 36,000 queries/s, −10 % (95 % interval −12 % to −7.9 %) at 4 threads × 10 queries, against run run; limit −5 %.",
			"To decide it, compare with 3 runs (--baseline 3).", "Mean over"}},
		{"noise", []*result.Archive{rates(1, 0.15)}, rates(0.98, 0.15), 0.05, []string{
			"Undecided: this run can only detect changes above 24 %: mean over 3 common cells −2.0 % (95 % interval −16 % to +14 %), against run",
			"To decide it, repeat each cell 68 times on both sides (--repeat 68).", "Peak 40,000 ->"}},
		{"not comparable", []*result.Archive{otherMachine}, rates(1, 0.01), 0.05, []string{
			"cannot compare: this run and run run differ in what was not varied: mysweep version: 0.9 against nothing."}},
		{"nothing common", []*result.Archive{otherTests}, rates(1, 0.01), 0, []string{
			"cannot compare: no cell has a usable rate in both run run and this run."}},
		{"no limit", three[:1], rates(0.9, 0.01), 0, []string{"Compared with run run: peak 40,000 -> 36,000 queries/s, −10 % (95 %", "Mean over 3 common cells −10 % (95 %"}},
		{"far too noisy", []*result.Archive{rates(1, 1.5)}, rates(0.7, 1.5), 0, []string{
			"Compared with run run: peak 40,000 -> 28,001 queries/s, −30 % (too few trials to say) at 4 threads"}},
	} {
		got := verdict.Compare(c.base, c.fresh, verdict.Limits{Rate: c.limit})
		list := Comparison(&got)
		for i, want := range c.want {
			if i >= len(list) || !strings.HasPrefix(list[i].Text(), want) {
				t.Errorf("%s: %+v, want %q", c.name, list, want)
				break
			}
		}
	}
}

// The subject says what is worse; a first night, and a gate that sleeps, are said.
func TestGateSubject(t *testing.T) {
	a := rates(0.7, 0.01)
	a.Run.Plan.Baseline, a.Run.Plan.FailAbove = "last", 0.05
	if said := say(a); !strings.HasSuffix(said.Subject, " UNDECIDED") || said.Baseline.Text() != "Undecided: there is no earlier run of this name to compare with." {
		t.Errorf("first night: %q, %q", said.Subject, said.Baseline.Text())
	}
	a.Run.UndecidedBefore = 2
	if said := say(a); !strings.HasSuffix(said.Subject, " UNDECIDED (3 runs in a row)") || !strings.Contains(said.More[0].Text(), "detects nothing") {
		t.Errorf("third night: %q, %+v", said.Subject, said.More)
	}
	a.Run.Plan.Baseline = "tag:x"
	if said := say(a); !strings.HasSuffix(said.Subject, " CANNOT COMPARE") || said.Baseline.Text() != "cannot compare: no earlier run has the tag that --baseline names." {
		t.Errorf("no such tag: %q, %q", said.Subject, said.Baseline.Text())
	}
	set, _ := verdict.NewBaseline([]*result.Archive{rates(1, 0.01)}, &a.Run)
	base := Baseline(&set)
	a.Run.Baseline = &base
	if said := say(a); !strings.HasSuffix(said.Subject, " WORSE (peak −30 %)") {
		t.Errorf("regressed: %q", said.Subject)
	}
}

// A case without a common cell with its base, e.g. because its server did not start, has no figure
// to show.
func TestNoCommonCell(t *testing.T) {
	for _, limit := range []float64{0, 0.05} {
		base, other := rates(1, 0.01), rates(1, 0.01)
		for i := range other.Trials {
			other.Trials[i].Threads += 100
		}
		c := verdict.Compare([]*result.Archive{base}, other, verdict.Limits{Rate: limit})
		c.Gate.Decision = "" // as for the cases of one run
		text := ""
		for _, s := range Comparison(&c) {
			text += s.Text() + "\n"
		}
		if !strings.Contains(text, "no common cell") {
			t.Errorf("limit %g: %q", limit, text)
		}
	}
}
