package charts

import (
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// limits is the line that users who think cannot cross, over threads; nothing where a workload has
// no such line.
func limits(a *result.Archive, s *verdict.Sweep) []opts.LineData {
	if s.Headline != verdict.Transactions {
		return nil
	}
	at := map[int]*float64{}
	var threads []int
	for i := range a.Trials {
		if t := &a.Trials[i]; t.Workload == s.Workload && t.Limit != nil {
			at[t.Threads] = t.Limit
			threads = insert(threads, t.Threads)
		}
	}
	data := make([]opts.LineData, len(threads))
	for i, n := range threads {
		data[i] = point(n, at[n])
	}
	return data
}
