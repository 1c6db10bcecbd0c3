package charts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// mostLines is how many lines can be distinguished in one chart.
const mostLines = 5

// rateCharts draw throughput over threads: a line for each query count, or for each case where
// there are several, with the spread of the repeats as a band.
func rateCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for i, group := range d.byWorkload() {
		if group = curved(group); len(group) == 0 || len(group) > mostOverlaid {
			continue
		}
		chart, err := d.rateChart(fmt.Sprintf("rate%s", suffix(i)), group, limits(d.Archive, group[0]))
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

func (d *Data) rateChart(id string, group []*verdict.Sweep, limits []opts.LineData) (Chart, error) {
	lines := d.rateLines(group)
	names := make([]string, len(lines))
	for i, l := range lines {
		names[i] = l.name
	}
	chart := ec.NewLine()
	chart.SetGlobalOptions(
		tip("axis", "rateTip"), legend(names),
		axis{name: "threads", kind: "value", max: "dataMax"}.x(),
		axis{name: unit(group[0].Headline), kind: "value", format: "compact"}.y(),
	)
	bands := ec.NewCustom()
	numbers := Numbers{Columns: []string{"threads"}}
	for i, l := range lines {
		var marks []ec.SeriesOpts
		if i == 0 && len(group) == 1 {
			marks = kneeMark(group[0])
		}
		chart.AddSeries(l.name, l.medians(), marks...)
		bands.AddSeries(l.name, l.spread(), ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:band")}),
			// Both dimensions count, so that the axis has room for the band.
			ec.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}))
		numbers.Columns = append(numbers.Columns, l.name, "range")
	}
	chart.Overlap(bands)
	if fit := fitOf(group); fit != nil {
		name := fmt.Sprintf("scaling law (R² %s)", strconv.FormatFloat(fit.R2, 'f', 2, 64))
		names = append(names, name)
		chart.AddSeries(name, fitPoints(fit, group[0].ThreadCounts()), ec.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}),
			ec.WithLineStyleOpts(opts.LineStyle{Type: "dashed", Width: 1.5, Color: grey}), ec.WithItemStyleOpts(opts.ItemStyle{Color: grey}))
	}
	if len(limits) > 0 {
		const name = "limit by think time"
		names = append(names, name)
		chart.AddSeries(name, limits, ec.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)}),
			ec.WithLineStyleOpts(opts.LineStyle{Type: "dotted", Width: 1.5, Color: grey}), ec.WithItemStyleOpts(opts.ItemStyle{Color: grey}))
	}
	chart.SetGlobalOptions(legend(names))
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	if err != nil {
		return Chart{}, err
	}
	numbers.Rows = rateRows(lines)
	return Chart{
		ID: id, Title: rateTitle(group), Aid: rateAid(group, lines),
		Option: option, Wide: below(wide, names), Narrow: below(narrow, names), Numbers: numbers,
	}, nil
}

const grey = "#6b6b6b"

// kneeMark marks the thread count from which on more threads bring little.
func kneeMark(s *verdict.Sweep) []ec.SeriesOpts {
	if s.Knee == nil {
		return nil
	}
	label, name := markLabel(), fmt.Sprintf("knee %d", s.Knee.Threads)
	if 3*s.Knee.Threads < slices.Max(s.ThreadCounts()) || s.Knee.Threads == slices.Min(s.ThreadCounts()) {
		// The label is placed beside the name of the vertical axis, not over it.
		label.Align, name = "left", "\u00a0\u00a0"+name
	}
	return []ec.SeriesOpts{
		ec.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: name, XAxis: s.Knee.Threads}),
		markStyle(label),
	}
}

// markLabel is the name of a mark, in the middle above it.
func markLabel() *opts.Label {
	return &opts.Label{Show: opts.Bool(true), Formatter: "{b}", Position: "end", Color: soft, FontSize: 12}
}

// markStyle is how a place on the horizontal axis is marked.
func markStyle(label *opts.Label) ec.SeriesOpts {
	return ec.WithMarkLineStyleOpts(opts.MarkLineStyle{
		Symbol: []string{"none", "none"}, Label: label,
		LineStyle: &opts.LineStyle{Color: "#8a94a6", Type: "dashed", Width: 1},
	})
}

// fitOf is the scaling law fitted to the query count of the peak, where the chart speaks of one
// case and of queries.
func fitOf(group []*verdict.Sweep) *verdict.Fit {
	s := group[0]
	if len(group) > 1 || s.Headline != verdict.Queries {
		return nil
	}
	for i := range s.Fits {
		if s.Fits[i].Queries == bestQueries(s) && s.Fits[i].Describes() {
			return &s.Fits[i]
		}
	}
	return nil
}

func fitPoints(f *verdict.Fit, threads []int) []opts.LineData {
	const steps = 40
	low, high := float64(threads[0]), float64(threads[len(threads)-1])
	data := make([]opts.LineData, steps+1)
	for i := range data {
		n := low + (high-low)*float64(i)/steps
		y := f.At(n)
		data[i] = point(digits(n, 4), &y)
	}
	return data
}

// rateLines are the lines to draw: cases at their best query count, or some query counts of the
// only case, the least, the most and the best among them.
func (d *Data) rateLines(group []*verdict.Sweep) []line {
	if len(group) > 1 {
		var lines []line
		for _, s := range group {
			lines = append(lines, line{d.shortName(s.Case), s.Headline, over(s, bestQueries(s))})
		}
		return lines
	}
	s := group[0]
	var lines []line
	for _, q := range some(s.QueryCounts(), mostLines-1, bestQueries(s)) {
		name := fmt.Sprintf("%d queries", q)
		if q == 0 {
			name = unit(s.Headline)
		}
		lines = append(lines, line{name, s.Headline, over(s, q)})
	}
	return lines
}

// some picks at most so many numbers of a sorted list, evenly, its ends and one that must be there.
func some(sorted []int, most, must int) []int {
	if len(sorted) <= most {
		return sorted
	}
	picked := []int{must}
	for i := range most - 1 {
		n := sorted[i*(len(sorted)-1)/(most-2)]
		if !slices.Contains(picked, n) && len(picked) < most {
			picked = append(picked, n)
		}
	}
	slices.Sort(picked)
	return picked
}

// line is one line of a chart over threads.
type line struct {
	name     string
	headline verdict.Headline
	cells    []*verdict.Cell
}

func (l line) medians() []opts.LineData {
	data := make([]opts.LineData, len(l.cells))
	for i, c := range l.cells {
		data[i] = point(c.Threads, c.Rate().Median)
	}
	return data
}

func (l line) spread() []opts.CustomData {
	data := make([]opts.CustomData, len(l.cells))
	for i, c := range l.cells {
		f := c.Rate()
		data[i] = opts.CustomData{Value: []any{c.Threads, value(f.Min), value(f.Max)}}
	}
	return data
}

func rateRows(lines []line) [][]string {
	var threads []int
	for _, l := range lines {
		for _, c := range l.cells {
			threads = insert(threads, c.Threads)
		}
	}
	rows := make([][]string, len(threads))
	for i, n := range threads {
		rows[i] = []string{strconv.Itoa(n)}
		for _, l := range lines {
			at := slices.IndexFunc(l.cells, func(c *verdict.Cell) bool { return c.Threads == n })
			if at < 0 {
				rows[i] = append(rows[i], unknown, unknown)
				continue
			}
			f := l.cells[at].Rate()
			rows[i] = append(rows[i], Grouped(f.Median), span(f.Min, f.Max, grouped))
		}
	}
	return rows
}

func span(low, high *float64, format func(float64) string) string {
	if low == nil || high == nil {
		return unknown
	}
	return format(*low) + " … " + format(*high)
}

func rateTitle(group []*verdict.Sweep) string {
	s := group[0]
	if len(group) > 1 {
		return "Throughput by thread count, each case at its best query count"
	}
	switch {
	case s.Peak == nil:
		return "No cell has a usable result"
	case s.Rising:
		return fmt.Sprintf("Throughput still increases at %s", countThreads(s.Curve[len(s.Curve)-1]))
	case s.Plateau != nil:
		text := fmt.Sprintf("%s %s", words.Headline(s), words.PlateauRange(s))
		if len(s.QueryCounts()) > 1 {
			text += ", mean of cells that cannot be told apart"
		}
		return strings.ToUpper(text[:1]) + text[1:]
	case s.Level:
		return "Throughput differs between thread counts by no more than noise"
	case s.Knee != nil && s.Knee.Threads < s.Peak.Threads:
		// An isotonic curve is nowhere above the highest rate so far.
		return fmt.Sprintf("Up to %s reach %s of the best rate", countThreads(s.Knee.Threads), words.Percent(math.Floor(100/(1+s.KneeMargin))/100))
	case s.Peak.Confirmed:
		return fmt.Sprintf("Highest confirmed throughput at %s", countThreads(s.Peak.Threads))
	}
	return fmt.Sprintf("Throughput peaks at %s", countThreads(s.Peak.Threads))
}

func rateAid(group []*verdict.Sweep, lines []line) string {
	repeats := 0
	for _, l := range lines {
		for _, c := range l.cells {
			repeats = max(repeats, c.Rate().N())
		}
	}
	text := "Medians of the trials of each cell."
	if repeats > 1 {
		text = "Medians; the band is the range of the repeats, and where it cannot be seen it is thinner than the line."
	}
	if len(group) == 1 && len(group[0].QueryCounts()) > len(lines) {
		text += fmt.Sprintf(" %d of %d query counts are drawn; all are in the table of cells.", len(lines), len(group[0].QueryCounts()))
	}
	return text
}
