package verdict

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// minFitPoints is how many thread counts a fit needs.
const minFitPoints = 5

// Fit is the Universal Scalability Law
//
//	X(n) = λn / (1 + σ(n-1) + κn(n-1))
//
// fitted to the medians of one query count (N. J. Gunther, Guerrilla Capacity
// Planning, Springer 2007, ch. 4 and 6). It describes; it explains nothing
// where R2 is low: see Describes.
type Fit struct {
	Queries int     // rounds per thread; 0 when trials end by time or events
	Lambda  float64 // queries per second of one thread
	Sigma   float64 // contention: the share that runs one at a time, >= 0
	Kappa   float64 // coherency: the cost of each pair of threads, >= 0
	R2      float64 // 1 - residual / total sum of squares
	Points  int     // thread counts that were fitted
	// PeakThreads is √((1-σ)/κ), where the law has its maximum; nil when it has
	// none, or does not describe the rates.
	PeakThreads *float64
}

// leastR2 is the R² below which the law does not describe the rates.
const leastR2 = 0.9

// Describes reports whether the law fits well enough to be drawn and to name
// its maximum.
func (f Fit) Describes() bool { return f.R2 >= leastR2 }

// At is the rate that the law gives for n threads.
func (f Fit) At(n float64) float64 { return f.Lambda * capacity(n, f.Sigma, f.Kappa) }

// capacity is X(n)/λ.
func capacity(n, sigma, kappa float64) float64 {
	return n / (1 + sigma*(n-1) + kappa*n*(n-1))
}

// fits has one Fit for each query count with at least five thread counts.
func (s *Sweep) fits() []Fit {
	var list []Fit
	for _, q := range s.QueryCounts() {
		var threads, rates []float64
		for i := range s.Cells {
			if c := &s.Cells[i]; c.Queries == q && c.rate() > 0 {
				threads = append(threads, float64(c.Threads))
				rates = append(rates, c.rate())
			}
		}
		if f := FitScaling(threads, rates); f != nil {
			f.Queries = q
			list = append(list, *f)
		}
	}
	return list
}

// FitScaling fits the law by least squares of the rates, nil for fewer than
// five points or when they do not determine it.
func FitScaling(threads, rates []float64) *Fit {
	if len(threads) < minFitPoints || len(threads) != len(rates) {
		return nil
	}
	l := &law{threads: threads, rates: rates}
	for _, n := range threads {
		l.most = max(l.most, n)
	}
	sigma, kappa, ok := l.minimize()
	lambda := l.lambda(sigma, kappa)
	if !ok || !(lambda > 0) {
		return nil
	}
	f := &Fit{Lambda: lambda, Sigma: sigma, Kappa: kappa, Points: len(threads)}
	f.R2 = l.r2(sigma, kappa)
	if f.Describes() && f.Kappa*l.most*l.most > 1e-6 && f.Sigma < 1 {
		f.PeakThreads = ptr(math.Sqrt((1 - f.Sigma) / f.Kappa))
	}
	if math.IsNaN(f.R2) {
		return nil
	}
	return f
}

// law is the fit under way. σ and κ are sought as squares, which keeps them
// from being negative, in units of 1/most and 1/most², which makes both of
// the order of one.
type law struct {
	threads, rates []float64
	most           float64 // threads
}

func (l *law) parameters(x []float64) (sigma, kappa float64) {
	return x[0] * x[0] / l.most, x[1] * x[1] / (l.most * l.most)
}

// lambda is the best λ for given σ and κ: the law is linear in it.
func (l *law) lambda(sigma, kappa float64) float64 {
	product, square := 0.0, 0.0
	for i, n := range l.threads {
		c := capacity(n, sigma, kappa)
		product += l.rates[i] * c
		square += c * c
	}
	return product / square
}

// residual is the sum of squares that the law leaves.
func (l *law) residual(sigma, kappa float64) float64 {
	lambda, sum := l.lambda(sigma, kappa), 0.0
	for i, n := range l.threads {
		d := l.rates[i] - lambda*capacity(n, sigma, kappa)
		sum += d * d
	}
	return sum
}

func (l *law) r2(sigma, kappa float64) float64 {
	m, total := mean(l.rates), 0.0
	for _, r := range l.rates {
		total += (r - m) * (r - m)
	}
	return 1 - l.residual(sigma, kappa)/total
}

// minimize seeks σ and κ by the simplex of Nelder and Mead (Computer J. 7,
// 1965) from several starts, one of them the linear form of the law.
func (l *law) minimize() (sigma, kappa float64, ok bool) {
	scale := 0.0
	for _, r := range l.rates {
		scale += r * r
	}
	if scale == 0 {
		return 0, 0, false
	}
	problem := optimize.Problem{Func: func(x []float64) float64 {
		return l.residual(l.parameters(x)) / scale
	}}
	least := math.Inf(1)
	for _, start := range append([][]float64{{0.3, 0.3}, {2, 0.1}, {0.1, 2}, {3, 3}}, l.linear()) {
		found, err := optimize.Minimize(problem, start, &optimize.Settings{
			Converger: &optimize.FunctionConverge{Absolute: 1e-14, Iterations: 200}, FuncEvaluations: 5000,
		}, &optimize.NelderMead{SimplexSize: 0.2})
		if found == nil || err != nil || !(found.F < least) {
			continue
		}
		least = found.F
		sigma, kappa = l.parameters(found.X)
		ok = true
	}
	return l.plain(sigma, kappa, least*scale, ok)
}

// plain sets σ or κ to 0 where that fits as well: a parameter at the edge of
// its range is only neared by the search.
func (l *law) plain(sigma, kappa, least float64, ok bool) (float64, float64, bool) {
	enough := least + 1e-9*(least+1e-9)
	if l.residual(sigma, 0) <= enough {
		kappa = 0
	}
	if l.residual(0, kappa) <= enough {
		sigma = 0
	}
	return sigma, kappa, ok
}

// linear solves n/X = 1/λ + (σ/λ)(n-1) + (κ/λ)n(n-1) by linear least squares,
// weighted so that residuals count as in X, and clips what is negative.
func (l *law) linear() []float64 {
	rows := len(l.threads)
	a, b := mat.NewDense(rows, 3, nil), mat.NewVecDense(rows, nil)
	for i, n := range l.threads {
		weight := l.rates[i] * l.rates[i] / n
		a.SetRow(i, []float64{weight, weight * (n - 1), weight * n * (n - 1)})
		b.SetVec(i, weight*n/max(l.rates[i], 1e-9))
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil || x.AtVec(0) <= 0 {
		return []float64{1, 1}
	}
	sigma, kappa := max(x.AtVec(1)/x.AtVec(0), 0), max(x.AtVec(2)/x.AtVec(0), 0)
	return []float64{math.Sqrt(sigma * l.most), math.Sqrt(kappa) * l.most}
}
