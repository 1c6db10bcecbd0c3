package words

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// The unit of the peak follows what the workload counts.
func TestPeak(t *testing.T) {
	for _, c := range []struct {
		name    string
		measure result.Measure
		want    string
	}{
		{"statements", result.Measure{Queries: 200, Transactions: 100},
			"Peak throughput: 200 queries/s at 10 threads × 10 queries, from a single trial."},
		{"BEGIN and COMMIT", result.Measure{Queries: 1600, Others: 200, Transactions: 100},
			"Peak throughput: 100 transactions/s (1,600 queries/s) at 10 threads × 10 queries, from a single trial."},
		{"a connect for each query", result.Measure{Queries: 500, Transactions: 500, Reconnects: 500},
			"Peak throughput: 500 connects/s at 10 threads × 10 queries, from a single trial."},
	} {
		x := trial(10, 10, 1, 0)
		c.measure.Elapsed = 1
		x.Measure = c.measure
		if got := say(archive(x)).Peak.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPeakConfirmed(t *testing.T) {
	confirm := func(repeat int, rate float64) result.Trial {
		c := trial(8, 10, repeat, rate)
		c.Confirm = true
		return c
	}
	trials := curve([]int{1, 2, 4, 8}, []float64{100, 200, 300, 310})
	a := say(archive(append(trials, confirm(4, 290), confirm(5, 295), confirm(6, 300))...))
	if want := "Peak throughput: 295 queries/s (± 4.2 %) at 8 threads × 10 queries, confirmed by 3 further trials."; a.Peak.Text() != want {
		t.Errorf("%q, want %q", a.Peak.Text(), want)
	}
	if want := "295 queries/s"; a.Subject != want || a.Peak.Strong != want {
		t.Errorf("subject %q, strong %q, want %q", a.Subject, a.Peak.Strong, want)
	}
	if want := "Knee: 4 threads; more add less than 5 %."; a.Knee.Text() != want {
		t.Errorf("%q, want %q", a.Knee.Text(), want)
	}
	trials = curve([]int{2, 4, 8, 16}, []float64{200, 303, 310, 302})
	a = say(archive(append(trials, confirm(4, 285), confirm(5, 285), confirm(6, 285))...))
	if want := " The sweep had measured 303 queries/s at 4 threads × 10 queries; that cell was not run again."; !strings.HasSuffix(a.Peak.Text(), want) {
		t.Errorf("%q, want %q", a.Peak.Text(), want)
	}
}

func TestKnee(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates []float64
		want  string
	}{
		{"in the middle", []float64{100, 200, 205}, "Knee: 2 threads; more add less than 5 %."},
		{"the first", []float64{100, 101, 102}, "Knee: 1 thread, the lowest thread count tested, already within 5.0 % of the peak."},
		{"rising", []float64{100, 200, 400}, "Knee: none found; throughput still increases at 4 threads, the highest thread count tested."},
		{"one point", []float64{100}, ""},
	} {
		a := say(archive(curve([]int{1, 2, 4}[:len(c.rates)], c.rates)...))
		if got := a.Knee.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A plateau has no best cell: its rate is estimated from all of its cells.
func TestPlateau(t *testing.T) {
	rates := []float64{30_000, 69_000, 72_000, 70_500}
	var trials []result.Trial
	for i, n := range []int{10, 20, 40, 80} {
		for repeat, factor := range []float64{0.97, 1, 1.03} {
			trials = append(trials, trial(n, 10, repeat+1, rates[i]*factor))
		}
	}
	for repeat := range 3 {
		c := trial(20, 10, 4+repeat, 68_900)
		c.Confirm = true
		trials = append(trials, c)
	}
	a := say(archive(trials...))
	want := "Peak throughput: about 70,500 queries/s (68,900 to 72,100) from 20 threads on: 3 cells that cannot be told apart; " +
		"3 further trials at 20 threads × 10 queries measured 68,900."
	if got := a.Peak.Text(); got != want || a.Subject != "about 70,500 queries/s" {
		t.Errorf("%q, subject %q; want %q", got, a.Subject, want)
	}
	if want := "Knee: 20 threads; more add less than 5 %."; !strings.HasPrefix(a.Knee.Text(), "Knee: 20 threads;") {
		t.Errorf("%q, want %q", a.Knee.Text(), want)
	}
}

// Noise is named where trials were repeated, although a single one confirmed the peak.
func TestKneeInNoise(t *testing.T) {
	var trials []result.Trial
	for _, n := range []int{1, 2, 4} {
		trials = append(trials, trial(n, 10, 1, 100), trial(n, 10, 2, 130))
	}
	confirm := trial(2, 10, 3, 120)
	confirm.Confirm = true
	if got, want := say(archive(append(trials, confirm)...)).Knee.Text(), "Knee: none; throughput at the thread counts tested differs by no more than noise."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := say(archive(trial(1, 10, 1, 100), trial(2, 10, 1, 200))).Knee.Text(); !strings.HasPrefix(got, "Knee: unknown; with single trials per cell") {
		t.Errorf("single trials: %q", got)
	}
}

func TestLatency(t *testing.T) {
	trials := curve([]int{1, 2, 4}, []float64{100, 200, 205})
	for i := range trials {
		p99 := []float64{1e-3, 4.218e-3, 20e-3}[i/3]
		trials[i].Measure.Latency = result.Distribution{Count: 200, P99: &p99}
	}
	for i := range trials { // cells of one trial keep its percentiles
		trials[i].Repeat = 1
	}
	got := say(archive(trials[0], trials[3], trials[4], trials[5], trials[6])).Latency.Text()
	if want := "p99: 20 ms at 4 threads (peak)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// One of two trials is ok: its cell does not rank, but something was measured.
func TestNothingRanked(t *testing.T) {
	bad := trial(1, 10, 2, 100)
	bad.Status, bad.Error = result.Invalid, "1 statement failed"
	a := say(archive(trial(1, 10, 1, 100), bad))
	if want := "No cell has more good trials than bad ones: 1 ok, 1 invalid"; !strings.HasPrefix(a.Peak.Text(), want) {
		t.Errorf("%q, want %q", a.Peak.Text(), want)
	}
	if want := "no cell can be ranked"; a.Subject != want {
		t.Errorf("subject %q, want %q", a.Subject, want)
	}
}

func TestNothingMeasured(t *testing.T) {
	failed := trial(1, 10, 1, 0)
	failed.Status, failed.Error, failed.Measure = result.Failed, "connect: refused", result.Measure{}
	for _, c := range []struct {
		name    string
		archive *result.Archive
		want    string
	}{
		{"no trial", archive(), "No result: no trial has ended."},
		{"empty archive", &result.Archive{}, "No result: no trial has ended."},
		{"all failed", archive(failed), "No result from 1 trial: 1 failed; first error: connect: refused."},
	} {
		a := say(c.archive)
		if a.Peak.Text() != c.want || !strings.HasPrefix(a.Subject, "nothing measured") {
			t.Errorf("%s: %q, %q; want %q", c.name, a.Peak.Text(), a.Subject, c.want)
		}
	}
}

func TestRequirement(t *testing.T) {
	var trials []result.Trial // 100 q/s in 1 ms, 200 in 4 ms, 300 in 20 ms
	for i, p99 := range []float64{0.001, 0.004, 0.020} {
		x := trial([]int{1, 2, 4}[i], 10, 1, float64(100*(i+1)))
		x.Measure.Latency = result.Distribution{Count: 100, P99: &p99}
		trials = append(trials, x)
	}
	for _, c := range []struct{ require, want string }{
		{"qps>=300", "Required: at least 300 queries/s. Measured at 4 threads × 10 queries: 300 queries/s."},
		{"qps>=150,p99<5ms", "Required: at least 150 queries/s and p99 under 5 ms. Measured at 2 threads × 10 queries: 200 queries/s and p99 4 ms."},
		{"qps>=250,p99<5ms", "Required: at least 250 queries/s and p99 under 5 ms. Measured at 2 threads × 10 queries: 200 queries/s (nearest: 300 queries/s at 4 threads × 10 queries)."},
		{"connects>10", "Required: more than 10 connects/s. Measured at 4 threads × 10 queries: no connect rate."},
		{"p99<1ms", "Required: p99 under 1 ms. Measured at 1 thread × 10 queries: p99 1 ms."},
	} {
		a := archive(trials...)
		a.Run.Plan.Require = plan.Texts{c.require}
		if got := say(a).Requirement.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.require, got, c.want)
		}
	}
}

// A case that did not run says why, in the words of its server.
func TestCaseThatDidNotRun(t *testing.T) {
	a := archive(curve([]int{1, 2}, []float64{100, 200})...)
	skipped := trial(1, 10, 1, 0)
	skipped.Case, skipped.Status, skipped.Measure = "broken", result.Skipped, result.Measure{}
	a.Trials = append(a.Trials, skipped)
	a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: "broken"})
	a.Run.Cases = append(a.Run.Cases, result.Case{Name: "broken", Status: result.Failed,
		Error: "case broken: private server /usr/sbin/mariadbd: exit status 7; its error log says:\n1 [ERROR] mariadbd: unknown variable 'nonsense=1'\n2 [ERROR] Aborting"})
	said := say(a)
	if want := "broken did not run: mariadbd: unknown variable 'nonsense=1'."; len(said.Cases) != 1 || said.Cases[0].Text() != want {
		t.Errorf("%+v, want %q", said.Cases, want)
	}
}

// Of many cases those that differ have a sentence each, the fastest first; the others are counted.
func TestManyCasesInFewSentences(t *testing.T) {
	var trials []result.Trial
	rates := []float64{1000, 1001, 700, 999, 3100, 1002, 998}
	a := archive()
	a.Run.Plan.Cases = nil
	for i, rate := range rates {
		name := string(rune('a' + i))
		a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: name})
		for repeat := range 3 {
			x := trial(1, 10, repeat+1, rate*(1+0.004*float64(repeat)))
			x.Case = name
			trials = append(trials, x)
		}
	}
	a.Trials = trials
	said := say(a).Cases
	if len(said) != 3 || said[0].Topic != "e compared with a" || said[0].Strong != "3.1×" || said[1].Topic != "c compared with a" || said[1].Strong != "−30 %" {
		t.Fatalf("%+v", said)
	}
	if got := said[2].Text(); !strings.HasPrefix(got, "4 other cases cannot be distinguished from a: −") {
		t.Errorf("%q", got)
	}
}

// A knee that nobody knows is not blamed on single trials where cells have
// several, even if the peak was confirmed by one trial.
func TestKneeUnknown(t *testing.T) {
	noisy := []result.Trial{trial(1, 10, 1, 150), trial(1, 10, 2, 210), trial(2, 10, 1, 140), trial(2, 10, 2, 215)}
	confirming := trial(2, 10, 3, 180)
	confirming.Confirm = true
	if got := say(archive(append(noisy, confirming)...)).Knee.Text(); strings.Contains(got, "single trials") || got == "" {
		t.Errorf("%q, though each cell has two trials", got)
	}
	single := []result.Trial{trial(1, 10, 1, 180), trial(2, 10, 1, 181)}
	if got := say(archive(single...)).Knee.Text(); !strings.Contains(got, "single trials") {
		t.Errorf("%q, though each cell has one trial", got)
	}
}
