package charts

import (
	"fmt"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/runner/verdict"
)

// mostRuns is how many runs of a trend are drawn, the latest; tables have all.
const mostRuns = 120

// Trend draws the peak of run after run, with what was to be expected as a band and what lay outside of it marked. The
// chart says nothing with fewer than two runs, and is nil then.
func Trend(id string, t *verdict.Trend) (*Chart, error) {
	points := t.Points[max(0, len(t.Points)-mostRuns):]
	if len(points) < 2 {
		return nil, nil
	}
	dates := make([]string, len(points))
	line := make([]opts.LineData, len(points))
	var expected []opts.CustomData
	marked := map[verdict.Mark][]opts.ScatterData{}
	numbers := Numbers{Columns: []string{"run", "queries/s", "expected", "p99 ms", "remark"}}
	for i := range points {
		p := &points[i]
		dates[i] = p.StartedAt.UTC().Format("2006-01-02")
		line[i] = point(i, p.Peak.QueriesPerSecond)
		row := []string{p.StartedAt.UTC().Format("2006-01-02 15:04"), Grouped(p.Peak.QueriesPerSecond), unknown, Milliseconds(p.Peak.P99), remark(p)}
		if p.Expected != nil && p.Tolerance != nil {
			low, high := *p.Expected-*p.Tolerance, *p.Expected+*p.Tolerance
			expected = append(expected, opts.CustomData{Value: []any{i, value(&low), value(&high)}})
			row[2] = grouped(low) + " … " + grouped(high)
		}
		if p.Mark != "" {
			marked[p.Mark] = append(marked[p.Mark], opts.ScatterData{Value: []any{i, value(p.Peak.QueriesPerSecond)}, SymbolSize: 13})
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	option, err := trendOption(dates, line, expected, marked)
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: trendTitle(t), Aid: "The peak of each run. The band is what the earlier runs let one expect; what lies outside is marked.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

func trendOption(dates []string, line []opts.LineData, expected []opts.CustomData, marked map[verdict.Mark][]opts.ScatterData) ([]byte, error) {
	names := []string{"peak", "slower", "faster"}
	chart := ec.NewLine()
	chart.SetGlobalOptions(
		tip("axis", "runTip"), legend(names),
		axis{kind: "category"}.x(), axis{name: "queries/s", kind: "value", format: "compact"}.y(),
	)
	chart.SetXAxis(dates)
	chart.AddSeries(names[0], line)
	marks := ec.NewScatter()
	marks.AddSeries(names[1], marked[verdict.Slower], ec.WithItemStyleOpts(opts.ItemStyle{Color: "#d55e00"}))
	marks.AddSeries(names[2], marked[verdict.Faster], ec.WithItemStyleOpts(opts.ItemStyle{Color: "#009e73"}))
	band := ec.NewCustom()
	band.AddSeries(names[0], expected, ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:band")}), ec.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}))
	chart.Overlap(marks, band)
	base, small := lineFrame(names)
	return marshal(chart, base, small)
}

func remark(p *verdict.TrendPoint) string {
	text := string(p.Mark)
	if p.Shift {
		text += ", a new level begins"
	}
	if p.Status != "ok" {
		text = string(p.Status)
		if text == "" {
			text = "has no end"
		}
	}
	return text
}

func trendTitle(t *verdict.Trend) string {
	slower, faster := 0, 0
	for i := range t.Points {
		switch t.Points[i].Mark {
		case verdict.Slower:
			slower++
		case verdict.Faster:
			faster++
		}
	}
	last := t.Points[len(t.Points)-1]
	if last.Mark == verdict.Slower {
		return fmt.Sprintf("The last run is slower than expected: %s queries/s", Grouped(last.Peak.QueriesPerSecond))
	}
	if slower+faster == 0 {
		return fmt.Sprintf("%d runs, none outside of what was to be expected", len(t.Points))
	}
	return fmt.Sprintf("Of %d runs, slower than expected: %d, faster: %d", len(t.Points), slower, faster)
}
