package charts

import (
	"unicode/utf8"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// The sizes in which charts are drawn: two in a row on a wide page, one on a phone.
var (
	wide   = Size{540, 320}
	narrow = Size{320, 290}
)

// full is the width of charts that have a row of a page to themselves.
const full = 760

// axis describes one axis of a chart.
type axis struct {
	name   string // with its unit
	kind   string // value, log or category
	format string // named function for the labels, empty for ECharts' own
	labels []string
	min    any
	max    any
}

func (a axis) label() *opts.AxisLabel {
	l := &opts.AxisLabel{Show: opts.Bool(true), HideOverlap: opts.Bool(true)}
	if a.format != "" {
		l.Formatter = types.FuncStr("fn:" + a.format)
	}
	return l
}

func (a axis) x() ec.GlobalOpts {
	return ec.WithXAxisOpts(opts.XAxis{
		Name: a.name, NameLocation: "middle", NameGap: 26, Type: a.kind, Min: a.min, Max: a.max, AxisLabel: a.label(),
	})
}

func (a axis) y() ec.GlobalOpts {
	y := opts.YAxis{Name: a.name, Type: a.kind, Min: a.min, Max: a.max, AxisLabel: a.label()}
	if a.kind == "category" {
		y.Data = a.labels
	}
	return ec.WithYAxisOpts(y)
}

func tip(trigger, format string) ec.GlobalOpts {
	return ec.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: trigger, Formatter: types.FuncStr("fn:" + format)})
}

func legend(names []string) ec.GlobalOpts {
	return ec.WithLegendOpts(opts.Legend{Show: opts.Bool(len(names) > 1), Data: names, Left: "0", Top: "0"})
}

// What the legend needs: a mark, gaps and about seven pixels a letter.
const legendItem, legendLetter, legendLine, legendNext = 18 + 5 + 20, 7, 24, 34

// legendRows is how many lines the legend takes in a width; none when it has nothing to tell apart.
func legendRows(names []string, width int) int {
	if len(names) < 2 {
		return 0
	}
	rows, used := 1, 0
	for _, name := range names {
		item := legendItem + legendLetter*utf8.RuneCountInString(name)
		if used > 0 && used+item > width {
			rows, used = rows+1, 0
		}
		used += item
	}
	return rows
}

// below is a size with room for a legend of several lines above the plot.
func below(s Size, names []string) Size {
	return Size{s.Width, s.Height + legendHeight(legendRows(names, s.Width)) - legendHeight(min(1, legendRows(names, s.Width)))}
}

func legendHeight(rows int) int {
	if rows == 0 {
		return 0
	}
	return legendLine + (rows-1)*legendNext
}

// lineFrame is the patch that all line charts share: the plot below the legend, the name of the
// vertical axis above it.
func lineFrame(names []string) (base, small patch) {
	return gridBelow(legendRows(names, wide.Width)), gridBelow(legendRows(names, narrow.Width))
}

func gridBelow(rows int) patch {
	return patch{
		"grid": patch{
			"left": 4, "right": 24, "top": 2 + legendHeight(rows), "bottom": 4,
			"outerBoundsMode": "same", "outerBoundsContain": "all",
		},
		"yAxis": patch{"nameTextStyle": patch{"align": "left"}, "nameGap": 12, "nameMoveOverlap": false},
	}
}
