package verdict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

func TestMerge(t *testing.T) {
	var low, high []float64
	for i := range 500 { // 1 ms .. 500 ms and 501 ms .. 1 s
		low = append(low, float64(i+1)/1000)
		high = append(high, float64(i+501)/1000)
	}
	m := Merge([]result.Distribution{distribution(t, low...), {}, distribution(t, high...)})
	if m.Count != 1000 || m.Histogram != "" {
		t.Errorf("count %d, histogram %q", m.Count, m.Histogram)
	}
	about(t, "min", m.Min, 0.001, 0)
	about(t, "max", m.Max, 1, 0)
	about(t, "mean", m.Mean, 0.5005, 1e-9)
	about(t, "p50", m.P50, 0.5, 0.002) // neither part's own: 0.25 and 0.75
	about(t, "p95", m.P95, 0.95, 0.002)
	about(t, "p99", m.P99, 0.99, 0.002)
	about(t, "p999", m.P999, 0.999, 0.002)
}

func TestMergePercentilesNeedSamples(t *testing.T) {
	for _, c := range []struct {
		n    int
		want [4]bool // p50, p95, p99, p99.9
	}{
		{2, [4]bool{true, false, false, false}},
		{18, [4]bool{true, false, false, false}},
		{20, [4]bool{true, true, false, false}},
		{98, [4]bool{true, true, false, false}},
		{100, [4]bool{true, true, true, false}},
		{998, [4]bool{true, true, true, false}},
		{1000, [4]bool{true, true, true, true}},
	} {
		half := make([]float64, c.n/2)
		for i := range half {
			half[i] = 0.001 * float64(i+1)
		}
		d := distribution(t, half...)
		m := Merge([]result.Distribution{d, d})
		got := [4]bool{m.P50 != nil, m.P95 != nil, m.P99 != nil, m.P999 != nil}
		if got != c.want {
			t.Errorf("%d samples: %v, want %v", c.n, got, c.want)
		}
	}
}

// A histogram's bucket reaches beyond its samples; a percentile never does.
func TestMergeStaysInside(t *testing.T) {
	d := distribution(t, 0.1234567, 0.1234567)
	m := Merge([]result.Distribution{d, d})
	if *m.P50 < *m.Min || *m.P50 > *m.Max {
		t.Errorf("p50 %v is outside %v..%v", *m.P50, *m.Min, *m.Max)
	}
}

// Samples above the range are in no bucket, but they are samples.
func TestMergeOver(t *testing.T) {
	d := distribution(t, 0.001, 7200)
	if d.Over != 1 {
		t.Fatalf("over %d", d.Over)
	}
	m := Merge([]result.Distribution{d, d, distribution(t, 7200)})
	if m.Over != 3 || m.Count != 5 {
		t.Errorf("over %d of %d", m.Over, m.Count)
	}
	about(t, "p50, the third of 1 ms, 1 ms, 2 h, 2 h, 2 h", m.P50, 7200, 0)
	all := distribution(t, 7200)
	about(t, "p50 of what is all above", Merge([]result.Distribution{all, all}).P50, 7200, 0)
}

func TestMergeDegenerate(t *testing.T) {
	m := Merge(nil)
	if m.Count != 0 || m.Min != nil || m.Mean != nil || m.P50 != nil {
		t.Errorf("of nothing: %+v", m)
	}
	one := distribution(t, 0.5)
	m = Merge([]result.Distribution{one, {}})
	if m.P50 != nil || *m.Mean != 0.5 || m.Histogram != "" {
		t.Errorf("of one sample: %+v", m)
	}
	broken := distribution(t, 0.5, 0.6)
	broken.Histogram = "no histogram"
	m = Merge([]result.Distribution{broken, distribution(t, 0.7, 0.8)})
	if m.P50 != nil || m.Count != 4 || *m.Max != 0.8 {
		t.Errorf("with a broken histogram: %+v", m)
	}
}

// Percentiles are by nearest rank, in a trial and in a cell alike: the same
// trial n times over has the percentiles of the trial. Rounding the rank down,
// p99 of 180 queries fell from 53.0 to 32.7 µs when the trial was there twice.
func TestMergePercentilesOfCopies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 20; n <= 10_000; n += 1 + n/25 {
		samples := make([]float64, n)
		for i := range samples {
			// Whole nanoseconds.
			samples[i] = float64(int64(30e3*math.Exp(random.NormFloat64()))) / 1e9
		}
		one := distribution(t, samples...)
		slices.Sort(samples)
		for _, copies := range []int{1, 2, 3, 7} {
			m := Merge(slices.Repeat([]result.Distribution{one}, copies))
			for _, p := range []struct {
				name       string
				whole, per int // the fraction whole/per
				got, trial *float64
			}{
				{"p50", 1, 2, m.P50, one.P50}, {"p95", 19, 20, m.P95, one.P95},
				{"p99", 99, 100, m.P99, one.P99}, {"p99.9", 999, 1000, m.P999, one.P999},
			} {
				if n < p.per/(p.per-p.whole) {
					continue // a single trial has too few samples
				}
				if p.got == nil || p.trial == nil || *p.got != *p.trial {
					t.Fatalf("%s of %d samples × %d: %v, of one trial %v", p.name, n, copies, p.got, p.trial)
				}
				want := samples[(n*p.whole+p.per-1)/p.per-1]
				if math.Abs(*p.got-want) > 1e-3*want { // three significant digits of the histogram
					t.Fatalf("%s of %d samples × %d: %v, want %v", p.name, n, copies, *p.got, want)
				}
			}
		}
	}
}
