package verdict

import (
	"math"
	"testing"
)

// The law comes back from points that it made, also at the edges where a
// parameter is 0.
func TestFitScaling(t *testing.T) {
	threads := []float64{1, 2, 4, 8, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	for _, c := range []struct{ lambda, sigma, kappa float64 }{
		{2000, 0.02, 0.0003},
		{2000, 0.05, 0},
		{30000, 0, 0.0001},
		{500, 0, 0},
		{20000, 0.9, 0.00001},
		{5, 0.001, 0.01},
	} {
		made := Fit{Lambda: c.lambda, Sigma: c.sigma, Kappa: c.kappa}
		var rates []float64
		for _, n := range threads {
			rates = append(rates, made.At(n))
		}
		f := FitScaling(threads, rates)
		if f == nil {
			t.Fatalf("%+v: no fit", c)
		}
		about(t, "lambda", &f.Lambda, c.lambda, 0.01)
		if math.Abs(f.Sigma-c.sigma) > 0.01*c.sigma+2e-4 || math.Abs(f.Kappa-c.kappa) > 0.02*c.kappa+2e-6 {
			t.Errorf("%+v: fitted %+v", c, *f)
		}
		about(t, "r2", &f.R2, 1, 1e-5)
		if (c.kappa > 0) != (f.PeakThreads != nil) {
			t.Errorf("%+v: peak %v", c, f.PeakThreads)
		} else if c.kappa > 0 {
			about(t, "peak", f.PeakThreads, math.Sqrt((1-c.sigma)/c.kappa), 0.05)
		}
	}
}

// What is no scaling curve fits badly, and says so; σ and κ stay positive.
func TestFitScalingNoise(t *testing.T) {
	f := FitScaling([]float64{1, 2, 3, 4, 5, 6}, []float64{100, 900, 50, 700, 120, 800})
	if f == nil || f.R2 > 0.5 || f.Sigma < 0 || f.Kappa < 0 {
		t.Errorf("%+v", f)
	}
	// Better than linear.
	super := FitScaling([]float64{1, 2, 3, 4, 5}, []float64{100, 250, 450, 700, 1000})
	if super == nil || super.Sigma != 0 || super.Kappa != 0 || super.PeakThreads != nil {
		t.Errorf("better than linear: %+v", super)
	}
}

func TestFitScalingDegenerate(t *testing.T) {
	for _, c := range []struct {
		name           string
		threads, rates []float64
	}{
		{"nothing", nil, nil},
		{"four points", []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}},
		{"all zero", []float64{1, 2, 3, 4, 5}, []float64{0, 0, 0, 0, 0}},
		{"of different lengths", []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4}},
	} {
		if f := FitScaling(c.threads, c.rates); f != nil {
			t.Errorf("%s: %+v", c.name, *f)
		}
	}
	flat := FitScaling([]float64{1, 2, 4, 8, 16}, []float64{100, 100, 100, 100, 100})
	if flat != nil && (math.IsNaN(flat.R2) || math.IsInf(flat.R2, 0)) {
		t.Errorf("flat: %+v", *flat)
	}
}
