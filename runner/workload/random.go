package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// NewDraw is the distribution that sysbench's --rand-* options name; those
// that are missing in set have their defaults.
func NewDraw(set map[string]string) (Draw, error) {
	v, err := NewValues(randOptions, set)
	if err != nil {
		return nil, err
	}
	return newDraw(v)
}

// Draw draws an integer from a to b, both included.
type Draw func(r *rand.Rand, a, b int64) int64

// Uniform draws each number with the same probability.
func Uniform() Draw { return uniform }

// Zipfian draws the k-th number with a probability proportional to 1/k^exp.
func Zipfian(exp float64) Draw { return newZipf(exp).draw }

// randOptions are the options of sysbench 1.x's random numbers. The default of
// its master branch is uniform, that of 1.0.20 special.
var randOptions = []Option{
	{Name: "rand-type", Usage: "distribution of ids; 1.0.20's default is special, newer sysbench's uniform",
		Default: "uniform", Form: "text", Choices: []string{"uniform", "special", "gaussian", "pareto", "zipfian"}},
	{Name: "rand-spec-iter", Usage: "number of draws that special and gaussian average", Default: "12", Form: "int", Most: 10_000},
	{Name: "rand-spec-pct", Usage: "special: percentage of values that are hot", Default: "1", Form: "int"},
	{Name: "rand-spec-res", Usage: "special: percentage of draws that hit hot values", Default: "75", Form: "int"},
	{Name: "rand-pareto-h", Usage: "pareto: fraction h of the values that receives 1-h of the draws", Default: "0.2", Form: "float"},
	{Name: "rand-zipfian-exp", Usage: "zipfian: exponent", Default: "0.8", Form: "float"},
}

// newDraw is the distribution that the options name.
func newDraw(v Values) (Draw, error) {
	iter, pct, res := v.Int("rand-spec-iter"), v.Int("rand-spec-pct"), v.Int("rand-spec-res")
	h, exp := v.Float("rand-pareto-h"), v.Float("rand-zipfian-exp")
	switch {
	case iter < 1:
		return nil, fmt.Errorf("invalid rand-spec-iter %d: must be at least 1", iter)
	case pct < 0 || pct > 100:
		return nil, fmt.Errorf("invalid rand-spec-pct %d: must be between 0 and 100", pct)
	case res < 0 || res > 99:
		return nil, fmt.Errorf("invalid rand-spec-res %d: must be between 0 and 99", res)
	case h <= 0 || h >= 1:
		return nil, fmt.Errorf("invalid rand-pareto-h %g: must be above 0 and below 1", h)
	case exp < 0:
		return nil, fmt.Errorf("invalid rand-zipfian-exp %g: must not be negative", exp)
	}
	switch v.Text("rand-type") {
	case "special":
		return special(iter, pct, res), nil
	case "gaussian":
		return gaussian(iter), nil
	case "pareto":
		return pareto(h), nil
	case "zipfian":
		return newZipf(exp).draw, nil
	}
	return uniform, nil
}

func uniform(r *rand.Rand, a, b int64) int64 { return a + r.Int64N(b-a+1) }

// gaussian averages uniform draws, as sysbench's sb_rand_gaussian does.
func gaussian(iter int64) Draw {
	return func(r *rand.Rand, a, b int64) int64 {
		return a + int64(average(r, iter)*float64(b-a+1))
	}
}

// special is sb_rand_special of sysbench 1.0.20: of 100 draws, 100-res are
// averages and res fall evenly on the pct % of the values around the middle.
// The original takes one random number for the choice and for the hot value,
// so that the first 100-res % of the hot values never come (of 10,000 ids 76
// are hot, not 100). That is kept: it decides what the cache has to hold.
func special(iter, pct, res int64) Draw {
	spread, share := 100/(100-float64(res)), float64(pct)/100
	return func(r *rand.Rand, a, b int64) int64 {
		t := float64(b - a)
		u := r.Float64()
		if u*t*spread < t {
			return a + int64(average(r, iter)*t)
		}
		return a + int64(u*(t*share+1)+t/2-t*share/2)
	}
}

func average(r *rand.Rand, iter int64) float64 {
	sum := 0.0
	for range iter {
		sum += r.Float64()
	}
	return sum / float64(iter)
}

// pareto is sysbench's sb_rand_pareto: a share h of the values, the lowest,
// gets 1-h of the draws.
func pareto(h float64) Draw {
	power := math.Log(h) / math.Log(1-h)
	return func(r *rand.Rand, a, b int64) int64 {
		return a + int64(float64(b-a+1)*math.Pow(r.Float64(), power))
	}
}
