package verdict

import "math"

// KneeGain is the share by which more threads must raise the rate to be worth
// having.
const KneeGain = 0.05

// mostKneeMargin bounds what noise may add to KneeGain: where more than that
// is chance a knee is a guess, and the note "noisy" says so.
const mostKneeMargin = 0.10

// findKnee sets Knee or Rising from the medians at the query count of the
// peak, over all trials of each cell. Where the rates differ by no more than
// their noise there is neither.
func (s *Sweep) findKnee() {
	if s.Peak == nil {
		return
	}
	var curve []*Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Queries == s.Peak.Queries && c.rate() > 0 {
			curve = append(curve, c)
		}
	}
	for _, c := range curve {
		s.Curve = append(s.Curve, c.Threads)
	}
	if len(curve) < 2 {
		return
	}
	if s.Level = !isCurve(curve); s.Level {
		return
	}
	top := 0.0
	for _, c := range curve {
		top = max(top, c.rate())
	}
	if s.Plateau != nil {
		// The highest of several level cells is biased upwards.
		top = min(top, s.Plateau.Rate)
	}
	k, margin := knee(curve, top)
	s.KneeMargin = margin
	if k == len(curve)-1 && s.Plateau == nil {
		s.Rising = true
		return
	}
	s.Knee = &Point{Cell: *curve[k]}
	if s.Peak.Confirmed && s.Peak.Threads == curve[k].Threads {
		s.Knee = s.Peak
	}
}

// knee is the first place of a curve whose rate top is not KneeGain above,
// or higher than chance makes it, when that is more: 2.5 standard errors of
// the difference (2, times √(π/2) because medians are compared), but at most
// mostKneeMargin.
//
// A single low or high median must not move it, so the rise up to the highest
// place is first replaced by the nearest curve that never falls (isotonic
// regression by pooling adjacent violators, Ayer et al., Ann. Math. Stat. 26,
// 1955).
func knee(curve []*Cell, top float64) (place int, margin float64) {
	rates, weights := make([]float64, len(curve)), make([]float64, len(curve))
	highest := 0
	for i, c := range curve {
		rates[i], weights[i] = c.rate(), float64(c.Rate().N())
		if rates[i] > rates[highest] {
			highest = i
		}
	}
	noise := noiseOf(curve)
	for i, r := range isotonic(rates[:highest+1], weights[:highest+1]) {
		chance := math.Expm1(2.5 * noise * math.Sqrt(1/weights[i]+1/weights[highest]))
		margin = max(KneeGain, min(chance, mostKneeMargin))
		if i == highest || top < (1+margin)*r {
			return i, margin
		}
	}
	return highest, margin
}

// noiseOf is the standard deviation of the logarithms of a cell's rates, the
// median over cells, so that one lucky trial does not count; 0 where no cell
// has two trials.
func noiseOf(cells []*Cell) float64 {
	var list []float64
	for _, c := range cells {
		if l := logs(c.Rate().Values); len(l) > 1 {
			list = append(list, deviation(l))
		}
	}
	if len(list) == 0 {
		return 0
	}
	return *NewFigure(list).Median
}

// isotonic is the never falling curve with the least weighted squared
// distance from values.
func isotonic(values, weights []float64) []float64 {
	type block struct {
		mean, weight float64
		length       int
	}
	var blocks []block
	for i, v := range values {
		blocks = append(blocks, block{v, weights[i], 1})
		for n := len(blocks); n > 1 && blocks[n-2].mean > blocks[n-1].mean; n-- {
			a, b := blocks[n-2], blocks[n-1]
			w := a.weight + b.weight
			blocks = append(blocks[:n-2], block{(a.mean*a.weight + b.mean*b.weight) / w, w, a.length + b.length})
		}
	}
	smooth := make([]float64, 0, len(values))
	for _, b := range blocks {
		for range b.length {
			smooth = append(smooth, b.mean)
		}
	}
	return smooth
}
