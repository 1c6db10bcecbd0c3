package verdict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// fewest is how many values each side needs before anything is called
// significant: with three against three even a clean separation has p = 0.1.
const fewest = 4

// mostExact bounds the exact test; above it the normal approximation is good.
const mostExact = 60

// MannWhitney is the two-sided p of the rank sum test (Mann and Whitney, Ann.
// Math. Stat. 18, 1947): the chance of ranks as uneven as these when both
// sides have one distribution. It is exact, ties included (mid ranks, all
// splits of the pooled values counted), up to 60 values in all, above that the
// normal approximation with correction for ties and continuity. It is nil when
// a side is empty.
func MannWhitney(a, b []float64) *float64 {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	ranks, ties := doubleRanks(a, b)
	sum := 0
	for _, r := range ranks[:len(a)] {
		sum += r
	}
	if len(ranks) <= mostExact {
		return ptr(exactSplits(ranks, len(a), sum))
	}
	return ptr(normalSplits(len(a), len(b), sum, ties))
}

// doubleRanks are twice the mid ranks, which are whole numbers, of a then b,
// and Σ(t³-t) over the groups of t equal values.
func doubleRanks(a, b []float64) (ranks []int, ties float64) {
	pooled := slices.Concat(a, b)
	sorted := slices.Sorted(slices.Values(pooled))
	for _, v := range pooled {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last < len(sorted) && sorted[last] == v {
			last++
		}
		ranks = append(ranks, first+1+last)
		t := float64(last - first)
		ties += t*t - 1 // each of the t members adds its share of t³-t
	}
	return ranks, ties
}

// exactSplits is the share of all ways to pick n of the ranks whose sum is at
// least as far from the middle as sum.
func exactSplits(ranks []int, n, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([][]float64, n+1) // ways[k][s]: picks of k ranks with sum s
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := n; k > 0; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	middle := float64(n) * float64(total) / float64(len(ranks))
	far := math.Abs(float64(sum) - middle)
	extreme, all := 0.0, 0.0
	for s, w := range ways[n] {
		all += w
		if math.Abs(float64(s)-middle) >= far-1e-9 {
			extreme += w
		}
	}
	return extreme / all
}

func normalSplits(a, b, doubleSum int, ties float64) float64 {
	n, m := float64(a), float64(b)
	u := float64(doubleSum)/2 - n*(n+1)/2
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if variance <= 0 {
		return 1
	}
	z := (math.Abs(u-n*m/2) - 0.5) / math.Sqrt(variance)
	return min(1, 2*distuv.UnitNormal.Survival(max(z, 0)))
}

// Ratio is new over base with its interval.
type Ratio struct {
	Value     float64
	Low, High *float64 // 95 % interval, nil when there are too few values
}

// Below reports whether the interval lies below 1.
func (r *Ratio) Below() bool { return r != nil && r.High != nil && *r.High < 1 }

// Above reports whether the interval lies above 1.
func (r *Ratio) Above() bool { return r != nil && r.Low != nil && *r.Low > 1 }

// RatioOf compares two sets of rates: the ratio of their medians. The interval
// is that of the ratio of geometric means, from the logarithms: Welch's
// (Biometrika 34, 1947) when both sides have two values or more; with a single
// value on one side it takes the other side's deviation for both (Student's
// two-sample t). It is nil when either side has no positive value.
func RatioOf(base, fresh []float64) *Ratio {
	a, b := logs(base), logs(fresh)
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	r := &Ratio{Value: *NewFigure(fresh).Median / *NewFigure(base).Median}
	n, m := float64(len(a)), float64(len(b))
	var half float64
	switch {
	case n+m < 3:
		return r
	case n == 1 || m == 1:
		s := deviation(a)
		if n == 1 {
			s = deviation(b)
		}
		half = studentT(int(n+m)-2) * s * math.Sqrt(1/n+1/m)
	default:
		half = welch(deviation(a), n, deviation(b), m)
	}
	middle := mean(b) - mean(a)
	r.Low, r.High = ptr(math.Exp(middle-half)), ptr(math.Exp(middle+half))
	return r
}

// welch is half of the interval of a difference of means, with the degrees of
// freedom of Welch and Satterthwaite.
func welch(s1, n1, s2, n2 float64) float64 {
	v1, v2 := s1*s1/n1, s2*s2/n2
	if v1+v2 == 0 {
		return 0
	}
	freedom := (v1 + v2) * (v1 + v2) / (v1*v1/(n1-1) + v2*v2/(n2-1))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.975)
	return t * math.Sqrt(v1+v2)
}

func logs(values []float64) []float64 {
	var list []float64
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			list = append(list, math.Log(v))
		}
	}
	return list
}
