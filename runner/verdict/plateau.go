package verdict

import (
	"math"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
)

// Plateau is where more threads change nothing that the trials could show: the
// thread counts whose cells are statistically level with the best cell. The
// best of many level cells is the luckiest one, so the rate of a plateau is
// estimated from all of them.
type Plateau struct {
	// Rate is the geometric mean of the plateau's cells, weighted by their
	// trials, in the unit of the sweep's headline. Low and High are the lowest
	// and the highest cell after smoothing: each cell's logarithm averaged with
	// those of its neighbours in the grid, or the 95 % interval of Rate where
	// that is wider.
	Rate, Low, High float64
	From, To        int         // thread counts
	Open            bool        // To is the highest thread count that was measured
	Cells           []plan.Cell // by threads, then queries
	Noise           float64     // standard deviation of logarithms within cells, pooled
}

// levelError is the chance that a cell as good as the best is not called level with it.
const levelError = 0.05

// findPlateau looks for cells level with the best one: those whose mean
// logarithm is below the best's by less than a one-sided t test allows, with
// the pooled deviation within cells and Bonferroni's correction for as many
// comparisons as there are other cells (multiple comparisons with the best:
// Hsu, Ann. Stat. 12, 1984). Around the peak's thread count, thread counts
// belong to the plateau as long as at least half of their cells are level. There
// is none where the peak is not level, with fewer than two thread counts, nor
// without an estimate of the noise.
//
// The test is wide where noise is: the two highest thread counts of a curve that
// still rises may be level, and are then a plateau as far as the trials can tell.
func (s *Sweep) findPlateau() *Plateau {
	cells := s.ranked()
	noise, freedom := noiseWithin(cells)
	if s.Peak == nil || len(cells) < 2 || freedom < leastFreedom {
		return nil
	}
	level := levelCells(cells, noise, freedom)
	threads := s.levelThreads(cells, level)
	if len(threads) < 2 {
		return nil
	}
	p := &Plateau{From: threads[0], To: threads[len(threads)-1], Noise: noise}
	p.Open = p.To == cells[len(cells)-1].Threads
	var members []*Cell
	for _, c := range cells {
		if level[c.Cell] && c.Threads >= p.From && c.Threads <= p.To {
			members = append(members, c)
			p.Cells = append(p.Cells, c.Cell)
		}
	}
	p.estimate(members, freedom)
	return p
}

// ranked are the cells that rank, by threads, then queries.
func (s *Sweep) ranked() []*Cell {
	var list []*Cell
	for i := range s.Cells {
		if s.Cells[i].rate() > 0 {
			list = append(list, &s.Cells[i])
		}
	}
	return list
}

// swept are the logarithms of a cell's headline rates without its confirming
// trials, which not all cells have and which ran later; with them where there
// are no others.
func (c *Cell) swept() []float64 {
	var rates []float64
	for _, t := range c.trials {
		if r := c.Headline.Rate(&t.Measure); r != nil && !t.Confirm {
			rates = append(rates, *r)
		}
	}
	if l := logs(rates); len(l) > 0 {
		return l
	}
	return logs(c.Rate().Values)
}

// level is the mean of the logarithms of a cell's rates, and n how many there are.
func (c *Cell) level() (level, n float64) {
	l := c.swept()
	return mean(l), float64(len(l))
}

// levelCells are the cells that cannot be distinguished from the best one.
func levelCells(cells []*Cell, noise float64, freedom int) map[plan.Cell]bool {
	best, most, trials := cells[0], math.Inf(-1), 0.0
	for _, c := range cells {
		if l, n := c.level(); l > most {
			best, most, trials = c, l, n
		}
	}
	t := tQuantile(1-levelError/float64(len(cells)-1), float64(freedom))
	level := map[plan.Cell]bool{best.Cell: true}
	for _, c := range cells {
		if l, n := c.level(); most-l <= t*noise*math.Sqrt(1/n+1/trials) {
			level[c.Cell] = true
		}
	}
	return level
}

// levelThreads are the neighbouring thread counts around the peak's of which at
// least half of the cells are level; none when the peak is not level.
func (s *Sweep) levelThreads(cells []*Cell, level map[plan.Cell]bool) []int {
	counts, all := map[int]int{}, map[int]int{}
	var threads []int
	for _, c := range cells {
		if all[c.Threads]++; all[c.Threads] == 1 {
			threads = append(threads, c.Threads)
		}
		if level[c.Cell] {
			counts[c.Threads]++
		}
	}
	isLevel := func(n int) bool { return 2*counts[n] >= all[n] }
	from := slices.Index(threads, s.Peak.Threads)
	if from < 0 || !level[s.Peak.Cell.Cell] || !isLevel(s.Peak.Threads) {
		return nil
	}
	to := from + 1
	for from > 0 && isLevel(threads[from-1]) {
		from--
	}
	for to < len(threads) && isLevel(threads[to]) {
		to++
	}
	return threads[from:to]
}

// estimate sets the rate of the plateau and its range.
func (p *Plateau) estimate(members []*Cell, freedom int) {
	sum, trials := 0.0, 0.0
	for _, c := range members {
		l, n := c.level()
		sum += n * l
		trials += n
	}
	middle := sum / trials
	half := tQuantile(0.975, float64(freedom)) * p.Noise / math.Sqrt(trials)
	low, high := middle-half, middle+half
	for _, l := range smooth(members) {
		low, high = min(low, l), max(high, l)
	}
	p.Rate, p.Low, p.High = math.Exp(middle), math.Exp(low), math.Exp(high)
}

// smooth averages each cell's level with those of its neighbours: at most one
// step away in threads and in queries.
func smooth(members []*Cell) []float64 {
	var threads, queries []int
	for _, c := range members {
		threads, queries = append(threads, c.Threads), append(queries, c.Queries)
	}
	slices.Sort(threads)
	slices.Sort(queries)
	threads, queries = slices.Compact(threads), slices.Compact(queries)
	step := func(list []int, a, b int) int { return slices.Index(list, a) - slices.Index(list, b) }
	levels := make([]float64, len(members))
	for i, c := range members {
		sum, trials := 0.0, 0.0
		for _, d := range members {
			t, q := step(threads, c.Threads, d.Threads), step(queries, c.Queries, d.Queries)
			if t*t <= 1 && q*q <= 1 {
				l, n := d.level()
				sum += n * l
				trials += n
			}
		}
		levels[i] = sum / trials
	}
	return levels
}

// noiseWithin is the standard deviation of logarithms within cells, and its degrees
// of freedom: how many trials there are beyond the first of each cell.
func noiseWithin(cells []*Cell) (noise float64, freedom int) {
	sum := 0.0
	for _, c := range cells {
		l := c.swept()
		sum += squares(l)
		freedom += max(0, len(l)-1)
	}
	if freedom == 0 {
		return 0, 0
	}
	return math.Sqrt(sum / float64(freedom)), freedom
}
