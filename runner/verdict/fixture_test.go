package verdict

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// distribution makes a Distribution of samples in seconds as the load
// generator does.
func distribution(t *testing.T, samples ...float64) result.Distribution {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	var d result.Distribution
	for _, s := range samples {
		d.Count++
		d.Sum += s
		d.Min, d.Max = lesser(d.Min, &s), greater(d.Max, &s)
		if h.RecordValue(int64(s*1e9)) != nil {
			d.Over++
		}
	}
	if d.Count == 0 {
		return d
	}
	d.Mean = ptr(d.Sum / float64(d.Count))
	d.SetPercentiles(h)
	encoded, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	d.Histogram = string(encoded)
	return d
}

// trial is a trial that is ok, with a rate in queries per second over one second.
func trial(threads, queries, repeat int, rate float64) result.Trial {
	return result.Trial{
		Case: "a", Workload: "w", Threads: threads, Queries: queries, Repeat: repeat, Status: result.OK,
		Measure: result.Measure{Threads: threads, Bursts: 1, Elapsed: 1, ElapsedWithConnect: 1, Queries: int64(rate), Transactions: int64(rate)},
	}
}

// archive is a run of case a and workload w that ended well.
func archive(trials ...result.Trial) *result.Archive {
	for i := range trials {
		trials[i].Seq = i + 1
	}
	return &result.Archive{Trials: trials, Run: result.Run{
		ID: "run", Status: result.OK, Trials: len(trials),
		Plan:  plan.Plan{Cases: []plan.Case{{Name: "a"}}, Workloads: []plan.Workload{{Name: "w"}}, Repeat: 3},
		Cases: []result.Case{{Name: "a", Status: result.OK, Version: "10.11.14-MariaDB"}},
	}}
}

// curve has three repeats of each thread count with the given rates.
func curve(queries int, threads []int, rates []float64) []result.Trial {
	var list []result.Trial
	for i, n := range threads {
		for repeat := 1; repeat <= 3; repeat++ {
			list = append(list, trial(n, queries, repeat, rates[i]))
		}
	}
	return list
}

func codes(notes []Note) map[string]Note {
	m := map[string]Note{}
	for _, n := range notes {
		m[n.Code] = n
	}
	return m
}
