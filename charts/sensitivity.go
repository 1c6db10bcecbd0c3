package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

// sensitivityCharts draw a tornado chart for plans that vary one setting at a time: the ratio of
// each variant to what it varies, the largest effect first.
func sensitivityCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, group := range d.byWorkload() {
		rows := d.variants(group)
		if len(rows) < 2 {
			continue
		}
		chart, err := sensitivityChart("sensitivity"+suffix(len(list)), rows)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

// variants are the cases of a workload that vary another, the largest effect first.
func (d *Data) variants(group []*verdict.Sweep) []caseRow {
	var rows []caseRow
	for _, r := range d.caseRows(group) {
		c := d.planned(r.name)
		if c == nil || c.Of == "" || r.against == nil || r.against.Base.Name != c.Of || r.ratio() == nil {
			continue
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b caseRow) int { return cmp.Compare(effect(&b), effect(&a)) })
	return rows
}

// effect is the distance from no change, the same for twice and half the rate.
func effect(r *caseRow) float64 { return math.Abs(math.Log(r.ratio().Value)) }

// planned is a case as the plan has it, nil when it has none of the name.
func (d *Data) planned(name string) *plan.Case {
	cases := d.Archive.Run.Plan.Cases
	at := slices.IndexFunc(cases, func(c plan.Case) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &cases[at]
}

// variation names what a case sets, with the base's value where the plan has one.
func variation(base, c *plan.Case) string {
	parts := make([]string, len(c.Varied))
	for i, s := range c.Varied {
		parts[i] = s.Name + " = " + s.Value
		if base != nil && base.Options[s.Name] != "" {
			parts[i] = fmt.Sprintf("%s %s → %s", s.Name, base.Options[s.Name], s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

func sensitivityChart(id string, rows []caseRow) (Chart, error) {
	shown := rows[:min(len(rows), mostCases)]
	var names, labels []string
	var bars []opts.BarData
	var whiskers []opts.CustomData
	most := math.Log(1.05)
	for _, r := range shown {
		most = max(most, 1.25*effect(&r))
	}
	for i := range shown {
		r := &shown[i]
		q := r.ratio()
		names = append(names, r.short)
		labels = append(labels, words.Factor(q.Value)+" · "+r.outcome())
		bars = append(bars, opts.BarData{Value: digits(math.Log(q.Value), 5), ItemStyle: &opts.ItemStyle{Color: r.colour()}})
		if q.Low != nil && q.High != nil {
			low, high := max(-most, math.Log(*q.Low)), min(most, math.Log(*q.High))
			whiskers = append(whiskers, opts.CustomData{Value: []any{value(&low), i, value(&high)}})
		}
	}
	chart := ec.NewBar()
	chart.SetGlobalOptions(
		tip("axis", "ratioTip"), legend(nil),
		axis{name: "ratio to the base, logarithmic", kind: "value", format: "ratio", min: digits(-most, 3), max: digits(most, 3)}.x(),
		axis{kind: "category", labels: names}.y(),
	)
	chart.ExtendYAxis(opts.YAxis{Type: "category", Data: labels, Position: "right"})
	chart.AddSeries("ratio", bars, detectable(rows)...)
	errors := ec.NewCustom()
	errors.AddSeries("interval", whiskers, ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:whisker")}),
		ec.WithEncodeOpts(opts.Encode{X: []int{0, 2}, Y: 1}), ec.WithItemStyleOpts(opts.ItemStyle{Color: grey}))
	chart.Overlap(errors)
	frame, small := rowFrame()
	frame["xAxis"] = patch{"splitNumber": 4}
	option, err := marshal(chart, frame, small)
	if err != nil {
		return Chart{}, err
	}
	return Chart{
		ID: id, Title: sensitivityTitle(rows), Aid: sensitivityAid(rows), Option: option, Class: Full,
		Wide: Size{full, 60 + 34*len(names)}, Narrow: Size{narrow.Width, 60 + 58*len(names)}, Numbers: sensitivityNumbers(rows),
	}, nil
}

// smallest is the smallest effect that most variants could have shown, as a logarithm: the median
// of half their intervals; nil where they have none.
func smallest(rows []caseRow) *float64 {
	var halves []float64
	for i := range rows {
		if q := rows[i].ratio(); q.Low != nil && q.High != nil {
			halves = append(halves, math.Log(*q.High / *q.Low)/2)
		}
	}
	if len(halves) == 0 {
		return nil
	}
	slices.Sort(halves)
	return &halves[len(halves)/2]
}

// detectable shades the effects that are too small to be shown by this run.
func detectable(rows []caseRow) []ec.SeriesOpts {
	half := smallest(rows)
	if half == nil {
		return nil
	}
	return []ec.SeriesOpts{ec.WithMarkAreaData([]opts.MarkAreaData{
		{XAxis: digits(-*half, 4), MarkAreaStyle: opts.MarkAreaStyle{ItemStyle: &opts.ItemStyle{Color: "#8a94a6", Opacity: opts.Float(0.14)}}},
		{XAxis: digits(*half, 4)},
	})}
}

func sensitivityTitle(rows []caseRow) string {
	var shown []*caseRow
	for i := range rows {
		if q := rows[i].ratio(); rows[i].against.Ranked() && (q.Above() || q.Below()) {
			shown = append(shown, &rows[i])
		}
	}
	switch len(shown) {
	case 0:
		return fmt.Sprintf("None of %d variants differs from the base by more than this run can show", len(rows))
	case len(rows):
		return fmt.Sprintf("%s has the largest effect: %s", shown[0].short, words.Factor(shown[0].ratio().Value))
	case 1:
		return fmt.Sprintf("%s: %s; the effect of the other %d is too small to be seen", shown[0].short, words.Factor(shown[0].ratio().Value), len(rows)-1)
	}
	return fmt.Sprintf("%s has the largest effect: %s; %d of %d variants differ from the base", shown[0].short, words.Factor(shown[0].ratio().Value), len(shown), len(rows))
}

func sensitivityAid(rows []caseRow) string {
	text := "Rate of each variant over the base's, the largest effect first, with the 95 % interval. An interval that crosses the middle decides nothing."
	if half := smallest(rows); half != nil {
		text += fmt.Sprintf(" Shaded: changes below %s, too small for this run.", words.Percent(math.Exp(*half)-1))
	}
	return text
}

func sensitivityNumbers(rows []caseRow) Numbers {
	n := Numbers{Columns: []string{"variant", "ratio to the base", "95 % interval", "base", unit(rows[0].headline), "outcome"}}
	for i := range rows {
		r := &rows[i]
		q := r.ratio()
		n.Rows = append(n.Rows, []string{
			r.short, words.Factor(q.Value), span(q.Low, q.High, words.Factor), Grouped(r.against.BaseRate.Median), Grouped(r.against.Rate.Median), r.outcome(),
		})
	}
	return n
}
