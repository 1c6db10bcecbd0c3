package verdict

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Whatever an archive holds, the verdict is there, holds no NaN and no Inf
// (JSON would refuse them), keeps percentiles in order, and is the same again.
func TestAnyArchive(t *testing.T) {
	for seed := range uint64(25) {
		a := randomArchive(t, rand.New(rand.NewPCG(seed, 1)))
		v := Of(a)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again, _ := json.Marshal(Of(a)); !reflect.DeepEqual(text, again) {
			t.Fatalf("seed %d: another verdict on the same archive", seed)
		}
		for _, s := range v.Sweeps {
			for _, c := range s.Cells {
				inOrderOf(t, seed, c.Latency)
			}
		}
		b := randomArchive(t, rand.New(rand.NewPCG(seed, 2)))
		c := Compare([]*result.Archive{b, a}, a, Limits{Rate: 0.05, Latency: 0.2})
		if _, err := json.Marshal(c); err != nil {
			t.Fatalf("seed %d: compare: %v", seed, err)
		}
	}
}

func inOrderOf(t *testing.T, seed uint64, d result.Distribution) {
	t.Helper()
	var before *float64
	for _, p := range []*float64{d.Min, d.P50, d.P95, d.P99, d.P999, d.Max} {
		if p == nil {
			continue
		}
		if before != nil && *p < *before {
			t.Errorf("seed %d: percentiles out of order: %v", seed, d)
		}
		before = p
	}
}

func randomArchive(t *testing.T, r *rand.Rand) *result.Archive {
	a := archive()
	a.Run.Trials, a.Run.Plan.Confirm, a.Run.Plan.Repeat = r.IntN(50), r.IntN(2), 1+r.IntN(2)
	a.Run.Plan.Cases = []plan.Case{{Name: "a"}, {Name: "b"}}
	a.Run.Plan.Require = []plan.Texts{nil, {"qps>=100,p99<1ms"}, {"connects>1", "load1<1"}}[r.IntN(3)]
	a.Run.Plan.FailAbove = 0.05
	statuses := []result.Status{result.OK, result.OK, result.OK, result.Failed, result.Invalid, result.Skipped, result.Interrupted}
	for seq := range r.IntN(40) {
		x := quiet()
		if r.IntN(3) == 0 {
			x = trial(1, 1, 1, 0)
		}
		x.Seq, x.Repeat, x.Confirm = seq, 1+r.IntN(3), r.IntN(5) == 0
		x.Case, x.Workload = []string{"a", "b"}[r.IntN(2)], []string{"w", "tpcb"}[r.IntN(2)]
		x.Threads, x.Queries = 1<<r.IntN(6), 10*r.IntN(2)
		x.Status = statuses[r.IntN(len(statuses))]
		x.Measure.Elapsed = []float64{0, 1e-9, 1, 2}[r.IntN(4)]
		x.Measure.Queries = []int64{0, 1, 1000, 1 << 40}[r.IntN(4)]
		x.Measure.Reconnects = int64(r.IntN(2)) * x.Measure.Queries
		samples := make([]float64, r.IntN(30)*r.IntN(30))
		for i := range samples {
			samples[i] = r.ExpFloat64() * 1e-3
		}
		x.Measure.Latency = distribution(t, samples...)
		if r.IntN(3) == 0 {
			x.Evidence.SharedHost, x.Evidence.Server = true, nil
		}
		a.Trials = append(a.Trials, x)
	}
	if r.IntN(2) == 0 {
		a.Run.Baseline = &result.Baseline{RunID: "x", Runs: 1 + r.IntN(4), Cells: []result.BaselineCell{
			{Case: "a", Workload: "w", Threads: 1, Rates: []float64{0, 1, 2}}, {Case: "a", Workload: "w", Threads: 2, Rates: nil}, {Case: "b", Workload: "w", Threads: 2, Rates: []float64{5, 6, 7, 8}},
		}}
	}
	return a
}
