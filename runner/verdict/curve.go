package verdict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	leastFreedom = 3    // degrees of freedom for an estimate of noise
	curveError   = 0.01 // chance that noise alone is called a curve, by the F test
	singlesError = 0.05 // the same by von Neumann's ratio, which finds less
	leastSingles = 5    // single trials for a curve to be distinguished from noise
)

// isCurve reports whether rates depend on the thread count by more than their
// noise: by the F test of a one-way analysis of variance of the logarithms
// where trials were repeated; where each cell ran once, by von Neumann's ratio
// of successive differences to the variance (Ann. Math. Stat. 12, 1941), which
// noise in any order makes 2 and a smooth curve small.
func isCurve(cells []*Cell) bool {
	noise, freedom := noiseWithin(cells)
	var levels, trials []float64
	for _, c := range cells {
		l, n := c.level()
		levels, trials = append(levels, l), append(trials, n)
	}
	if freedom >= leastFreedom {
		return varianceTest(levels, trials, noise, freedom) < curveError
	}
	return len(levels) >= leastSingles && successiveTest(levels) < singlesError
}

// varianceTest is the p of the F test between groups of the given means and
// sizes, with the standard deviation within them.
func varianceTest(means, sizes []float64, within float64, freedom int) float64 {
	total, sum := 0.0, 0.0
	for i, m := range means {
		total += sizes[i]
		sum += sizes[i] * m
	}
	middle, squares := sum/total, 0.0
	for i, m := range means {
		squares += sizes[i] * (m - middle) * (m - middle)
	}
	between := float64(len(means) - 1)
	switch {
	case squares == 0 || between == 0:
		return 1
	case within == 0:
		return 0
	}
	f := squares / between / (within * within)
	return distuv.F{D1: between, D2: float64(freedom)}.Survival(f)
}

// successiveTest is the p of von Neumann's ratio by the normal approximation
// of its distribution (mean 2n/(n-1), variance 4n²(n-2)/((n+1)(n-1)³)).
func successiveTest(values []float64) float64 {
	n, m := float64(len(values)), mean(values)
	steps, squares := 0.0, 0.0
	for i, v := range values {
		squares += (v - m) * (v - m)
		if i > 0 {
			steps += (v - values[i-1]) * (v - values[i-1])
		}
	}
	if squares == 0 {
		return 1
	}
	ratio := steps / squares * n / (n - 1)
	expected := 2 * n / (n - 1)
	return distuv.UnitNormal.CDF((ratio - expected) / math.Sqrt(4*n*n*(n-2)/((n+1)*math.Pow(n-1, 3))))
}
