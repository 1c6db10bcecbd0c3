package verdict

import (
	"math"
	"slices"
)

// How an interval of 95 % was found.
const (
	// LogInterval is Student's t interval of the geometric mean: exp(m ± t s/√n)
	// with mean and deviation of the logarithms and n-1 degrees of freedom
	// (Student, Biometrika 6, 1908; Aitchison and Brown, The Lognormal
	// Distribution, 1957); for 2 to 5 values, all above 0. Rates and times vary
	// in proportion, and cannot be negative.
	LogInterval = "t interval of the logarithms"
	// MeanInterval is the same of the mean, where a value is 0; it ends at 0.
	MeanInterval = "t interval of the mean"
	// MedianInterval lies between two order statistics, exact whatever the
	// distribution: the ranks r and n+1-r with the largest r for which
	// 2 P(Binomial(n, 1/2) < r) <= 5 % (Thompson, Ann. Math. Stat. 7, 1936);
	// from 6 values on, below which no such r exists.
	MedianInterval = "order statistics of the median"
)

// noisyVariation is the coefficient of variation above which repeats are
// called noisy. (The Phoronix Test Suite repeats a test above 3.5 %.)
const noisyVariation = 0.05

// Figure is one measure over the trials of a cell, in the measure's base
// unit. Everything but Values is nil where there are too few values: interval
// and deviation need two.
type Figure struct {
	Values    []float64 // in the order of the trials
	Median    *float64
	Mean      *float64
	Min       *float64
	Max       *float64
	Deviation *float64 // sample standard deviation, n-1 in the divisor
	Low, High *float64 // 95 % interval
	Interval  string   // LogInterval, MeanInterval or MedianInterval, empty when there is none
}

// NewFigure describes values; what is not a finite number is left out.
func NewFigure(values []float64) Figure {
	f := Figure{}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			f.Values = append(f.Values, v)
		}
	}
	n := len(f.Values)
	if n == 0 {
		return f
	}
	sorted := slices.Sorted(slices.Values(f.Values))
	f.Median, f.Mean = ptr(median(sorted)), ptr(mean(sorted))
	f.Min, f.Max = ptr(sorted[0]), ptr(sorted[n-1])
	if n == 1 {
		return f
	}
	f.Deviation = ptr(deviation(sorted))
	if r := orderRank(n); r > 0 {
		f.Low, f.High, f.Interval = ptr(sorted[r-1]), ptr(sorted[n-r]), MedianInterval
		return f
	}
	t := tQuantile(0.975, float64(n-1)) / math.Sqrt(float64(n))
	if l := logs(sorted); len(l) == n {
		half := t * deviation(l)
		f.Low, f.High, f.Interval = ptr(math.Exp(mean(l)-half)), ptr(math.Exp(mean(l)+half)), LogInterval
		return f
	}
	half := t * *f.Deviation
	f.Low, f.High, f.Interval = ptr(*f.Mean-half), ptr(*f.Mean+half), MeanInterval
	if sorted[0] >= 0 {
		f.Low = ptr(max(*f.Low, 0))
	}
	return f
}

// N is the number of values.
func (f Figure) N() int { return len(f.Values) }

// Geometric is the geometric mean of the values above 0, nil without any.
func (f Figure) Geometric() *float64 {
	l := logs(f.Values)
	if len(l) == 0 {
		return nil
	}
	return ptr(math.Exp(mean(l)))
}

// HalfWidth is half of the interval as a share of the median: the ± of a
// table. It is nil without an interval, and for one that spans more than a
// factor of ten.
func (f Figure) HalfWidth() *float64 {
	if f.Low == nil || *f.Median == 0 || *f.High > vague**f.Low {
		return nil
	}
	return ptr((*f.High - *f.Low) / 2 / *f.Median)
}

// Variation is the coefficient of variation: deviation over mean, nil for
// fewer than two values.
func (f Figure) Variation() *float64 {
	if f.Deviation == nil || *f.Mean == 0 {
		return nil
	}
	return ptr(*f.Deviation / *f.Mean)
}

// Noisy reports whether three or more values vary by more than 5 %.
func (f Figure) Noisy() bool {
	v := f.Variation()
	return f.N() >= 3 && v != nil && *v > noisyVariation
}

// orderRank is the rank r of MedianInterval, 0 when n is too small.
func orderRank(n int) int {
	below := math.Exp2(-float64(n)) // P(Binomial(n, 1/2) = 0)
	sum, r := 0.0, 0
	for k := 0; k < n/2; k++ {
		if sum += below; 2*sum > 0.05 {
			break
		}
		r = k + 1
		below *= float64(n-k) / float64(k+1)
	}
	return r
}

// median is the middle of sorted values, the mean of the two middle ones of
// an even number; there must be one.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// middle is the median of values in any order; there must be one.
func middle(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func deviation(values []float64) float64 {
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

func ptr[T any](v T) *T { return &v }
