package result

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/mysweep/mysweep/hwinfo"
)

// Distribution is a set of times in seconds. Percentiles are nil when there
// are fewer than 1/(1-p) samples: p50 2, p95 20, p99 100, p999 1,000. Min, Mean and
// Max are exact and nil only when there is no sample at all.
type Distribution struct {
	Count int64    `json:"count"`
	Sum   float64  `json:"sum_seconds"`
	Min   *float64 `json:"min_seconds"`
	Mean  *float64 `json:"mean_seconds"`
	Max   *float64 `json:"max_seconds"`
	P50   *float64 `json:"p50_seconds"`
	P95   *float64 `json:"p95_seconds"`
	P99   *float64 `json:"p99_seconds"`
	P999  *float64 `json:"p999_seconds"`
	// Over counts the samples above the histogram's range (1 h); they are in
	// Count, Sum and Max.
	Over int64 `json:"over,omitempty"`
	// Histogram is the HdrHistogram (V2, compressed, base64) of nanoseconds,
	// for merging trials.
	Histogram string `json:"histogram,omitempty"`
}

// SetPercentiles sets P50, P95, P99 and P999 from a histogram of the Count - Over samples that are
// within its range (nanoseconds); Count, Over, Min and Max must be set. h may be nil when all
// samples are above the range.
//
// Percentiles are by nearest rank over all samples, those above the range after the others. A
// bucket of the histogram is a range of values, so percentiles are kept within Min and Max and in
// ascending order.
func (d *Distribution) SetPercentiles(h *hdrhistogram.Histogram) {
	if d.Min == nil || d.Max == nil {
		return
	}
	floor := *d.Min
	for _, p := range []struct {
		thousandths, samples int64
		at                   **float64
	}{
		{500, 2, &d.P50}, {950, 20, &d.P95}, {990, 100, &d.P99}, {999, 1000, &d.P999},
	} {
		if d.Count < p.samples {
			return
		}
		value := *d.Max
		inside := d.Count - d.Over
		if rank := hwinfo.NearestRank(p.thousandths, d.Count); rank <= inside && h != nil {
			// The library rounds the rank of a percentile to the nearest whole number, so this one
			// is exact.
			value = float64(h.ValueAtPercentile(100*float64(rank)/float64(inside))) / 1e9
		}
		value = math.Min(math.Max(value, floor), *d.Max)
		*p.at = &value
		floor = value
	}
}
