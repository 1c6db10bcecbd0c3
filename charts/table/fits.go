package table

import (
	"io"
	"strconv"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Fit is a row of fits.csv: one figure that was worked out over many cells. Figures of a scaling
// fit begin with fit_, others with peak_, knee_, limit, use_, requirement_ or baseline_.
type Fit struct {
	RunID    Text `csv:"run_id"`
	Case     Text `csv:"case"`
	Workload Text `csv:"workload"`
	Queries  *int `csv:"queries"`
	Figure   Text `csv:"figure"`
	Value    Text `csv:"value"`
	Unit     Text `csv:"unit"`
}

// Fits writes fits.csv: the scaling fits and the figures of the verdict.
func Fits(w io.Writer, run *result.Run, v *verdict.Verdict) error {
	f := fits{run: Text(run.ID)}
	for i := range v.Sweeps {
		f.sweep(&v.Sweeps[i])
	}
	f.whole(v)
	return write(w, f.rows)
}

// fits collects the rows; run, caseName, workload and queries apply to the rows added next.
type fits struct {
	run, caseName, workload Text
	queries                 *int
	rows                    []Fit
}

// add writes a figure; nil and NaN are not known.
func (f *fits) add(figure string, value any, unit string) {
	switch v := value.(type) {
	case *float64:
		value = nil
		if known(v) != nil {
			value = *v
		}
	case float64:
		value = nil
		if known(&v) != nil {
			value = v
		}
	case int:
		value = strconv.Itoa(v)
	}
	f.rows = append(f.rows, Fit{f.run, f.caseName, f.workload, f.queries, Text(figure), Text(hwinfo.Text(value)), Text(unit)})
}

func (f *fits) sweep(s *verdict.Sweep) {
	f.caseName, f.workload, f.queries = Text(s.Case), Text(s.Workload), nil
	f.add("headline", string(s.Headline), "")
	f.point("peak", s.Peak, string(s.Headline))
	f.point("knee", s.Knee, string(s.Headline))
	f.queries = nil
	f.add("rising_at_most_threads", s.Rising, "")
	f.plateau(s)
	f.add("limit", s.Limit.Kind, "")
	f.add("limit_sentence", words.Limit(s), "")
	for _, u := range s.Limit.Uses {
		f.add("use_"+u.What, u.Share, "ratio")
	}
	for i := range s.Fits {
		f.fit(&s.Fits[i])
	}
}

func (f *fits) point(name string, p *verdict.Point, headline string) {
	if p == nil {
		return
	}
	f.queries = positive(p.Queries)
	f.add(name+"_threads", p.Threads, "threads")
	f.add(name+"_"+headline+"_per_second", p.Rate().Median, headline+" per second")
	f.add(name+"_half_width", p.Rate().HalfWidth(), "ratio")
	f.add(name+"_confirmed", p.Confirmed, "")
	f.add(name+"_latency_p50_seconds", p.Times().P50, "seconds")
	f.add(name+"_latency_p99_seconds", p.Times().P99, "seconds")
	f.add(name+"_runnable_per_cpu", p.RunnablePerCPU, "tasks")
}

// plateau adds the estimate that stands for all cells level with the best.
func (f *fits) plateau(s *verdict.Sweep) {
	if p := s.Plateau; p != nil {
		unit := string(s.Headline) + " per second"
		f.add("plateau_from_threads", p.From, "threads")
		f.add("plateau_to_threads", p.To, "threads")
		f.add("plateau_cells", len(p.Cells), "cells")
		f.add("plateau_"+string(s.Headline)+"_per_second", p.Rate, unit)
		f.add("plateau_low", p.Low, unit)
		f.add("plateau_high", p.High, unit)
	}
}

func (f *fits) fit(t *verdict.Fit) {
	f.queries = positive(t.Queries)
	f.add("fit_lambda", t.Lambda, "queries per second and thread")
	f.add("fit_sigma", t.Sigma, "")
	f.add("fit_kappa", t.Kappa, "")
	f.add("fit_r2", t.R2, "")
	f.add("fit_points", t.Points, "")
	f.add("fit_peak_threads", t.PeakThreads, "threads")
}

// whole adds what holds for the run.
func (f *fits) whole(v *verdict.Verdict) {
	f.caseName, f.workload, f.queries = "", "", nil
	if r := v.Requirement; r != nil {
		f.add("requirement", string(r.Outcome), "")
		for _, c := range r.Conditions {
			f.add("requirement_"+c.Metric, c.Figure, "")
		}
	}
	if c := v.Baseline; c != nil && c.Overall != nil {
		f.add("baseline_runs", c.Base.Runs, "runs")
		f.add("baseline_change", less(&c.Overall.Value), "ratio")
		f.add("baseline_change_low", less(c.Overall.Low), "ratio")
		f.add("baseline_change_high", less(c.Overall.High), "ratio")
		f.add("baseline_spread", c.Spread, "ratio")
		f.add("baseline_ranked", c.Ranked(), "")
		f.add("baseline_peak_change", less(&c.Peak.Ratio.Value), "ratio")
		f.add("baseline_peak_change_low", less(c.Peak.Ratio.Low), "ratio")
		f.add("baseline_peak_change_high", less(c.Peak.Ratio.High), "ratio")
	}
	if g := v.Gate; g != nil && g.Decision != "" {
		f.add("baseline_decision", string(g.Decision), "")
	}
}
