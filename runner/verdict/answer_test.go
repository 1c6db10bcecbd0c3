package verdict

import (
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(24310.4), "24,310"},
		{count(1234567), "1,234,567"},
		{count(999.6), "1,000"},
		{count(99.96), "100"},
		{count(12.345), "12.3"},
		{count(0), "0"},
		{count(-1500), "−1,500"},
		{short(0.00012345), "0.000123"},
		{short(4.10), "4.1"},
		{short(100), "100"},
		{span(0.0083), "8.3 ms"},
		{span(0.0000000005), "0.5 ns"},
		{span(0.000482), "482 µs"},
		{span(12.4), "12 s"},
		{span(0), "0 s"},
		{percent(0.018), "1.8 %"},
		{percent(0.97), "97 %"},
		{percent(0), "0 %"},
		{percent(-0.006), "−0.6 %"},
		{change(0.994), "−0.6 %"},
		{change(1.12), "+12 %"},
		{change(1.0001), "±0 %"},
		{change(1), "±0 %"},
		{bytes(134217728), "128 MiB"},
		{bytes(31.4e6), "29.9 MiB"},
		{bytes(500), "500 B"},
		{plural(1, "trial"), "1 trial"},
		{plural(1200, "trial"), "1,200 trials"},
		{and(nil), ""},
		{and([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// The unit of the answer follows what the workload counts.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		name    string
		measure result.Measure
		want    Headline
		text    string
	}{
		{"statements", result.Measure{Queries: 200, Transactions: 100}, Queries,
			"It answers 200 queries/s at 10 threads × 10 queries, in a single trial."},
		{"BEGIN and COMMIT", result.Measure{Queries: 1600, Others: 200, Transactions: 100}, Transactions,
			"It answers 100 transactions/s, which are 1,600 queries/s, at 10 threads × 10 queries, in a single trial."},
		{"a connect for each query", result.Measure{Queries: 500, Transactions: 500, Reconnects: 500}, Connects,
			"It takes 500 connects/s at 10 threads × 10 queries, in a single trial."},
	} {
		x := trial(10, 10, 1, 0)
		c.measure.Elapsed = 1
		x.Measure = c.measure
		v := Of(archive(x))
		if got := v.Main().Headline; got != c.want || v.Answer.Rate.Text != c.text {
			t.Errorf("%s: %s, %q; want %q", c.name, got, v.Answer.Rate.Text, c.text)
		}
	}
}

func TestKneeSentence(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates []float64
		want  string
	}{
		{"in the middle", []float64{100, 200, 205}, "More than 2 threads bring less than 5 % more."},
		{"the first", []float64{100, 101, 102}, "Already with 1 thread, the fewest that were tried, it comes within 5.0 % of the highest rate."},
		{"rising", []float64{100, 200, 400}, "It still rises at 4 threads, the most that were tried: where more threads stop helping is not known."},
		{"one point", []float64{100}, ""},
	} {
		v := Of(archive(curve(10, []int{1, 2, 4}[:len(c.rates)], c.rates)...))
		if got := v.Answer.Knee.Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
