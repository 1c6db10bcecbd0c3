package verdict

// KneeGain is the share by which more threads must raise the rate to be worth
// having.
const KneeGain = 0.05

// findKnee sets Knee or Rising from the medians at the query count of the
// peak, over all trials of each cell.
func (s *Sweep) findKnee() {
	if s.Peak == nil {
		return
	}
	var curve []*Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Queries == s.Peak.Queries && c.Ranks() {
			curve = append(curve, c)
		}
	}
	if len(curve) < 2 {
		return
	}
	rates, weights := make([]float64, len(curve)), make([]float64, len(curve))
	for i, c := range curve {
		rates[i], weights[i] = c.rate(), float64(c.QueriesPerSecond.N())
	}
	k := knee(rates, weights)
	if k == len(curve)-1 {
		s.Rising = true
		return
	}
	s.Knee = &Point{Cell: *curve[k]}
	if s.Peak.Confirmed && s.Peak.Threads == curve[k].Threads {
		s.Knee = s.Peak
	}
}

// knee is the first place of a curve beyond which nothing is KneeGain higher.
//
// A single low or high median must not move it, so the rise up to the highest
// place is first replaced by the nearest curve that never falls (isotonic
// regression by pooling adjacent violators, Ayer et al., Ann. Math. Stat. 26,
// 1955).
func knee(rates, weights []float64) int {
	top := 0
	for i, r := range rates {
		if r > rates[top] {
			top = i
		}
	}
	smooth := isotonic(rates[:top+1], weights[:top+1])
	for i, r := range smooth {
		if rates[top] < (1+KneeGain)*r {
			return i
		}
	}
	return top
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
