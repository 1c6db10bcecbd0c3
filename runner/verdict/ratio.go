package verdict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Ratio is a figure of the new side over that of the base: the ratio of their
// geometric means. Value, interval and p come from one test, Student's t on
// the logarithms with the pooled variance of both sides (Student, Biometrika
// 6, 1908; for ratios of benchmark figures see Fleming and Wallace, Commun.
// ACM 29(3), 1986). The logarithms make a change and its reverse equally
// large, and keep the lower end above 0.
type Ratio struct {
	Value float64
	// Low and High are the 95 % interval, P the two-sided p of "no change".
	// They are nil when there are too few values.
	Low, High *float64
	P         *float64
	// Error is the standard error of the logarithm of Value, nil without an
	// interval; Freedom are its degrees of freedom.
	Error   *float64
	Freedom float64
}

// vague is High over Low from which on an interval says nothing in percent.
const vague = 10

// Below reports whether the interval lies below 1.
func (r *Ratio) Below() bool { return r != nil && r.High != nil && *r.High < 1 }

// Above reports whether the interval lies above 1.
func (r *Ratio) Above() bool { return r != nil && r.Low != nil && *r.Low > 1 }

// Vague reports whether nothing can be said: there is no interval, or it spans
// more than a factor of ten.
func (r *Ratio) Vague() bool {
	return r == nil || r.Low == nil || r.High == nil || *r.High > vague**r.Low
}

// newRatio makes a ratio of a difference of logarithms and its standard error.
func newRatio(difference, standardError, freedom float64) *Ratio {
	half := tQuantile(0.975, freedom) * standardError
	r := &Ratio{Value: math.Exp(difference), Error: &standardError, Freedom: freedom}
	r.Low, r.High = ptr(math.Exp(difference-half)), ptr(math.Exp(difference+half))
	r.P = ptr(min(1, 2*tTail(math.Abs(difference), standardError, freedom)))
	return r
}

// RatioOf compares the values of trials of both sides. It has an interval when
// each side has two values; it is nil when a side has no positive value.
func RatioOf(base, fresh []float64) *Ratio {
	a, b := logs(base), logs(fresh)
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	difference := mean(b) - mean(a)
	variance, freedom := pooled(a, b)
	if len(a) < 2 || len(b) < 2 {
		return &Ratio{Value: math.Exp(difference)}
	}
	return newRatio(difference, math.Sqrt(variance), freedom)
}

// RatioToRuns compares one new run with several runs, each by a single value:
// the interval says where one more run like them is expected (a prediction
// interval: Student's t with √(1+1/n)). It has an interval from two runs on.
func RatioToRuns(base []float64, fresh float64) *Ratio {
	a, b := logs(base), logs([]float64{fresh})
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	difference := b[0] - mean(a)
	if len(a) < 2 {
		return &Ratio{Value: math.Exp(difference)}
	}
	variance, freedom := pooled(a, b)
	return newRatio(difference, math.Sqrt(variance), freedom)
}

// pooled is the variance of the difference of the means of two samples that
// have one variance, with its degrees of freedom. It needs three values.
func pooled(a, b []float64) (variance, freedom float64) {
	n, m := float64(len(a)), float64(len(b))
	freedom = n + m - 2
	if freedom < 1 {
		return 0, freedom
	}
	return (squares(a) + squares(b)) / freedom * (1/n + 1/m), freedom
}

// squares is the sum of the squared deviations from the mean.
func squares(values []float64) float64 {
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum
}

// pair is one figure of a cell on both sides, a value for each trial or run.
type pair struct{ base, fresh []float64 }

// overTrials is the geometric mean of the ratios of several cells. The
// variances of the cells add up, with the degrees of freedom of Satterthwaite
// (Biometrics Bulletin 2, 1946). It has an interval when each side of each
// cell has two values; it is nil when no cell has a ratio.
func overTrials(cells []pair) *Ratio {
	var differences []float64
	variance, weight, whole := 0.0, 0.0, true
	for _, c := range cells {
		a, b := logs(c.base), logs(c.fresh)
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		differences = append(differences, mean(b)-mean(a))
		whole = whole && len(a) > 1 && len(b) > 1
		v, freedom := pooled(a, b)
		variance += v
		weight += v * v / max(freedom, 1)
	}
	k := float64(len(differences))
	switch {
	case k == 0:
		return nil
	case !whole:
		return &Ratio{Value: math.Exp(mean(differences))}
	}
	freedom := math.Inf(1) // nothing varies
	if weight > 0 {
		freedom = variance * variance / weight
	}
	return newRatio(mean(differences), math.Sqrt(variance)/k, freedom)
}

// overRuns is the same for one new run against several: each run counts as a
// whole, by the mean of the logarithms over the cells that all runs have, so
// that the interval knows how much whole runs differ. levels are those means.
// It is nil when no cell has a value for each run.
func overRuns(cells []pair, runs int) (r *Ratio, levels []float64) {
	levels, fresh, k := make([]float64, runs), 0.0, 0.0
	for _, c := range cells {
		a, b := logs(c.base), logs(c.fresh)
		if len(a) != runs || len(b) == 0 {
			continue
		}
		k++
		fresh += mean(b)
		for i, v := range a {
			levels[i] += v
		}
	}
	if k == 0 {
		return nil, nil
	}
	for i := range levels {
		levels[i] /= k
	}
	variance, freedom := pooled(levels, []float64{fresh / k})
	return newRatio(fresh/k-mean(levels), math.Sqrt(variance), freedom), levels
}

// tQuantile is the quantile of Student's t; infinite freedom is the normal's.
func tQuantile(p, freedom float64) float64 {
	if math.IsInf(freedom, 1) {
		return distuv.UnitNormal.Quantile(p)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(p)
}

// tTail is the chance that Student's t exceeds difference over its standard
// error. Where nothing varies it is 0 for any difference and 1/2 for none.
func tTail(difference, standardError, freedom float64) float64 {
	switch {
	case standardError > 0 && !math.IsInf(freedom, 1):
		return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Survival(difference / standardError)
	case standardError > 0:
		return distuv.UnitNormal.Survival(difference / standardError)
	case difference > 0:
		return 0
	case difference < 0:
		return 1
	}
	return 0.5
}

// logs are the logarithms of the values that are positive and finite.
func logs(values []float64) []float64 {
	var list []float64
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			list = append(list, math.Log(v))
		}
	}
	return list
}
