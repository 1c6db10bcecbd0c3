package charts

import (
	"strings"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/mysweep/mysweep/charts/words"
)

// ramp is ColorBrewer's YlGnBu without its two darkest steps, which are lost on a dark page: light
// to dark in even steps, distinguished by colour-blind readers and on grey paper.
var ramp = []string{"#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8"}

// mostFields is how many fields a heat map may have: more is slow to draw, big in a mail, and finer
// than the eye.
const mostFields = 2000

// field is one field of a heat map; its value is nil where nothing is known.
type field struct {
	column, row int
	value       *float64
}

// heat is a heat map over two lists of names.
type heat struct {
	columns, rows       []string
	columnName, rowName string
	fields              []field
	low, high           float64 // ends of the colour scale
	format              string  // of the colour scale
	tip                 string
	labels              bool     // numbers in the fields, where there is room
	colours             []string // of the scale, ramp when nil
}

func (h heat) option() ([]byte, error) {
	colours := ramp
	if h.colours != nil {
		colours = h.colours
	}
	chart := ec.NewHeatMap()
	chart.SetGlobalOptions(
		ec.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item", Formatter: types.FuncStr("fn:" + h.tip)}),
		ec.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		axis{name: h.columnName, kind: "category"}.x(),
		axis{name: h.rowName, kind: "category", labels: h.rows}.y(),
		ec.WithVisualMapOpts(opts.VisualMap{
			Min: float32(h.low), Max: float32(h.high), Orient: "horizontal", Left: "center", Bottom: "0",
			InRange: &opts.VisualMapInRange{Color: colours},
		}),
	)
	chart.SetXAxis(h.columns)
	data := make([]opts.HeatMapData, 0, len(h.fields))
	for _, f := range h.fields {
		if v := value(f.value); v != nil {
			data = append(data, opts.HeatMapData{Value: []any{f.column, f.row, v}})
		}
	}
	chart.AddSeries("", data)
	return marshal(chart, h.frame(h.labels && len(h.columns) <= mostWideLabels), h.frame(h.labels && len(h.columns) <= mostNarrowLabels))
}

// mostWideLabels and mostNarrowLabels are how many fields with a number fit side by side.
const mostWideLabels, mostNarrowLabels = 16, 8

// class is that of a map whose numbers do not fit its narrow drawing.
func (h heat) class() Class {
	if h.labels && len(h.columns) > mostNarrowLabels {
		return Paper
	}
	return ""
}

func (h heat) frame(labels bool) patch {
	border := 1
	if len(h.fields) > 200 { // it would hide small fields, and costs bytes
		border = 0
	}
	label := patch{"show": labels, "formatter": "fn:cellLabel", "fontSize": 12, "textBorderWidth": 0}
	return patch{
		"grid":  patch{"left": 4, "right": 8, "top": 2, "bottom": 36, "outerBoundsMode": "same", "outerBoundsContain": "all"},
		"xAxis": patch{"data": h.columns},
		"yAxis": patch{"nameTextStyle": patch{"align": "left"}, "nameGap": 10},
		"visualMap": patch{
			"itemWidth": 12, "itemHeight": 180, "calculable": false, "formatter": "fn:" + h.format,
			"text": []string{scaleEnd(h.high, h.format), scaleEnd(h.low, h.format)}, "textStyle": patch{"color": soft, "fontSize": 13},
		},
		"series": patch{"label": label, "itemStyle": patch{"borderColor": "rgba(255,255,255,0.4)", "borderWidth": border}},
	}
}

// soft is the colour of secondary text, as in the theme.
const soft = "#556070"

func scaleEnd(x float64, format string) string {
	if format == "percent" {
		return words.Percent(x)
	}
	return words.Compact(x)
}

// thin averages neighbours until the map has at most mostFields fields, halving the longer side
// each time.
func (h *heat) thin() {
	for len(h.columns)*len(h.rows) > mostFields {
		if len(h.columns) >= len(h.rows) {
			h.columns = halve(h.columns)
			h.merge(func(f field) field { return field{f.column / 2, f.row, f.value} })
		} else {
			h.rows = halve(h.rows)
			h.merge(func(f field) field { return field{f.column, f.row / 2, f.value} })
		}
	}
}

func halve(names []string) []string {
	var half []string
	for i := 0; i < len(names); i += 2 {
		name := names[i]
		if i+1 < len(names) {
			first, _, _ := strings.Cut(name, "–")
			_, last, found := strings.Cut(names[i+1], "–")
			if !found {
				last = names[i+1]
			}
			name = first + "–" + last
		}
		half = append(half, name)
	}
	return half
}

// merge puts fields together that come to the same place, as the mean of those that are known.
func (h *heat) merge(to func(field) field) {
	type place struct{ column, row int }
	sums, counts, order := map[place]float64{}, map[place]int{}, []place{}
	for _, f := range h.fields {
		f = to(f)
		p := place{f.column, f.row}
		if _, seen := counts[p]; !seen {
			order = append(order, p)
			counts[p] = 0
		}
		if f.value != nil {
			sums[p] += *f.value
			counts[p]++
		}
	}
	h.fields = h.fields[:0]
	for _, p := range order {
		f := field{column: p.column, row: p.row}
		if counts[p] > 0 {
			mean := sums[p] / float64(counts[p])
			f.value = &mean
		}
		h.fields = append(h.fields, f)
	}
}
