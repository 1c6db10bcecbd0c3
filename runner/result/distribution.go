package result

// Distribution is a set of times in seconds. Percentiles are nil when there
// are fewer than 1/(1-p) samples: p95 20, p99 100, p999 1,000. Min, Mean and
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
