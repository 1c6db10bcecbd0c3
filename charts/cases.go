package charts

import (
	"fmt"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/runner/verdict"
)

// mostCases is how many cases a chart compares; the table of cells has all.
const mostCases = 24

// caseCharts set the cases of each workload side by side: the peak of each as a bar, its interval
// as a whisker.
func caseCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, group := range d.byWorkload() {
		if len(group) < 2 {
			continue
		}
		chart, err := caseChart("cases"+suffix(len(list)), group, d.Verdict)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

func caseChart(id string, group []*verdict.Sweep, v *verdict.Verdict) (Chart, error) {
	names := make([]string, 0, len(group))
	var bars []opts.BarData
	var whiskers []opts.CustomData
	numbers := Numbers{Columns: []string{"case", unit(group[0].Headline), "95 % interval", "at threads", "p99 ms", "server CPU busy"}}
	for i, s := range group[:min(len(group), mostCases)] {
		names = append(names, s.Case)
		row := []string{s.Case, unknown, unknown, unknown, unknown, unknown}
		bar := opts.BarData{Value: "-"}
		if s.Peak != nil {
			f := s.Peak.Rate()
			bar.Value = value(f.Median)
			if f.Low != nil && f.High != nil {
				low := max(*f.Low, 0) // few noisy trials have an interval below what a rate can be
				whiskers = append(whiskers, opts.CustomData{Value: []any{value(&low), i, value(f.High)}})
			}
			row = []string{s.Case, Grouped(f.Median), span(f.Low, f.High, grouped), fmt.Sprint(s.Peak.Threads), Milliseconds(s.Peak.Times().P99), Percent(s.Peak.ServerCPU)}
		}
		bars = append(bars, bar)
		numbers.Rows = append(numbers.Rows, row)
	}
	chart := ec.NewBar()
	chart.SetGlobalOptions(
		tip("axis", "caseTip"), legend(nil),
		axis{name: unit(group[0].Headline), kind: "value", format: "compact"}.x(),
		axis{kind: "category", labels: names}.y(),
	)
	chart.AddSeries("peak", bars, ec.WithLabelOpts(opts.Label{Show: opts.Bool(true), Position: "insideLeft", Formatter: "fn:barLabel", Color: "#ffffff", FontSize: 13}))
	errors := ec.NewCustom()
	errors.AddSeries("interval", whiskers, ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:whisker")}),
		ec.WithEncodeOpts(opts.Encode{X: []int{0, 2}, Y: 1}), ec.WithItemStyleOpts(opts.ItemStyle{Color: grey}))
	chart.Overlap(errors)
	base, small := caseFrame()
	option, err := marshal(chart, base, small)
	if err != nil {
		return Chart{}, err
	}
	height := 90 + 42*len(names)
	return Chart{
		ID: id, Title: casesTitle(group), Aid: caseAid(group, v), Option: option,
		Wide: Size{wide.Width, max(height, 200)}, Narrow: Size{narrow.Width, max(height, 200)}, Numbers: numbers,
	}, nil
}

func caseFrame() (base, small patch) {
	frame := patch{
		"grid":  patch{"left": 18, "right": 24, "top": 8, "bottom": 4, "outerBoundsMode": "same", "outerBoundsContain": "all"},
		"xAxis": patch{"min": 0},
		// Case names may differ in their last letter alone, so they are not cut.
		"yAxis":  patch{"inverse": true, "axisLabel": patch{"width": 190, "overflow": "break"}},
		"series": patch{"barMaxWidth": 26},
	}
	return frame, patch{"yAxis": patch{"axisLabel": patch{"width": 96, "overflow": "break", "fontSize": 10}}}
}

func caseAid(group []*verdict.Sweep, v *verdict.Verdict) string {
	text := "The peak of each case, with its 95 % interval where there are repeats."
	for i := range v.Cases {
		if c := &v.Cases[i]; c.Workload == group[0].Workload && !c.Ranked() {
			return text + " Not all may be ranked: some differ in what the plan does not vary, see below."
		}
	}
	return text
}
