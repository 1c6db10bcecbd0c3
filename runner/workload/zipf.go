package workload

import (
	"math"
	"math/rand/v2"
)

// zipf draws from 1 to n with P(k) proportional to 1/k^exp, by rejection from
// the integral of a hat function: W. Hörmann and G. Derflinger,
// "Rejection-inversion to generate variates from monotone discrete
// distributions", ACM TOMACS 6.3 (1996), as sysbench's sb_rand_zipfian does.
// math/rand's Zipf requires an exponent above 1.
type zipf struct {
	exp   float64
	quick float64 // below this distance a draw is right without further sums
	from  float64 // the integral at 1.5, less h(1)
}

func newZipf(exp float64) zipf {
	z := zipf{exp: exp}
	z.quick = 2 - z.inverse(z.integral(2.5)-z.h(2))
	z.from = z.integral(1.5) - 1
	return z
}

func (z zipf) draw(r *rand.Rand, a, b int64) int64 {
	n := float64(b - a + 1)
	to := z.integral(n + 0.5)
	for {
		u := to + r.Float64()*(z.from-to)
		x := z.inverse(u)
		k := min(max(math.Floor(x+0.5), 1), n)
		if k-x <= z.quick || u >= z.integral(k+0.5)-z.h(k) {
			return a + int64(k) - 1
		}
	}
}

// h is the hat, 1/x^exp.
func (z zipf) h(x float64) float64 { return math.Exp(-z.exp * math.Log(x)) }

// integral is the integral of h, (x^(1-exp) - 1) / (1 - exp), and log(x) in
// the limit exp = 1.
func (z zipf) integral(x float64) float64 {
	log := math.Log(x)
	t := (1 - z.exp) * log
	if math.Abs(t) < 1e-8 {
		return log * (1 + t/2*(1+t/3)) // the first terms of (e^t - 1) / t
	}
	return log * math.Expm1(t) / t
}

func (z zipf) inverse(y float64) float64 {
	t := max(y*(1-z.exp), -1) // rounding may bring it below -1
	if math.Abs(t) < 1e-8 {
		return math.Exp(y * (1 - t/2*(1-2*t/3))) // the first terms of log(1+t) / t
	}
	return math.Exp(y * math.Log1p(t) / t)
}
