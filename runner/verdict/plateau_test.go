package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

// noisyGrid has three repeats of each cell, with rates off by a log-normal factor.
func noisyGrid(r *rand.Rand, threads, queries []int, noise float64, rate func(threads, queries int) float64) []result.Trial {
	var list []result.Trial
	for _, n := range threads {
		for _, q := range queries {
			for repeat := 1; repeat <= 3; repeat++ {
				list = append(list, trial(n, q, repeat, rate(n, q)*math.Exp(noise*r.NormFloat64())))
			}
		}
	}
	return list
}

// A grid that is flat from 20 threads on, at a noise of 10 %: the best of 130
// cells lies far above the plateau, whose estimate does not.
func TestPlateau(t *testing.T) {
	threads := []int{1, 2, 4, 8, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	queries := []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	const level, runs = 70_000.0, 15
	off, luckiest, from, covered := 0.0, 0.0, 0, 0
	for seed := range uint64(runs) {
		s := sweepOfRun(archive(noisyGrid(rand.New(rand.NewPCG(seed, 3)), threads, queries, 0.1, func(n, _ int) float64 {
			return level * math.Min(1, float64(n)/20)
		})...))
		p := s.Plateau
		if p == nil || !p.Open || p.To != 100 || p.From < 10 || p.From > 20 || p.Low > p.Rate || p.High < p.Rate {
			t.Fatalf("seed %d: %+v", seed, p)
		}
		off += math.Abs(p.Rate/level-1) / runs
		luckiest += s.Peak.rate() / level / runs
		if p.From == 20 {
			from++
		}
		if p.Low <= level && level <= p.High {
			covered++
		}
	}
	t.Logf("the estimate is off by %.2f %% on average, the best cell reads %.1f %% too much; from 20 threads in %d of %d runs", 100*off, 100*(luckiest-1), from, runs)
	if off > 0.01 || luckiest < 1.1 || from < runs*9/10 || covered < runs*95/100 {
		t.Errorf("off %v, luckiest %v, from 20 threads in %d, covered in %d of %d", off, luckiest, from, covered, runs)
	}
}

// Where the cells differ by more than their noise, one is the best, and there
// is no plateau; nor where throughput still rises, or nothing is known of the noise.
func TestNoPlateau(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates []float64
		noise float64
		times int
	}{
		{"one peak", []float64{100_000, 200_000, 300_000, 200_000}, 0.01, 3},
		{"rising", []float64{100_000, 200_000, 300_000, 400_000}, 0.01, 3},
		{"single trials", []float64{100_000, 200_000, 200_000, 200_000}, 0.01, 1},
	} {
		r := rand.New(rand.NewPCG(1, 1))
		var trials []result.Trial
		for i, rate := range c.rates {
			for repeat := 1; repeat <= c.times; repeat++ {
				trials = append(trials, trial(1<<i, 10, repeat, rate*math.Exp(c.noise*r.NormFloat64())))
			}
		}
		if s := sweepOfRun(archive(trials...)); s.Plateau != nil {
			t.Errorf("%s: %+v", c.name, s.Plateau)
		}
	}
}

// Noise of 20 % over thread counts that make no difference is no knee and no
// rise: but for the 1 % of runs that are the test's own error, 5 % where each
// cell ran once. The bounds are these shares of 1,000 seeded runs and three
// standard deviations of the binomial distribution, 10 + 9.4 and 50 + 20.7;
// 15 and 44 were counted.
func TestNoKneeInPureNoise(t *testing.T) {
	simulation(t)
	const runs = 1000
	for _, repeats := range []int{1, 3} {
		found := 0
		for seed := range uint64(runs) {
			r := rand.New(rand.NewPCG(seed, 5))
			var trials []result.Trial
			for i := range 10 {
				for repeat := 1; repeat <= repeats; repeat++ {
					trials = append(trials, trial(1+10*i, 10, repeat, 50_000*math.Exp(0.2*r.NormFloat64())))
				}
			}
			s := sweepOfRun(archive(trials...))
			if s.Knee != nil || s.Rising {
				found++
			}
			if s.Knee == nil && !s.Rising && !s.Level {
				t.Fatalf("seed %d: neither knee, rise nor level", seed)
			}
			for _, f := range s.Fits {
				if f.PeakThreads != nil && f.R2 < 0.9 {
					t.Fatalf("seed %d: the peak of a law with R² %v is named", seed, f.R2)
				}
			}
		}
		t.Logf("%d repeats: a knee or a rise in %d of %d runs of noise", repeats, found, runs)
		if limit := map[int]int{1: 70, 3: 19}[repeats]; found > limit {
			t.Errorf("%d repeats: %d of %d runs, want at most %d", repeats, found, runs, limit)
		}
	}
}

// Thread counts whose trials failed are no part of a curve.
func TestFailedCellsAreNotOnTheCurve(t *testing.T) {
	trials := curve(10, []int{1, 2, 4, 8}, []float64{100, 200, 300, 400})
	for i := range trials {
		// One of three ended well: the cell does not rank.
		if trials[i].Threads >= 4 && trials[i].Repeat > 1 {
			trials[i].Status = result.Failed
		}
	}
	s := sweepOfRun(archive(trials...))
	if !s.Rising || len(s.Curve) != 2 || s.Curve[1] != 2 || s.Limit.Threads != 2 {
		t.Errorf("rising %v, curve %v, limit at %d threads; want it to rise up to 2 threads", s.Rising, s.Curve, s.Limit.Threads)
	}
}

func sweepOfRun(a *result.Archive) *Sweep {
	v := Of(a)
	return v.Main()
}
