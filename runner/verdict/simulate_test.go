package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
)

// The simulations make many comparisons of figures with a known truth and count
// how often the answer is right. They are seeded: each gives one figure.
const simulated = 10000

// simulation lets a simulation run beside others, and not at all in a short test.
func simulation(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
}

// grid is what a simulated run measured: trials of each cell.
type grid struct {
	cells, trials int
	noise         float64 // standard deviation of the logarithm of a trial
	night         float64 // the same of a whole run
}

// run draws one run whose rates are level times those of the grid. Of many
// runs each counts as a whole, as in a baseline.
func (g grid) run(r *rand.Rand, level float64) []measured {
	night := g.night * r.NormFloat64()
	list := make([]measured, g.cells)
	for i := range list {
		m := measured{cell: plan.Cell{Threads: i + 1}, headline: Queries}
		for range g.trials {
			m.rates = append(m.rates, 1000*float64(i+1)*level*math.Exp(night+g.noise*r.NormFloat64()))
		}
		list[i] = m
	}
	return list
}

// base draws so many runs as one baseline.
func (g grid) base(r *rand.Rand, runs int) []measured {
	var all []measured
	for n := range runs {
		for i, m := range g.run(r, 1) {
			if runs >= manyRuns {
				m = m.whole()
			}
			if n == 0 {
				all = append(all, m)
			} else {
				all[i].add(m)
			}
		}
	}
	return all
}

// shares are how often each decision was made.
func (g grid) shares(seed uint64, runs int, level float64, limits Limits) map[Decision]float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	shares := map[Decision]float64{}
	for range simulated {
		c := matched(g.base(r, runs), g.run(r, level), runs)
		c.overall(runs)
		g := Gate{Figures: c.gateFigures(limits), Extra: extraFor(runs)}
		g.decide(&c)
		shares[g.Decision] += 1.0 / simulated
	}
	return shares
}

// matched pairs cells without their own intervals, which no gate needs but the
// peak's, of the fastest: they would take most of the time.
func matched(base, fresh []measured, runs int) Comparison {
	var c Comparison
	for i, b := range base {
		values := fresh[i].rates
		if runs >= manyRuns {
			values = []float64{middle(values)}
		}
		c.Cells = append(c.Cells, CellComparison{Cell: b.cell, Headline: Queries, Base: Figure{Values: b.rates}, New: Figure{Values: values}})
	}
	c.Peak = &c.Cells[len(base)-1]
	if values := c.Peak.New.Values; runs >= manyRuns {
		c.Peak.Ratio = RatioToRuns(c.Peak.Base.Values, values[0])
	} else {
		c.Peak.Ratio = RatioOf(c.Peak.Base.Values, values)
	}
	return c
}

// With the same thing measured twice a gate of 5 % fails in less than 1 % of
// runs, whatever the number of base runs and however runs differ.
func TestFalseAlarms(t *testing.T) {
	simulation(t)
	for i, c := range []struct {
		name string
		grid grid
		runs int
	}{
		{"one base run", grid{20, 3, 0.05, 0}, 1},
		{"three base runs", grid{20, 3, 0.05, 0}, 3},
		{"a single cell, seven base runs", grid{1, 3, 0.05, 0}, 7},
		{"one base run, nights of 3 %", grid{5, 3, 0.02, 0.03}, 1},
		{"two base runs, nights of 3 %", grid{5, 3, 0.02, 0.03}, 2},
		{"three base runs, nights of 3 %", grid{5, 3, 0.02, 0.03}, 3},
		{"seven base runs, nights of 3 %", grid{5, 3, 0.02, 0.03}, 7},
	} {
		shares := c.grid.shares(uint64(i), c.runs, 1, Limits{Rate: 0.05})
		t.Logf("%s: %.2f %% regressions, %.1f %% undecided", c.name, 100*shares[Regression], 100*shares[Undecided])
		if shares[Regression] >= 0.01 {
			t.Errorf("%s: a false alarm in %.2f %%", c.name, 100*shares[Regression])
		}
	}
}

// From three base runs on, 8 % less is found behind a noise of 2 %; a loss of
// half the rate is found with one as well.
func TestPower(t *testing.T) {
	simulation(t)
	for i, c := range []struct {
		name  string
		grid  grid
		runs  int
		level float64
	}{
		{"8 % less, three base runs", grid{20, 3, 0.02, 0}, 3, 0.92},
		{"half, one base run", grid{20, 3, 0.05, 0.03}, 1, 0.5},
	} {
		shares := c.grid.shares(uint64(100+i), c.runs, c.level, Limits{Rate: 0.05})
		t.Logf("%s: found in %.2f %%", c.name, 100*shares[Regression])
		if shares[Regression] < 0.95 {
			t.Errorf("%s: found in %.2f %%", c.name, 100*shares[Regression])
		}
	}
}

// The 95 % intervals hold the truth in 94 to 96 of 100 runs: of a cell, of the
// mean over cells, also where one cell is far noisier than the others, and of
// one more run among several.
func TestCoverage(t *testing.T) {
	simulation(t)
	const truth = 0.9
	for i, c := range []struct {
		name  string
		grid  grid
		runs  int
		noisy float64 // factor of the first cell's noise
	}{
		{"one cell, 3 trials", grid{1, 3, 0.05, 0}, 1, 1},
		{"20 cells, 3 trials", grid{20, 3, 0.05, 0}, 1, 1},
		{"20 cells, 5 trials", grid{20, 5, 0.05, 0}, 1, 1},
		{"5 cells, 10 trials", grid{5, 10, 0.05, 0}, 1, 1},
		{"5 cells, 3 trials, one noisier", grid{5, 3, 0.03, 0}, 1, 3},
		{"3 runs that differ", grid{5, 3, 0.02, 0.03}, 3, 1},
		{"7 runs that differ", grid{5, 3, 0.02, 0.03}, 7, 1},
	} {
		r := rand.New(rand.NewPCG(uint64(i), 2))
		inside := 0
		for range simulated {
			cells := make([]pair, c.grid.cells)
			base, fresh := c.grid.base(r, c.runs), c.grid.run(r, truth)
			for j := range cells {
				cells[j] = pair{base[j].rates, fresh[j].rates}
				if j == 0 && c.noisy != 1 {
					cells[j] = pair{stretch(base[j].rates, 1000, c.noisy), stretch(fresh[j].rates, 1000*truth, c.noisy)}
				}
				if c.runs >= manyRuns {
					cells[j].fresh = fresh[j].whole().rates
				}
			}
			if ratio, _ := over(cells, c.runs); *ratio.Low <= truth && truth <= *ratio.High {
				inside++
			}
		}
		share := float64(inside) / simulated
		t.Logf("%s: %.1f %%", c.name, 100*share)
		if share < 0.94 || share > 0.96 {
			t.Errorf("%s: the interval holds the truth in %.1f %%", c.name, 100*share)
		}
	}
}

// stretch multiplies the noise of rates around their middle.
func stretch(rates []float64, middle, by float64) []float64 {
	list := make([]float64, len(rates))
	for i, v := range rates {
		list[i] = middle * math.Pow(v/middle, by)
	}
	return list
}
