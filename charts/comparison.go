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

	"github.com/mysweep/mysweep/runner/verdict"
)

// diverging runs from slower (brown) over equal (white) to faster (blue): ColorBrewer's PuOr and
// RdBu ends, distinguished by colour-blind readers.
var diverging = []string{"#8c4500", "#d8872a", "#fbd9a8", "#f7f7f7", "#bcd9ec", "#4a94c8", "#15558f"}

// Comparison makes the charts of two sides: for each case and workload a map of the change where
// threads and queries were varied, and the rates of both over threads at the query count of the
// peak.
func Comparison(c *verdict.Comparison) ([]Chart, error) {
	var list []Chart
	for _, group := range matched(c) {
		if len(list) >= 2*mostMaps {
			break
		}
		id := suffix(len(list))
		chart, err := changeMap("change"+id, group)
		if err != nil {
			return nil, err
		}
		if chart != nil {
			list = append(list, *chart)
		}
		if chart, err = bothRates("rates"+id, c, group); err != nil {
			return nil, err
		}
		if chart != nil {
			list = append(list, *chart)
		}
	}
	return list, nil
}

// matched groups the cells by case and workload.
func matched(c *verdict.Comparison) [][]*verdict.CellComparison {
	var groups [][]*verdict.CellComparison
	for i := range c.Cells {
		cell := &c.Cells[i]
		at := slices.IndexFunc(groups, func(g []*verdict.CellComparison) bool {
			return g[0].Case == cell.Case && g[0].Workload == cell.Workload
		})
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], cell)
	}
	return groups
}

func changeMap(id string, group []*verdict.CellComparison) (*Chart, error) {
	var threads, queries []int
	for _, c := range group {
		threads, queries = insert(threads, c.Threads), insert(queries, c.Queries)
	}
	if len(threads) < 2 || len(queries) < 2 {
		return nil, nil
	}
	h := heat{
		columns: texts(threads), rows: texts(queries), columnName: "threads", rowName: "queries per thread",
		format: "percent", tip: "changeTip", colours: diverging,
	}
	numbers := Numbers{Columns: []string{"threads × queries", "base", "new", "change"}}
	for _, c := range group {
		change := c.Ratio.Value - 1
		h.high = max(h.high, math.Abs(change))
		column, _ := slices.BinarySearch(threads, c.Threads)
		row, _ := slices.BinarySearch(queries, c.Queries)
		h.fields = append(h.fields, field{column, row, &change})
		numbers.Rows = append(numbers.Rows, []string{
			fmt.Sprintf("%d × %d", c.Threads, c.Queries), Grouped(c.Base.Geometric()), Grouped(c.New.Geometric()), Signed(change),
		})
	}
	h.high = max(h.high, 0.02)
	h.low = -h.high
	h.thin()
	option, err := h.option()
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: changeTitle(group),
		Aid: "Change of " + unit(group[0].Headline) + " in each cell: brown is slower, blue is faster, white is equal.", Option: option,
		Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

// changeTitle counts the cells whose change is distinguished from chance; the others are unknown.
func changeTitle(group []*verdict.CellComparison) string {
	slower, faster := 0, 0
	for _, c := range group {
		switch {
		case !c.Significant:
		case c.Ratio.Value < 1:
			slower++
		default:
			faster++
		}
	}
	open := len(group) - slower - faster
	if open == len(group) {
		return fmt.Sprintf("No significant change in any of %d cells", len(group))
	}
	text := fmt.Sprintf("Significantly slower in %d of %d cells, faster in %d", slower, len(group), faster)
	if open > 0 {
		text += fmt.Sprintf("; %d undecided", open)
	}
	return text
}

func bothRates(id string, c *verdict.Comparison, group []*verdict.CellComparison) (*Chart, error) {
	queries := group[len(group)-1].Queries
	if c.Peak != nil && c.Peak.Case == group[0].Case && c.Peak.Workload == group[0].Workload {
		queries = c.Peak.Queries
	}
	names := []string{"base", "new"}
	medians, spreads := [2][]opts.LineData{}, [2][]opts.CustomData{}
	numbers := Numbers{Columns: []string{"threads", "base", "new", "change"}}
	for _, cell := range group {
		if cell.Queries != queries {
			continue
		}
		for i, f := range []verdict.Figure{cell.Base, cell.New} {
			medians[i] = append(medians[i], point(cell.Threads, f.Geometric()))
			spreads[i] = append(spreads[i], opts.CustomData{Value: []any{cell.Threads, value(f.Min), value(f.Max)}})
		}
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(cell.Threads), Grouped(cell.Base.Geometric()), Grouped(cell.New.Geometric()), Signed(cell.Ratio.Value - 1)})
	}
	if len(numbers.Rows) < 2 {
		return nil, nil
	}
	chart, bands := ec.NewLine(), ec.NewCustom()
	chart.SetGlobalOptions(
		tip("axis", "rateTip"), legend(names),
		axis{name: "threads", kind: "value", max: "dataMax"}.x(), axis{name: unit(group[0].Headline), kind: "value", format: "compact"}.y(),
	)
	for i, name := range names {
		chart.AddSeries(name, medians[i])
		bands.AddSeries(name, spreads[i], ec.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("fn:band")}), ec.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}))
	}
	chart.Overlap(bands)
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	if err != nil {
		return nil, err
	}
	name := unit(group[0].Headline)
	title := strings.ToUpper(name[:1]) + name[1:] + " of both over threads"
	if queries > 0 {
		title += fmt.Sprintf(", at %d queries per thread", queries)
	}
	return &Chart{
		ID: id, Title: title, Aid: "Geometric means; the bands are the ranges of the trials, or of the runs where the base is several.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}
