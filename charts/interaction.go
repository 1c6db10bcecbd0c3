package charts

import (
	"cmp"
	"fmt"
	"slices"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// interaction is one type of round at the peak of a workload, its trials merged.
type interaction struct {
	name   string
	share  float64 // of all rounds
	errors int64
	times  result.Distribution
}

// interactionCharts draw the response times of the types of rounds, where a workload tells them
// apart.
func interactionCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, group := range d.byWorkload() {
		for _, s := range group {
			types := interactionsOf(d, s)
			if len(types) == 0 {
				continue
			}
			chart, err := interactionChart("interactions"+suffix(len(list)), s, types)
			if err != nil {
				return nil, err
			}
			list = append(list, chart.of(s, group))
		}
	}
	return list, nil
}

// interactionsOf are the types of rounds of the trials at the peak, the slowest first.
func interactionsOf(d *Data, s *verdict.Sweep) []interaction {
	if s.Peak == nil {
		return nil
	}
	times := map[string][]result.Distribution{}
	counts, errors, all := map[string]int64{}, map[string]int64{}, int64(0)
	for _, q := range d.observed().interactions[s.Peak.Cell.Cell] {
		times[q.Type] = append(times[q.Type], q.Latency)
		counts[q.Type] += q.Queries
		errors[q.Type] += q.Errors
		all += q.Queries
	}
	var types []interaction
	for name, list := range times {
		if counts[name] > 0 {
			types = append(types, interaction{name, float64(counts[name]) / float64(all), errors[name], verdict.Merge(list)})
		}
	}
	slices.SortFunc(types, func(x, y interaction) int {
		return cmp.Or(cmp.Compare(orZero(y.times.Mean), orZero(x.times.Mean)), cmp.Compare(x.name, y.name))
	})
	return types
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

func interactionChart(id string, s *verdict.Sweep, types []interaction) (Chart, error) {
	names := make([]string, len(types))
	mean, tail := make([]opts.BarData, len(types)), make([]opts.BarData, len(types))
	numbers := Numbers{Columns: []string{"interaction", "share", "mean ms"}}
	for _, p := range percentiles() {
		numbers.Columns = append(numbers.Columns, p.name+" ms")
	}
	numbers.Columns = append(numbers.Columns, "errors")
	for i, t := range types {
		names[i] = t.name
		mean[i], tail[i] = bar(t.times.Mean), bar(t.times.P95)
		row := []string{t.name, Percent(&t.share), Milliseconds(t.times.Mean)}
		for _, p := range percentiles() {
			row = append(row, Milliseconds(p.of(&t.times)))
		}
		numbers.Rows = append(numbers.Rows, append(row, grouped(float64(t.errors))))
	}
	chart := ec.NewBar()
	chart.SetGlobalOptions(
		tip("axis", "spanTip"), legend([]string{"mean", "p95"}),
		axis{name: "milliseconds", kind: "value", format: "plain"}.x(),
		axis{kind: "category", labels: names}.y(),
	)
	chart.AddSeries("mean", mean)
	chart.AddSeries("p95", tail)
	base, small := interactionFrame()
	option, err := marshal(chart, base, small)
	if err != nil {
		return Chart{}, err
	}
	height := max(200, 90+30*len(names))
	return Chart{
		ID: id, Title: fmt.Sprintf("Slowest is %s: %s on average", types[0].name, Span(types[0].times.Mean)),
		Aid: fmt.Sprintf("Response times of the interactions at the peak, with %s; think time is not in them. A bar is missing where there were too few.",
			countThreads(s.Peak.Threads)),
		Option: option, Wide: Size{wide.Width, height}, Narrow: Size{narrow.Width, height}, Numbers: numbers,
	}, nil
}

// bar is a bar of so many seconds, in milliseconds.
func bar(seconds *float64) opts.BarData {
	if seconds == nil {
		return opts.BarData{Value: "-"}
	}
	return opts.BarData{Value: digits(1000**seconds, 4)}
}

func interactionFrame() (base, small patch) {
	frame := patch{
		"grid":   patch{"left": 18, "right": 24, "top": 2 + legendHeight(1), "bottom": 24, "outerBoundsMode": "same", "outerBoundsContain": "all"},
		"xAxis":  patch{"min": 0},
		"yAxis":  patch{"inverse": true, "axisLabel": patch{"width": 170, "overflow": "truncate"}},
		"series": patch{"barMaxWidth": 12},
	}
	return frame, frame
}
