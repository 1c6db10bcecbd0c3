package verdict

import (
	"math"
	"slices"
)

// How change points are looked for. The limits are set by the simulations of the
// tests: with night-to-night noise of 2 %, a shift of 5 % is to be found within
// three nights and one of 3 % within seven, in 9 of 10 cases, with a false alarm
// in less than one of 100 nights.
const (
	changeWindow = 50     // values that are searched at a time
	changeWeak   = 0.005  // p of a candidate
	changeOld    = 0.0002 // p of a change point between its neighbours
	changeShort  = 2      // values that a level needs
	changeFirst  = 6      // values that the first level needs

	// A level of at most changeTail values is new. Its CUSUM chart counts what it
	// is away by more than changeLeast standard deviations, and has to reach
	// changeSum of them, besides p < changeStrong.
	changeTail   = 8
	tailWindow   = 200 // values that a new level is compared with
	changeLeast  = 0.65
	changeSum    = 3.2
	changeStrong = 0.02

	outlierFar  = 4 // robust standard deviations
	outlierNear = 5 // values before and after that an outlier is compared with
)

// ChangePoint is where the level of a series changes.
type ChangePoint struct {
	At    int    // index of the first value of the new level
	Ratio *Ratio // the new level over the one before
}

// Levels parts a series of positive values, in the order of time, into levels.
// It returns the points where the level changes, and which values are outliers:
// they belong to no level.
//
// Candidates are found by E-divisive means (Matteson and James, J. Am. Stat.
// Assoc. 109, 2014; for benchmarks Daly et al., ICPE 2020) in windows that
// overlap by half, each by the pair of a split and an end that maximizes the
// energy distance of both sides. As in Hunter (Fleming et al., ICPE 2023) a t
// test, here on the logarithms, takes the place of permutations, so that the
// last values count as soon as there are two of a new level; weak candidates
// are merged until each change left is significant between its neighbours.
func Levels(values []float64) (points []ChangePoint, outliers []bool) {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = math.Log(v)
	}
	outliers = findOutliers(all)
	var kept []float64
	var at []int // index in values of each of kept
	for i, v := range all {
		if !outliers[i] {
			kept, at = append(kept, v), append(at, i)
		}
	}
	old := mergeWeak(kept, weakPoints(kept), weakPoint.certain)
	for _, p := range mergeWeak(kept, withTail(kept, old), weakPoint.strong) {
		points = append(points, ChangePoint{At: at[p.at], Ratio: p.ratio})
	}
	return points, outliers
}

// findOutliers marks values that lie far from those before and from those
// after, on one side of both. (Hampel, J. Am. Stat. Assoc. 69, 1974, uses the
// median likewise.) Of the last value nobody knows what follows: it is marked
// when it lies far from those before.
func findOutliers(values []float64) []bool {
	marks := make([]bool, len(values))
	scale := noiseScale(values)
	if scale == 0 {
		return marks
	}
	for i, v := range values {
		near := func(j int) bool { return j >= 0 && j < len(values) && math.Abs(v-values[j]) < outlierFar*scale/2 }
		if near(i-1) || near(i+1) { // it has a companion: the two may be a level
			continue
		}
		var before []float64
		for j := i - 1; j >= 0 && len(before) < outlierNear; j-- {
			if !marks[j] {
				before = append(before, values[j])
			}
		}
		after := values[i+1 : min(i+1+outlierNear, len(values))]
		if len(before)+len(after) < outlierNear {
			continue
		}
		below, above := true, true
		for _, side := range [][]float64{before, after} {
			if len(side) > 0 {
				below = below && v < middle(side)-outlierFar*scale
				above = above && v > middle(side)+outlierFar*scale
			}
		}
		marks[i] = below || above
	}
	return marks
}

// noiseScale is the standard deviation of values from one to the next: from the
// median of the absolute differences, which neither shifts nor outliers move.
func noiseScale(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	differences := make([]float64, len(values)-1)
	for i := range differences {
		differences[i] = math.Abs(values[i+1] - values[i])
	}
	return 1.4826 * middle(differences) / math.Sqrt2
}

// weakPoints are the candidates of all windows, ascending.
func weakPoints(values []float64) []int {
	var points []int
	for start := 0; ; start += changeWindow / 2 {
		end := min(start+changeWindow, len(values))
		for _, p := range divide(values[start:end]) {
			points = append(points, start+p)
		}
		if end == len(values) {
			break
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	for len(points) > 0 && points[0] < changeFirst {
		points = points[1:]
	}
	return points
}

// withTail are the certain points, and where a new level may begin after them.
func withTail(values []float64, old []weakPoint) []int {
	var points []int
	for _, p := range old {
		points = append(points, p.at)
	}
	start := max(0, len(values)-tailWindow)
	if n := len(points); n > 0 {
		start = max(start, points[n-1])
	}
	if p := tailPoint(values[start:]); p > 0 {
		points = append(points, start+p)
	}
	return points
}

// tailPoint is the split among the last values at which a CUSUM chart of both
// sides (Page, Biometrika 41, 1954) is highest, 0 when it is below changeSum:
// the energy distance of two or three values seldom is the largest of a window.
func tailPoint(values []float64) int {
	best, most := 0, changeSum
	for n := changeShort; n <= changeTail && len(values)-n >= changeFirst; n++ {
		at := len(values) - n
		if sum := float64(n) * (standardized(values[:at], values[at:]) - changeLeast); sum >= most {
			best, most = at, sum
		}
	}
	return best
}

// standardized is the difference of the means in pooled standard deviations of
// a value; 0 where nothing varies and nothing changes.
func standardized(left, right []float64) float64 {
	shift := math.Abs(mean(right) - mean(left))
	freedom := float64(len(left) + len(right) - 2)
	if shift == 0 {
		return 0
	}
	return shift / math.Sqrt((squares(left)+squares(right))/freedom)
}

// divide splits values again and again where both sides differ most, as long
// as they differ significantly.
func divide(values []float64) []int {
	sums := distanceSums(values)
	var points []int
	var split func(start, end int)
	split = func(start, end int) {
		at, until := mostDistant(sums, start, end)
		if at < 0 || difference(values[start:at], values[at:until]) >= changeWeak {
			return
		}
		points = append(points, at)
		split(start, at)
		split(at, end)
	}
	split(0, len(values))
	return points
}

// distanceSums has for each value the sums of its distances to those before an
// index: sums[i][j] = Σ_{k<j} |v_i - v_k|.
func distanceSums(values []float64) [][]float64 {
	n := len(values)
	sums, cells := make([][]float64, n), make([]float64, n*(n+1))
	for i, v := range values {
		row := cells[i*(n+1) : (i+1)*(n+1)]
		for j, w := range values {
			row[j+1] = row[j] + math.Abs(v-w)
		}
		sums[i] = row
	}
	return sums
}

// mostDistant finds the split of values[start:end] and the end of its right side
// with the largest energy statistic
//
//	2/(n+m) Σ|x-y| - 2m/((n+m)(n-1)) Σ|x-x'| - 2n/((n+m)(m-1)) Σ|y-y'|
//
// of n values left and m right; at is -1 when there are too few values.
func mostDistant(sums [][]float64, start, end int) (at, until int) {
	best, within := math.Inf(-1), 0.0 // within: pairs left of the split
	at = -1
	for split := start + 1; split < end; split++ {
		within += sums[split-1][split-1] - sums[split-1][start]
		n := float64(split - start)
		if split-start < changeShort {
			continue
		}
		between, right := 0.0, 0.0
		for last := split; last < end; last++ {
			between += sums[last][split] - sums[last][start]
			right += sums[last][last] - sums[last][split]
			m := float64(last + 1 - split)
			if last+1-split < changeShort {
				continue
			}
			energy := 2 / (n + m) * (between - m/(n-1)*within - n/(m-1)*right)
			if energy > best {
				best, at, until = energy, split, last+1
			}
		}
	}
	return at, until
}

// difference is the two-sided p of Student's t with the pooled variance.
func difference(left, right []float64) float64 {
	variance, freedom := pooled(left, right)
	return 2 * tTail(math.Abs(mean(right)-mean(left)), math.Sqrt(variance), freedom)
}

// weakPoint is a candidate between its neighbours.
type weakPoint struct {
	at     int
	p      float64
	change float64 // in standard deviations of a value
	after  int     // values of the new level
	ratio  *Ratio
}

// mergeWeak drops the weakest candidate as long as one is not
// enough, and looks at its neighbours again.
func mergeWeak(values []float64, at []int, enough func(weakPoint) bool) []weakPoint {
	points := make([]weakPoint, len(at))
	for i := range at {
		points[i].at = at[i]
	}
	look := func(i int) {
		if i >= 0 && i < len(points) {
			points[i].look(values, points, i)
		}
	}
	for i := range points {
		look(i)
	}
	for len(points) > 0 {
		weakest := 0
		for i := range points {
			if points[i].weaker(points[weakest], enough) {
				weakest = i
			}
		}
		if enough(points[weakest]) {
			break
		}
		points = slices.Delete(points, weakest, weakest+1)
		look(weakest - 1)
		look(weakest)
	}
	return points
}

// look compares the values up to the neighbours of the i-th point.
func (p *weakPoint) look(values []float64, points []weakPoint, i int) {
	start, end := 0, len(values)
	if i > 0 {
		start = points[i-1].at
	}
	if i+1 < len(points) {
		end = points[i+1].at
	}
	left, right := values[start:p.at], values[p.at:end]
	if len(left) < changeShort || len(right) < changeShort {
		p.p, p.change = 1, 0
		return
	}
	p.after = len(right)
	variance, freedom := pooled(left, right)
	shift := mean(right) - mean(left)
	p.p = difference(left, right)
	p.change = standardized(left, right)
	p.ratio = &Ratio{Value: math.Exp(shift), Error: ptr(math.Sqrt(variance)), Freedom: freedom}
}

// strong reports whether a change is distinguished from chance. A recent one must lift
// the CUSUM chart above its limit.
func (p weakPoint) strong() bool {
	if p.after <= changeTail {
		return p.p < changeStrong && float64(p.after)*(p.change-changeLeast) >= changeSum
	}
	return p.certain()
}

// certain is the same of an older change, which has had many chances to arise.
func (p weakPoint) certain() bool { return p.p < changeOld && p.change >= changeLeast }

// weaker compares candidates: those that are not enough come first, then by p.
func (p weakPoint) weaker(other weakPoint, enough func(weakPoint) bool) bool {
	if enough(p) != enough(other) {
		return !enough(p)
	}
	return p.p > other.p
}
