package charts

import (
	"strconv"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// percentile is one percentile, or the maximum, of a distribution in seconds.
type percentile struct {
	name string
	of   func(*result.Distribution) *float64
}

// percentiles are the lines of a latency chart.
func percentiles() []percentile {
	return []percentile{
		{"p50", func(d *result.Distribution) *float64 { return d.P50 }},
		{"p95", func(d *result.Distribution) *float64 { return d.P95 }},
		{"p99", func(d *result.Distribution) *float64 { return d.P99 }},
		{"max", func(d *result.Distribution) *float64 { return d.Max }},
	}
}

// timeLine is a line of times in milliseconds over threads.
type timeLine struct {
	name   string
	points []opts.LineData
	at     map[int]*float64 // seconds by threads
}

func newTimeLine(name string, cells []*verdict.Cell, of func(*verdict.Cell) *float64) timeLine {
	l := timeLine{name: name, at: map[int]*float64{}}
	for _, c := range cells {
		l.at[c.Threads] = of(c)
		l.points = append(l.points, point(c.Threads, scaled(of(c), 1000)))
	}
	return l
}

// timeChart completes a chart by lines of times over the threads of a sweep. scale is the
// kind of the vertical axis, value or log.
func timeChart(c Chart, s *verdict.Sweep, lines []timeLine, scale string) (Chart, error) {
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
		axis{name: "milliseconds", kind: scale, format: "plain"}.y(),
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
	c.Option, c.Wide, c.Narrow, c.Numbers = option, below(wide, names), below(narrow, names), numbers
	return c, nil
}
