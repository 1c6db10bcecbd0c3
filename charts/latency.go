package charts

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/verdict"
)

// latencyCharts draw the latency of statements over threads at each workload's best query count:
// percentiles of one case, or p99 of each where there are several.
func latencyCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for i, group := range d.byWorkload() {
		if group = curved(group); len(group) == 0 || len(group) > mostOverlaid {
			continue
		}
		chart, err := d.latencyChart("latency"+suffix(i), group)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

func (d *Data) latencyChart(id string, group []*verdict.Sweep) (Chart, error) {
	return timeChart(Chart{ID: id, Title: latencyTitle(group), Aid: latencyAid(group)}, group[0], d.latencyLines(group), "log")
}

func (d *Data) latencyLines(group []*verdict.Sweep) []timeLine {
	var lines []timeLine
	if len(group) > 1 {
		for _, s := range group {
			lines = append(lines, newTimeLine(d.shortName(s.Case), over(s, bestQueries(s)), func(c *verdict.Cell) *float64 { return c.Times().P99 }))
		}
		return lines
	}
	s := group[0]
	cells := over(s, bestQueries(s))
	for _, p := range percentiles() {
		lines = append(lines, newTimeLine(p.name, cells, func(c *verdict.Cell) *float64 {
			times := c.Times()
			return p.of(&times)
		}))
	}
	return lines
}

func latencyTitle(group []*verdict.Sweep) string {
	s := group[0]
	cells := over(s, bestQueries(s))
	what := timed(s.Headline)
	if len(group) > 1 {
		return fmt.Sprintf("p99 latency of a %s by thread count", what)
	}
	if len(cells) == 0 {
		return "No cell has a usable result"
	}
	first, last := cells[0], cells[len(cells)-1]
	alone, crowded := first.Times().P50, last.Times().P99
	if alone == nil || crowded == nil {
		return "Latency of a " + what
	}
	return fmt.Sprintf("Latency of a %s: median %s at %s, p99 %s at %s",
		what, Span(alone), countThreads(first.Threads), Span(crowded), countThreads(last.Threads))
}

// timed is what the latency of a headline is the latency of.
func timed(h verdict.Headline) string {
	if h == verdict.Transactions {
		return "transaction"
	}
	return "statement"
}

func latencyAid(group []*verdict.Sweep) string {
	s := group[0]
	text := "Per " + timed(s.Headline)
	if q := bestQueries(s); q > 0 && len(s.QueryCounts()) > 1 {
		text += fmt.Sprintf(", at %d queries per thread", q)
	}
	return text + ", logarithmic scale. Percentiles come from the merged histograms of all repeats and stop where there are too few samples."
}
