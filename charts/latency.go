package charts

import (
	"fmt"
	"strconv"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"mysweep/runner/result"
	"mysweep/runner/verdict"
)

// percentiles are the lines of a latency chart.
func percentiles() []struct {
	name string
	of   func(*result.Distribution) *float64
} {
	return []struct {
		name string
		of   func(*result.Distribution) *float64
	}{
		{"p50", func(d *result.Distribution) *float64 { return d.P50 }},
		{"p95", func(d *result.Distribution) *float64 { return d.P95 }},
		{"p99", func(d *result.Distribution) *float64 { return d.P99 }},
		{"max", func(d *result.Distribution) *float64 { return d.Max }},
	}
}

// latencyCharts draw the latency of statements over threads at each workload's best query count: percentiles of one
// case, or p99 of each where there are several.
func latencyCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for i, group := range d.byWorkload() {
		if len(group[0].ThreadCounts()) < 2 {
			continue
		}
		chart, err := latencyChart("latency"+suffix(i), group)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

func latencyChart(id string, group []*verdict.Sweep) (Chart, error) {
	s := group[0]
	lines := latencyLines(group)
	chart := ec.NewLine()
	names, numbers := []string{}, Numbers{Columns: []string{"threads"}}
	for _, l := range lines {
		chart.AddSeries(l.name, l.points)
		names = append(names, l.name)
		numbers.Columns = append(numbers.Columns, l.name+" ms")
	}
	chart.SetGlobalOptions(
		tip("axis", "msTip"), legend(names),
		axis{name: "threads", kind: "value", max: "dataMax"}.x(),
		axis{name: "milliseconds", kind: "log", format: "plain"}.y(),
	)
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	if err != nil {
		return Chart{}, err
	}
	for _, n := range s.ThreadCounts() {
		row := []string{strconv.Itoa(n)}
		for _, l := range lines {
			row = append(row, Milliseconds(l.at[n]))
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	return Chart{
		ID: id, Title: latencyTitle(group), Aid: latencyAid(group),
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

// timeLine is a line of times in milliseconds over threads.
type timeLine struct {
	name   string
	points []opts.LineData
	at     map[int]*float64 // seconds by threads
}

func latencyLines(group []*verdict.Sweep) []timeLine {
	var lines []timeLine
	if len(group) > 1 {
		for _, s := range group[:min(len(group), 7)] {
			lines = append(lines, newTimeLine(s.Case, over(s, bestQueries(s)), func(c *verdict.Cell) *float64 { return c.Times().P99 }))
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

func newTimeLine(name string, cells []*verdict.Cell, of func(*verdict.Cell) *float64) timeLine {
	l := timeLine{name: name, at: map[int]*float64{}}
	for _, c := range cells {
		l.at[c.Threads] = of(c)
		l.points = append(l.points, point(c.Threads, scaled(of(c), 1000)))
	}
	return l
}

func latencyTitle(group []*verdict.Sweep) string {
	s := group[0]
	cells := over(s, bestQueries(s))
	what := timed(s.Headline)
	if len(group) > 1 {
		return fmt.Sprintf("99 of 100 %ss are faster than this", what)
	}
	first, last := cells[0], cells[len(cells)-1]
	alone, crowded := first.Times().P50, last.Times().P99
	if alone == nil || crowded == nil {
		return "Latency of a " + what
	}
	return fmt.Sprintf("A %s takes %s with %s; with %s, 99 %% are under %s",
		what, Span(alone), countThreads(first.Threads), countThreads(last.Threads), Span(crowded))
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
