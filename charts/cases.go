package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// mostCases is how many cases a chart compares; the table of cells has all.
const mostCases = 24

// Colours that say how a case compares with the base; its text says the same.
const (
	blue   = "#0072b2" // faster
	orange = "#d55e00" // slower
	pale   = "#aab6c6" // cannot be told from the base
)

// caseCharts set the cases of each workload side by side, the fastest first: the peak of each as a
// bar, its interval as a whisker.
func caseCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, group := range d.byWorkload() {
		if len(group) < 2 {
			continue
		}
		chart, err := caseChart("cases"+suffix(len(list)), d.caseRows(group))
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

// caseRow is a case of a workload with the figure it is compared by.
type caseRow struct {
	name     string // of the case
	short    string // without what it shares with the case that it varies
	headline verdict.Headline
	cell     *verdict.Cell        // nil without a usable figure
	rate     verdict.Figure       // of the cell
	against  *verdict.CaseVerdict // against the base, nil for the base itself
	base     bool
}

// caseRows are the cases of a workload, the fastest first and those without a figure last.
func (d *Data) caseRows(group []*verdict.Sweep) []caseRow {
	rows := make([]caseRow, 0, len(group))
	for i, s := range group {
		r := caseRow{name: s.Case, short: d.shortName(s.Case), headline: s.Headline, base: i == 0}
		if s.Peak != nil {
			r.cell = &s.Peak.Cell
		}
		if s.Again != nil { // what the cases that vary it are compared with
			r.cell = s.Again
		}
		for j := range d.Verdict.Cases {
			if c := &d.Verdict.Cases[j]; c.New.Name == s.Case && c.Workload == s.Workload {
				r.against = c
			}
		}
		if r.cell != nil {
			r.rate = r.cell.Rate()
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b caseRow) int { return cmp.Compare(orZero(b.rate.Median), orZero(a.rate.Median)) })
	return rows
}

// ratio is the case against the base, nil for the base and where there is none.
func (r *caseRow) ratio() *verdict.Ratio {
	if r.against == nil {
		return nil
	}
	return r.against.Peaks
}

// colour is the colour of the case's bar.
func (r *caseRow) colour() string {
	switch {
	case r.base:
		return grey
	case r.against == nil || !r.against.Ranked():
		return pale
	case r.ratio().Above():
		return blue
	case r.ratio().Below():
		return orange
	}
	return pale
}

// outcome says in a word or two how the case compares with the base.
func (r *caseRow) outcome() string {
	text := ""
	switch c := r.against; {
	case r.base:
		return "base"
	case r.cell == nil:
		return "no usable figure"
	case c == nil || c.Peaks == nil:
		return "no common cell"
	case !c.Ranked():
		text = "not ranked"
	case c.Peaks.Above():
		text = "faster"
	case c.Peaks.Below():
		text = "slower"
	case c.Peaks.Low == nil:
		text = "single trial"
	default:
		text = "undecided"
	}
	if r.against.Best {
		text = "fastest"
	}
	if r.against.Odd {
		text += ", odd"
	}
	return text
}

// place is where the figure was measured.
func (r *caseRow) place() string {
	if r.cell == nil {
		return unknown
	}
	return words.Place(r.cell.Cell)
}

// label is the text beside the bar: the rate, the ratio to the base, the threads.
func (r *caseRow) label() string {
	if r.cell == nil {
		return r.outcome()
	}
	parts := []string{Grouped(r.rate.Median)}
	if q := r.ratio(); q != nil {
		parts = append(parts, words.Factor(q.Value))
	}
	return strings.Join(append(parts, countThreads(r.cell.Threads), r.outcome()), " · ")
}

func caseChart(id string, rows []caseRow) (Chart, error) {
	shown := rows[:min(len(rows), mostCases)]
	var names, labels []string
	var bars []opts.BarData
	var whiskers []opts.CustomData
	base := (*float64)(nil)
	for i := range shown {
		r := &shown[i]
		names, labels = append(names, r.short), append(labels, r.label())
		bar := opts.BarData{Value: "-", ItemStyle: &opts.ItemStyle{Color: r.colour()}}
		if f := r.rate; r.cell != nil {
			bar.Value = value(f.Median)
			if f.Low != nil && f.High != nil {
				low := max(*f.Low, 0) // few noisy trials have an interval below what a rate can be
				high := min(*f.High, 2**f.Median)
				whiskers = append(whiskers, opts.CustomData{Value: []any{value(&low), i, value(&high)}})
			}
		}
		if r.base {
			base = r.rate.Median
		}
		bars = append(bars, bar)
	}
	chart := ec.NewBar()
	chart.SetGlobalOptions(
		tip("axis", "caseTip"), legend(nil),
		axis{name: unit(rows[0].headline), kind: "value", format: "compact"}.x(),
		axis{kind: "category", labels: names}.y(),
	)
	chart.ExtendYAxis(opts.YAxis{Type: "category", Data: labels, Position: "right"})
	chart.AddSeries("peak", bars, baseLine(base)...)
	errors := ec.NewCustom()
	errors.AddSeries("interval", whiskers, ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:whisker")}),
		ec.WithEncodeOpts(opts.Encode{X: []int{0, 2}, Y: 1}), ec.WithItemStyleOpts(opts.ItemStyle{Color: grey}))
	chart.Overlap(errors)
	wideFrame, small := rowFrame()
	option, err := marshal(chart, wideFrame, small)
	if err != nil {
		return Chart{}, err
	}
	return Chart{
		ID: id, Title: casesTitle(rows), Aid: caseAid(rows), Option: option, Class: Full,
		Wide: Size{full, 60 + 34*len(names)}, Narrow: Size{narrow.Width, 60 + 58*len(names)}, Numbers: caseNumbers(rows),
	}, nil
}

// baseLine marks the rate of the base across all bars.
func baseLine(rate *float64) []ec.SeriesOpts {
	if rate == nil {
		return nil
	}
	return []ec.SeriesOpts{
		ec.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: "base", XAxis: value(rate)}),
		markStyle(&opts.Label{Show: opts.Bool(false)}),
	}
}

// rowFrame is the patch of charts with a row for each case: names to the left and figures to the
// right of the bars, on a narrow screen above and below them.
func rowFrame() (base, small patch) {
	inside := func(align string, padding []int) patch {
		return patch{"position": "left", "axisLabel": patch{
			"inside": true, "align": "left", "verticalAlign": align, "padding": padding, "margin": 0, "lineHeight": 14, "fontSize": 12, "width": 290, "overflow": "truncate",
		}, "z": 10}
	}
	// Cases may differ in the last letter alone, so nothing is cut.
	column := func(width int) patch {
		label := patch{"width": width, "lineHeight": 15, "overflow": "break", "interval": 0, "hideOverlap": false}
		return patch{"inverse": true, "axisLabel": label}
	}
	left, right := column(230), column(270)
	lay(right, patch{"axisLine": patch{"show": false}, "axisTick": patch{"show": false}, "axisPointer": patch{"show": false}})
	frame := patch{
		// Room at the sides: fonts may be wider than drawings without a browser suppose.
		"grid":   patch{"left": 26, "right": 20, "top": 8, "bottom": 4, "outerBoundsMode": "same", "outerBoundsContain": "all"},
		"xAxis":  patch{"min": 0},
		"yAxis":  []patch{left, right},
		"series": patch{"barMaxWidth": 16},
	}
	return frame, patch{"yAxis": []any{inside("bottom", []int{0, 0, 10, 0}), inside("top", []int{10, 0, 0, 0})}}
}

func caseNumbers(rows []caseRow) Numbers {
	n := Numbers{Columns: []string{"case", unit(rows[0].headline), "95 % interval", "against the base", "95 % interval of the ratio", "measured at", "p99 ms", "server CPU busy", "outcome"}}
	for i := range rows {
		r := &rows[i]
		row := []string{r.short, unknown, unknown, unknown, unknown, r.place(), unknown, unknown, r.outcome()}
		if r.cell != nil {
			row[1], row[2] = Grouped(r.rate.Median), span(r.rate.Low, r.rate.High, grouped)
			row[6], row[7] = Milliseconds(r.cell.Times().P99), Percent(r.cell.ServerCPU)
		}
		if q := r.ratio(); q != nil {
			row[3], row[4] = words.Factor(q.Value), span(q.Low, q.High, words.Factor)
		}
		n.Rows = append(n.Rows, row)
	}
	return n
}

// casesTitle is the finding: which case is fastest, and by how much.
func casesTitle(rows []caseRow) string {
	best := rows[0]
	if best.cell == nil {
		return "No case has a usable result"
	}
	text := fmt.Sprintf("%s: %s %s at %s", best.short, Grouped(best.rate.Median), unit(best.headline), countThreads(best.cell.Threads))
	switch q := best.ratio(); {
	case best.base:
		return "No case is faster than " + text
	case q == nil:
		return "Highest is " + text
	case best.against.Ranked() && q.Above():
		return fmt.Sprintf("Fastest is %s, %s against %s", text, words.Factor(q.Value), best.against.Base.Name)
	case q.Low == nil:
		return fmt.Sprintf("Highest is %s, %s against %s, from single trials", text, words.Factor(q.Value), best.against.Base.Name)
	}
	return fmt.Sprintf("Highest is %s; not distinguishable from %s", text, best.against.Base.Name)
}

func caseAid(rows []caseRow) string {
	text := "Peak of each case, the fastest first, with its 95 % interval where there are repeats. The dashed line is the base. Blue is faster, orange slower, pale cannot be distinguished from it."
	for _, r := range rows {
		if r.against != nil && r.against.Odd {
			text += " Odd: more than three robust standard deviations from the other cases."
			break
		}
	}
	if len(rows) > mostCases {
		text += fmt.Sprintf(" %d of %d cases are drawn.", mostCases, len(rows))
	}
	return text
}
