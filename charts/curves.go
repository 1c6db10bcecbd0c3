package charts

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/runner/verdict"
)

// mostOverlaid is how many cases can be distinguished in one chart; more get a small panel each.
const mostOverlaid = 6

// measure is a figure of cells that is drawn over threads, a curve for each case.
type measure struct {
	id, title, aid string
	unit           string // of the vertical axis
	format, tip    string // named functions
	of             func(*verdict.Cell) *float64
	text           func(*float64) string
}

// curveCharts draw what several cases of a workload did over threads: throughput where there are
// too many for one chart, the mean response time, and the CPU use of the server's machine.
func curveCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for i, group := range d.byWorkload() {
		group = curved(group)
		if len(group) < 2 {
			continue
		}
		for _, m := range measures(group[0]) {
			if m.id == "rate" && len(group) <= mostOverlaid {
				continue // has a chart with the range of the repeats
			}
			lines := d.curves(group, m.of)
			if !known(lines) {
				continue
			}
			m.id += suffix(i)
			chart, err := m.draw(lines)
			if err != nil {
				return nil, err
			}
			list = append(list, chart)
		}
	}
	return list, nil
}

func measures(s *verdict.Sweep) []measure {
	what := timed(s.Headline)
	return []measure{
		{"rate", "Throughput by case", "Median " + unit(s.Headline) + " over threads.", unit(s.Headline), "compact", "rateTip",
			func(c *verdict.Cell) *float64 { return c.Rate().Median }, Grouped},
		{"response", "Mean response time of a " + what + " by case", "Mean over the trials of a thread count.", "milliseconds", "plain", "msTip",
			func(c *verdict.Cell) *float64 { times := c.Times(); return scaled(times.Mean, 1000) }, Significant},
		{"cpu-cases", "CPU use by case", "Busy share of the CPUs that the server's machine may use.", "busy", "percent", "shareLineTip",
			func(c *verdict.Cell) *float64 { return c.ServerCPU }, Percent},
	}
}

// curved are the sweeps that ran several thread counts, of several those with a usable figure.
func curved(group []*verdict.Sweep) []*verdict.Sweep {
	var list []*verdict.Sweep
	for _, s := range group {
		if len(s.ThreadCounts()) > 1 && (s.Peak != nil || len(group) == 1) {
			list = append(list, s)
		}
	}
	return list
}

// curve is a figure of one case over threads.
type curve struct {
	name   string
	base   bool
	points []opts.LineData
	at     map[int]*float64 // by threads
}

// curves are those of the first cases of a group at their best query counts.
func (d *Data) curves(group []*verdict.Sweep, of func(*verdict.Cell) *float64) []curve {
	var list []curve
	for i, s := range group[:min(len(group), mostCases)] {
		c := curve{name: d.shortName(s.Case), base: i == 0, at: map[int]*float64{}}
		for _, cell := range over(s, bestQueries(s)) {
			c.at[cell.Threads] = of(cell)
			c.points = append(c.points, point(cell.Threads, of(cell)))
		}
		list = append(list, c)
	}
	return list
}

// shortName is what tells a case from the one it varies, or its name.
func (d *Data) shortName(name string) string {
	if c := d.planned(name); c != nil && c.Of != "" && len(c.Varied) > 0 {
		return variation(d.planned(c.Of), c)
	}
	return name
}

// known reports whether any curve has a value.
func known(list []curve) bool {
	return slices.ContainsFunc(list, func(c curve) bool {
		return slices.ContainsFunc(c.points, func(p opts.LineData) bool { return p.Value.([]any)[1] != nil })
	})
}

func (m measure) draw(list []curve) (Chart, error) {
	c := Chart{ID: m.id, Title: m.title, Aid: m.aid, Numbers: m.numbers(list)}
	if len(list) > mostOverlaid {
		return m.panels(c, list)
	}
	names := make([]string, len(list))
	chart := ec.NewLine()
	for i, l := range list {
		names[i] = l.name
		chart.AddSeries(l.name, l.points)
	}
	chart.SetGlobalOptions(
		tip("axis", m.tip), legend(names),
		axis{name: "threads", kind: "value", max: "dataMax"}.x(),
		axis{name: m.unit, kind: "value", format: m.format}.y(),
	)
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	c.Option, c.Wide, c.Narrow = option, below(wide, names), below(narrow, names)
	return c, err
}

func (m measure) numbers(list []curve) Numbers {
	n := Numbers{Columns: []string{"threads"}}
	var threads []int
	for _, l := range list {
		n.Columns = append(n.Columns, l.name)
		for k := range l.at {
			threads = insert(threads, k)
		}
	}
	for _, k := range threads {
		row := []string{strconv.Itoa(k)}
		for _, l := range list {
			row = append(row, m.text(l.at[k]))
		}
		n.Rows = append(n.Rows, row)
	}
	return n
}

// panels gives each case but the base a small chart of its own, with the base in grey, all on the
// same scale.
func (m measure) panels(c Chart, list []curve) (Chart, error) {
	base, others := list[0], list[1:]
	high := 0.0
	for _, l := range list {
		for _, v := range l.at {
			high = max(high, orZero(v))
		}
	}
	top := ceiling(high)
	chart := ec.NewLine()
	chart.SetGlobalOptions(tip("axis", m.tip), legend(nil))
	chart.XAxisList, chart.YAxisList = nil, nil
	for i, l := range others {
		x := axis{kind: "value", max: "dataMax"}
		y := axis{kind: "value", format: m.format, min: 0, max: top}
		chart.ExtendXAxis(opts.XAxis{Type: x.kind, Max: x.max, GridIndex: i, SplitNumber: 2, AxisLabel: x.label(), SplitLine: &opts.SplitLine{Show: opts.Bool(false)}})
		chart.ExtendYAxis(opts.YAxis{Type: y.kind, Min: y.min, Max: y.max, GridIndex: i, SplitNumber: 2, AxisLabel: y.label()})
		for _, line := range []struct {
			curve
			colour string
		}{{base, grey}, {l, blue}} {
			chart.AddSeries(line.name, line.points, ec.WithLineChartOpts(opts.LineChart{XAxisIndex: i, YAxisIndex: i, ShowSymbol: opts.Bool(false)}),
				ec.WithLineStyleOpts(opts.LineStyle{Color: line.colour, Width: 2}), ec.WithItemStyleOpts(opts.ItemStyle{Color: line.colour}))
		}
	}
	frame, small := panelFrame(others, 4, 25, 5.5, 17), panelFrame(others, 2, 50, 15, 33)
	option, err := marshal(chart, frame, small)
	c.Option, c.Class = option, Full
	c.Aid += fmt.Sprintf(" A panel for each case, all on the same scale; grey is %s.", base.name)
	c.Wide, c.Narrow = Size{full, panelHeight * rowsOf(len(others), 4)}, Size{narrow.Width, panelHeight * rowsOf(len(others), 2)}
	return c, err
}

const panelHeight = 132

func rowsOf(n, columns int) int { return (n + columns - 1) / columns }

// panelFrame places panels in columns; step, left and width are percent of the drawing's width.
func panelFrame(list []curve, columns int, step, left, width float64) patch {
	var titles, grids []any
	const letters = 24
	for i, l := range list {
		x, y := step*float64(i%columns), panelHeight*(i/columns)
		titles = append(titles, patch{
			"text": clip(l.name, letters), "left": percent(x + 0.5), "top": y + 4, "padding": 0,
			"textStyle": patch{"fontSize": 12, "fontWeight": "normal", "color": soft},
		})
		grids = append(grids, patch{"left": percent(x + left), "width": percent(width), "top": y + 27, "height": panelHeight - 55, "outerBoundsMode": "none"})
	}
	return patch{"title": titles, "grid": grids}
}

// clip shortens a text at its front, as cases tend to differ at the end.
func clip(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return "…" + string(letters[len(letters)-most+1:])
}

func percent(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) + "%" }

// ceiling is a round number at or above x with one or two digits.
func ceiling(x float64) float64 {
	if x <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, step := range []float64{1, 2, 4, 6, 8, 10} {
		if step*unit >= x {
			return digits(step*unit, 3)
		}
	}
	return digits(10*unit, 3)
}
