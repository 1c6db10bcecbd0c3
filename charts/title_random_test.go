package charts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// TestTitlesOverRandomGrids checks what each title of a map and of a throughput
// chart claims against the rates that the chart draws.
func TestTitlesOverRandomGrids(t *testing.T) {
	forms := map[string]int{}
	for seed := range uint64(400) {
		a := randomGrid(rand.New(rand.NewPCG(seed, 9)))
		v := verdict.Of(a)
		for i := range v.Sweeps {
			s := &v.Sweeps[i]
			if err := checkMapTitle(s, mapTitle(s), forms); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if err := checkRateTitle(s, rateTitle([]*verdict.Sweep{s}), forms); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	t.Log(forms)
	if len(forms) < 9 {
		t.Errorf("only these forms of titles were seen: %v", forms)
	}
}

// randomGrid has curves of many shapes, noise, gaps and trials that are not ok.
func randomGrid(r *rand.Rand) *result.Archive {
	threads, queries := []int{1, 2, 4, 8, 16, 32}[:2+r.IntN(5)], []int{10, 50, 100}[:1+r.IntN(3)]
	noise, knee, fall := []float64{0, 0.01, 0.2}[r.IntN(3)], float64(int(1)<<r.IntN(7)), r.Float64()*r.Float64()
	repeats, gaps, shift := 1+r.IntN(3), r.IntN(2) == 0, r.IntN(3) == 0
	a := &result.Archive{Run: result.Run{Status: result.OK, Plan: plan.Plan{Repeat: repeats,
		Cases: []plan.Case{{Name: "a"}}, Workloads: []plan.Workload{{Name: "w"}}}}}
	for _, n := range threads {
		for _, q := range queries {
			at := knee
			if shift {
				at = max(1, knee*float64(q)/50)
			}
			x := float64(n)
			rate := 1e4 * math.Min(x, at) / (1 + fall*math.Max(0, x-at)/at)
			for repeat := range repeats {
				tr := result.Trial{Case: "a", Workload: "w", Threads: n, Queries: q, Repeat: repeat + 1, Status: result.OK}
				if gaps && r.IntN(5) == 0 {
					tr.Status = []result.Status{result.Failed, result.Invalid, result.Skipped}[r.IntN(3)]
				}
				tr.Measure = result.Measure{Threads: n, Elapsed: 1, ElapsedWithConnect: 1, Queries: int64(rate * math.Exp(noise*r.NormFloat64()))}
				a.Trials = append(a.Trials, tr)
				if tr.Confirm = r.IntN(30) == 0; tr.Confirm {
					tr.Repeat += repeats
					a.Trials = append(a.Trials, tr)
				}
			}
		}
	}
	return a
}

// grid are the drawn rates: queries -> threads -> rate.
func drawn(s *verdict.Sweep) map[int]map[int]float64 {
	rates := map[int]map[int]float64{}
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Ranks() {
			if rates[c.Queries] == nil {
				rates[c.Queries] = map[int]float64{}
			}
			rates[c.Queries][c.Threads] = *c.Rate().Median
		}
	}
	return rates
}

func highest(rates map[int]float64) (best float64, at []int) {
	for n, r := range rates {
		switch {
		case r > best:
			best, at = r, []int{n}
		case r == best:
			at = append(at, n)
		}
	}
	return best, at
}

func checkMapTitle(s *verdict.Sweep, title string, forms map[string]int) error {
	var n, m int
	all := drawn(s)
	if _, err := fmt.Sscanf(title, "The best thread count depends on the query count: %d to %d", &n, &m); err == nil {
		forms["map: depends"]++
		low, high := 1<<30, 0
		for _, rates := range all {
			best, _ := highest(rates)
			for k, r := range rates {
				if r == best {
					low, high = min(low, k), max(high, k)
				}
			}
		}
		if n >= m || n < low || m > high {
			return fmt.Errorf("%q, but the best are at %d to %d threads: %v", title, low, high, all)
		}
		return nil
	}
	if title == "No cell has a usable result" {
		forms["map: none"]++
		if len(all) > 0 {
			return fmt.Errorf("%q over %v", title, all)
		}
		return nil
	}
	text, only := strings.CutPrefix(title, "Only ")
	if _, err := fmt.Sscanf(text, "%d thread", &n); err != nil || !strings.Contains(title, "95 % of the best rate at every query count") {
		return fmt.Errorf("a title that is not known: %q", title)
	}
	forms[fmt.Sprintf("map: reaches, only %v", only)]++
	for _, k := range s.ThreadCounts() {
		reaches := true
		for _, rates := range all {
			best, _ := highest(rates)
			r, ok := rates[k]
			reaches = reaches && ok && r >= 0.95*best
		}
		if k == n && !reaches || only && k < n && reaches {
			return fmt.Errorf("%q, but %d threads: %v in %v", title, k, reaches, all)
		}
	}
	return nil
}

func checkRateTitle(s *verdict.Sweep, title string, forms map[string]int) error {
	if s.Peak == nil {
		forms["rate: none"]++
		if title != "No cell has a usable result" || len(drawn(s)) > 0 {
			return fmt.Errorf("%q over %v", title, drawn(s))
		}
		return nil
	}
	rates := drawn(s)[s.Peak.Queries]
	best, at := highest(rates)
	wrong := fmt.Errorf("%q over %v", title, rates)
	var n, share int
	switch {
	case scan(title, "Throughput still increases at %d", &n):
		forms["rate: increases"]++
		for k := range rates {
			if k > n || rates[k] > rates[n] {
				return wrong
			}
		}
	case scan(title, "Up to %d", &n):
		forms["rate: up to"]++
		_, rest, _ := strings.Cut(title, "reach ")
		reached := 0.0
		for k, r := range rates {
			if k <= n {
				reached = max(reached, r)
			}
		}
		if !scan(rest, "%d", &share) || reached < float64(share)/100*best {
			return wrong
		}
	case strings.HasPrefix(title, "About "):
		forms["rate: plateau"]++
		return checkPlateau(s, title)
	case strings.HasPrefix(title, "Throughput differs between thread counts by no more than noise"):
		forms["rate: noise"]++
		if !s.Level {
			return wrong
		}
	case scan(title, "Highest confirmed throughput at %d", &n):
		forms["rate: confirmed"]++
		if !s.Peak.Confirmed || n != s.Peak.Threads {
			return wrong
		}
	case scan(title, "Throughput peaks at %d", &n):
		forms["rate: peaks"]++
		found := false
		for _, k := range at {
			found = found || k == n
		}
		if !found {
			return wrong
		}
	default:
		return fmt.Errorf("a title that is not known: %q", title)
	}
	return nil
}

// checkPlateau holds a plateau to its cells: their geometric mean, and no fewer than half of those
// in its range.
func checkPlateau(s *verdict.Sweep, title string) error {
	p, sum, trials, inside, confirmed := s.Plateau, 0.0, 0.0, 0, false
	for i := range s.Cells {
		c := &s.Cells[i]
		if !c.Ranks() || c.Threads < p.From || c.Threads > p.To {
			continue
		}
		inside++
		confirmed = confirmed || c.Confirming > 0
		if slices.Contains(p.Cells, c.Cell) {
			for _, v := range c.Rate().Values {
				sum += math.Log(v)
				trials++
			}
		}
	}
	var number string
	if !scan(title, "About %s", &number) || 2*len(p.Cells) < inside || !strings.Contains(title, words.PlateauRange(s)) {
		return fmt.Errorf("%q over %+v", title, p)
	}
	rate, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	// Two digits.
	if mean := math.Exp(sum / trials); err != nil || !confirmed && math.Abs(rate/mean-1) > 0.051 {
		return fmt.Errorf("%q, but the mean is %v", title, mean)
	}
	return nil
}

func scan(text, form string, into ...any) bool {
	n, err := fmt.Sscanf(text, form, into...)
	return err == nil && n == len(into)
}
