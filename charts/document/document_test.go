package document

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// made is a run on a machine that nobody else used, its rates factor times those of the sample.
func made(factor float64) *result.Archive {
	a := sample.Archive([]int{1, 8, 100}, []int{10, 1000}, 3)
	busy := 0.01
	for i := range a.Trials {
		a.Trials[i].Evidence.Client.BusyRatio = &busy
		a.Trials[i].Measure.Elapsed /= factor
	}
	return a
}

func compared(factor, limit float64) verdict.Comparison {
	base, fresh := made(1), made(factor)
	fresh.Run.ID = "later"
	return verdict.Compare([]*result.Archive{base}, fresh, verdict.Limits{Rate: limit})
}

// archives are a good run, one that is worse than its baseline, one of several cases, and one
// without a good trial.
func archives() []*result.Archive {
	worse, cases, broken := made(0.7), made(1), made(1)
	worse.Run.ID, worse.Run.Plan.FailAbove, worse.Run.Plan.Baseline = "later", 0.05, "last"
	set, _ := verdict.NewBaseline([]*result.Archive{made(1)}, &worse.Run)
	b := words.Baseline(&set)
	worse.Run.Baseline = &b
	cases.Run.Plan.Cases = append(cases.Run.Plan.Cases, plan.Case{Name: "other"})
	for _, t := range made(0.9).Trials {
		t.Case, t.Seq = "other", t.Seq+len(cases.Trials)
		cases.Trials = append(cases.Trials, t)
	}
	for i := range broken.Trials {
		broken.Trials[i].Status, broken.Trials[i].Measure = result.Failed, result.Measure{}
	}
	return []*result.Archive{made(1), worse, cases, broken}
}

func TestComparison(t *testing.T) {
	var b bytes.Buffer
	c := compared(0.7, 0.05)
	if err := Comparison(&b, &c); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Decision string
		Cells    []struct{ Change, P float64 }
	}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Decision != "regression" || len(d.Cells) != 6 || d.Cells[0].Change > -0.29 || d.Cells[0].Change < -0.31 {
		t.Errorf("%s", b.String())
	}
}

// The verdict as JSON has the figures and decisions of the verdict; what is not known is null.
func TestVerdict(t *testing.T) {
	for i, a := range archives() {
		v := verdict.Of(a)
		var b bytes.Buffer
		if err := Verdict(&b, a, &v); err != nil {
			t.Fatal(err)
		}
		var o outcome
		if err := json.Unmarshal(b.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		good := i < 3
		if o.RunID != a.Run.ID || o.Complete != good || (o.Peak != nil) != good || len(o.Text) == 0 || o.Requirement == nil {
			t.Errorf("archive %d: %+v", i, o)
		}
		if good && *o.Peak.Rate != *v.Main().Peak.QueriesPerSecond.Median {
			t.Errorf("archive %d: peak %v", i, *o.Peak.Rate)
		}
		if regressed := o.Gate != nil && o.Gate.Decision == "regression" && o.Baseline != nil && o.Refused; regressed != (i == 1) {
			t.Errorf("archive %d: gate %+v, baseline %+v", i, o.Gate, o.Baseline)
		}
		if (len(o.Cases) == 1) != (i == 2) {
			t.Errorf("archive %d: %d cases", i, len(o.Cases))
		}
	}
}
