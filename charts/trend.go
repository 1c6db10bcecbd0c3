package charts

import (
	"fmt"
	"math"
	"time"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/runner/verdict"
)

// mostRuns is how many runs of a trend are drawn, the latest; tables have all.
const mostRuns = 120

// day is a time on the axis, in days since 1970: its ticks are then whole days in UTC, and what is
// drawn does not depend on the time zone.
func day(t time.Time) float64 { return digits(float64(t.Unix())/(24*60*60), 10) }

// Trend draws the peak of run after run, with what was to be expected as a band and what lay
// outside of it marked. The chart says nothing with fewer than two runs, and is nil then.
func Trend(id string, t *verdict.Trend) (*Chart, error) {
	points := t.Points[max(0, len(t.Points)-mostRuns):]
	if len(points) < 2 {
		return nil, nil
	}
	line := make([]opts.LineData, len(points))
	var expected []opts.CustomData
	marked := map[verdict.Mark][]opts.ScatterData{}
	unit := string(t.Headline) + "/s"
	numbers := Numbers{Columns: []string{"run", unit, "expected", "p99 ms", "remark"}}
	for i := range points {
		p := &points[i]
		at := day(p.StartedAt)
		line[i] = point(at, &p.Rate)
		row := []string{p.StartedAt.UTC().Format("2006-01-02 15:04"), grouped(p.Rate), unknown, Milliseconds(p.P99), remark(p)}
		if p.Expected != nil && p.Tolerance != nil {
			low, high := *p.Expected-*p.Tolerance, *p.Expected+*p.Tolerance
			expected = append(expected, opts.CustomData{Value: []any{at, value(&low), value(&high)}})
			row[2] = grouped(low) + " … " + grouped(high)
		}
		if p.Mark != "" {
			marked[p.Mark] = append(marked[p.Mark], opts.ScatterData{Value: []any{at, value(&p.Rate)}, SymbolSize: 13})
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	option, err := trendOption(unit, day(points[0].StartedAt), day(points[len(points)-1].StartedAt), line, expected, marked)
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: trendTitle(t), Aid: "The peak of each run. The band is the level, mean ± two standard deviations; marked are runs that begin a new level, and outliers.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

func trendOption(unit string, first, last float64, line []opts.LineData, expected []opts.CustomData, marked map[verdict.Mark][]opts.ScatterData) ([]byte, error) {
	names := []string{"peak", "slower", "faster"}
	chart := ec.NewLine()
	chart.SetGlobalOptions(
		tip("axis", "runTip"), legend(names),
		axis{kind: "value", format: "day", min: math.Floor(first), max: math.Floor(last) + 1}.x(), axis{name: unit, kind: "value", format: "compact"}.y(),
	)
	chart.AddSeries(names[0], line)
	marks := ec.NewScatter()
	marks.AddSeries(names[1], marked[verdict.Slower], ec.WithItemStyleOpts(opts.ItemStyle{Color: "#d55e00"}))
	marks.AddSeries(names[2], marked[verdict.Faster], ec.WithItemStyleOpts(opts.ItemStyle{Color: "#009e73"}))
	band := ec.NewCustom()
	band.AddSeries(names[0], expected, ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:band")}), ec.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}))
	chart.Overlap(marks, band)
	base, small := lineFrame(names)
	for _, frame := range []patch{base, small} { // room for half of the last day
		frame["grid"].(patch)["right"] = 40
		frame["xAxis"] = patch{"splitNumber": 3}
	}
	return marshal(chart, base, small)
}

func remark(p *verdict.TrendPoint) string {
	switch {
	case p.Status == "":
		return "has no end"
	case p.Status != "ok":
		return string(p.Status)
	}
	return Remark(p)
}

// Remark says what is remarkable of a run: that it begins a new level, or is an outlier.
func Remark(p *verdict.TrendPoint) string {
	switch {
	case p.Shift:
		return "new level, " + Signed(*p.Change-1)
	case p.Outlier:
		return string(p.Mark) + ", outlier"
	}
	return ""
}

func trendTitle(t *verdict.Trend) string {
	var change *verdict.TrendPoint
	outliers := 0
	for i := range t.Points {
		p := &t.Points[i]
		if p.Shift {
			change = p
		}
		if p.Outlier {
			outliers++
		}
	}
	last := &t.Points[len(t.Points)-1]
	switch {
	case last.Outlier:
		return fmt.Sprintf("The last run is %s than its level: %s %s/s, an outlier unless it stays", last.Mark, grouped(last.Rate), t.Headline)
	case change != nil:
		return fmt.Sprintf("%s since %s", Signed(*change.Change-1), change.StartedAt.UTC().Format("2006-01-02"))
	case outliers > 0:
		return fmt.Sprintf("%d runs of one level; outliers: %d", len(t.Points), outliers)
	}
	return fmt.Sprintf("%d runs of one level", len(t.Points))
}
