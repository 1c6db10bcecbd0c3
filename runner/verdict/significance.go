package verdict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// fewest is how many values each side needs for a test by ranks: with three
// against three even a clean separation has p = 0.1.
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
