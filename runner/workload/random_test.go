package workload

import (
	"math"
	"math/rand/v2"
	"testing"
)

// chiSquare compares counts with expected shares of their sum. Cells are
// merged until each is expected at least 10 times.
func chiSquare(counts []int, share []float64) (x float64, freedom int) {
	n := 0
	for _, c := range counts {
		n += c
	}
	var seen, expected float64
	for i := range counts {
		seen += float64(counts[i])
		expected += share[i] * float64(n)
		if expected >= 10 {
			x += (seen - expected) * (seen - expected) / expected
			freedom++
			seen, expected = 0, 0
		}
	}
	return x, freedom - 1
}

// bound is the chi-square value that chance exceeds once in 10,000 times
// (Wilson and Hilferty's approximation).
func bound(freedom int) float64 {
	f := 2 / (9 * float64(freedom))
	return float64(freedom) * math.Pow(1-f+3.719*math.Sqrt(f), 3)
}

// irwinHall is the distribution of the average of 12 uniform numbers on [0,1]:
// F(x) = 1/12! sum (-1)^k C(12,k) (12x-k)^12.
func irwinHall(x float64) float64 {
	sum, sign, choose := 0.0, 1.0, 1.0
	for k := 0.0; k <= math.Floor(12*x) && k <= 12; k++ {
		sum += sign * choose * math.Pow(12*x-k, 12)
		sign, choose = -sign, choose*(12-k)/(k+1)
	}
	return min(sum/479001600, 1)
}

// between are the shares of a..b for a distribution function of (value-a)/(b-a+1).
func between(n int, f func(float64) float64) []float64 {
	share := make([]float64, n)
	for i := range share {
		share[i] = f(float64(i+1)/float64(n)) - f(float64(i)/float64(n))
	}
	return share
}

func zipfShares(n int, exp float64) []float64 {
	share, sum := make([]float64, n), 0.0
	for i := range share {
		share[i] = math.Pow(float64(i+1), -exp)
		sum += share[i]
	}
	for i := range share {
		share[i] /= sum
	}
	return share
}

// specialShares follow from the text of sb_rand_special in sysbench 1.0.20.
func specialShares(n int) []float64 {
	t := float64(n - 1)
	share := make([]float64, n)
	for i := range share {
		f := func(x float64) float64 { return irwinHall(min(max(x/t, 0), 1)) }
		share[i] = 0.25 * (f(float64(i+1)) - f(float64(i)))
		// hot: u*(t/100+1) + t/2 - t/200 for u from 0.25 to 1
		low, high := 0.25*(t*0.01+1)+t/2-t/200, (t*0.01+1)+t/2-t/200
		part := min(float64(i+1), high) - max(float64(i), low)
		share[i] += 0.75 * max(part, 0) / (high - low)
	}
	return share
}

func TestDistributions(t *testing.T) {
	const n, draws = 1000, 1_000_000
	pareto := func(h float64) []float64 {
		return between(n, func(x float64) float64 { return math.Pow(x, math.Log(1-h)/math.Log(h)) })
	}
	for _, test := range []struct {
		name    string
		options []string
		share   []float64
	}{
		{"uniform is the default", nil, between(n, func(x float64) float64 { return x })},
		{"average of 12", []string{"rand-type", "gaussian"}, between(n, irwinHall)},
		{"12-fold average and the hot 1 %", []string{"rand-type", "special"}, specialShares(n)},
		{"pareto 0.2", []string{"rand-type", "pareto"}, pareto(0.2)},
		{"pareto 0.1", []string{"rand-type", "pareto", "rand-pareto-h", "0.1"}, pareto(0.1)},
		{"zipfian 0.8", []string{"rand-type", "zipfian"}, zipfShares(n, 0.8)},
		{"zipfian with the exponent whose integral is a logarithm", []string{"rand-type", "zipfian", "rand-zipfian-exp", "1"}, zipfShares(n, 1)},
		{"zipfian above 1", []string{"rand-type", "zipfian", "rand-zipfian-exp", "1.5"}, zipfShares(n, 1.5)},
		{"zipfian 0 is uniform", []string{"rand-type", "zipfian", "rand-zipfian-exp", "0"}, between(n, func(x float64) float64 { return x })},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorkload(t, "oltp_point_select", test.options...).(*oltp)
			r := rand.New(rand.NewPCG(42, 42))
			counts := make([]int, n)
			for range draws {
				v := w.draw(r, 101, 100+n)
				if v < 101 || v > 100+n {
					t.Fatalf("drew %d, want 101 to %d", v, 100+n)
				}
				counts[v-101]++
			}
			x, freedom := chiSquare(counts, test.share)
			if freedom < 20 {
				t.Fatalf("only %d degrees of freedom: the expected shares are wrong", freedom)
			}
			if x > bound(freedom) {
				t.Errorf("chi-square %.0f with %d degrees of freedom, more than %.0f", x, freedom, bound(freedom))
			}
		})
	}
}

// TestSpecialHotIDs: of 10,000 ids 76 or 77 are hot and get three of four
// draws, as in 1.0.20.
func TestSpecialHotIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	draw := special(12, 1, 75)
	counts := map[int64]int{}
	const draws = 1_000_000
	for range draws {
		counts[draw(r, 1, 10000)]++
	}
	hot, sum := 0, 0
	for _, c := range counts {
		if c > draws/1000 {
			hot++
			sum += c
		}
	}
	if hot < 75 || hot > 77 {
		t.Errorf("%d hot ids, want 76", hot)
	}
	if share := float64(sum) / draws; math.Abs(share-0.76) > 0.01 {
		t.Errorf("hot ids get %.3f of the draws, want 0.75 and a little of the average's", share)
	}
}

func TestDistributionOptionsAreChecked(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"rand-spec-iter", "0", "invalid rand-spec-iter 0: must be at least 1"},
		{"rand-spec-pct", "101", "invalid rand-spec-pct 101: must be between 0 and 100"},
		{"rand-spec-res", "100", "invalid rand-spec-res 100: must be between 0 and 99"},
		{"rand-pareto-h", "1", "invalid rand-pareto-h 1: must be above 0 and below 1"},
		{"rand-zipfian-exp", "-1", "invalid rand-zipfian-exp -1: must not be negative"},
		{"tables", "0", "invalid tables 0: must be at least 1"},
		{"table-size", "3000000000", "invalid table-size 3000000000: must be at most 2147483647 (id is an INTEGER)"},
		{"point-selects", "-1", "invalid point-selects -1: must be at least 0"},
		{"range-size", "0", "invalid range-size 0: must be at least 1"},
	} {
		v, err := NewValues(oltpReadWrite.Options, map[string]string{test.name: test.value})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := oltpReadWrite.New(v); err == nil || err.Error() != test.want {
			t.Errorf("%s=%s: %v, want %s", test.name, test.value, err, test.want)
		}
	}
}

func TestScatteredIsOneToOne(t *testing.T) {
	seen := map[uint32]bool{}
	for _, from := range []uint32{0, 4294967291/2 - 50000, 4294967291 - 50000} {
		for i := range uint32(100000) {
			if x := from + i; x >= from { // not past the end
				y := scattered(x)
				if seen[y] {
					t.Fatalf("scattered(%d) = %d came before", x, y)
				}
				seen[y] = true
			}
		}
	}
}
