package verdict

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/mysweep/mysweep/runner/result"
)

// Merge is what several distributions are together. Count, Sum, Min, Mean and
// Max are exact; percentiles come from the merged histograms and stay nil when
// there are fewer than 1/(1-p) samples, or when one of the histograms cannot
// be read. Histogram is left empty.
func Merge(list []result.Distribution) result.Distribution {
	parts := make([]result.Distribution, 0, len(list))
	for _, d := range list {
		if d.Count > 0 {
			parts = append(parts, d)
		}
	}
	if len(parts) == 1 { // spare the decoding
		one := parts[0]
		one.Histogram = ""
		return one
	}
	var m result.Distribution
	for _, d := range parts {
		m.Count += d.Count
		m.Sum += d.Sum
		m.Over += d.Over
		m.Min = lesser(m.Min, d.Min)
		m.Max = greater(m.Max, d.Max)
	}
	if m.Count > 0 {
		m.Mean = ptr(m.Sum / float64(m.Count))
	}
	if h, ok := mergeHistograms(parts); ok {
		m.SetPercentiles(h)
	}
	return m
}

// mergeHistograms adds up the histograms; not ok when one of them is missing,
// cannot be read or has another range. It is nil when all samples are above
// the range.
func mergeHistograms(parts []result.Distribution) (sum *hdrhistogram.Histogram, ok bool) {
	for _, d := range parts {
		if d.Count == d.Over {
			continue // all above the range: nothing in the histogram
		}
		h, err := hdrhistogram.Decode([]byte(d.Histogram))
		if err != nil {
			return nil, false
		}
		if sum == nil {
			sum = h
		} else if sum.Merge(h) > 0 {
			return nil, false
		}
	}
	return sum, true
}

func lesser(a, b *float64) *float64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

func greater(a, b *float64) *float64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}
