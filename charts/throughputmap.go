package charts

import (
	"fmt"
	"strconv"

	"github.com/mysweep/mysweep/runner/verdict"
)

// mostMaps is how many cases get a map of their own; the tables have them all.
const mostMaps = 4

// heatCharts map threads x queries of each case and workload, where both were varied.
func heatCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for i := range d.Verdict.Sweeps {
		s := &d.Verdict.Sweeps[i]
		if len(s.ThreadCounts()) < 2 || len(s.QueryCounts()) < 2 || len(list) == mostMaps {
			continue
		}
		chart, err := throughputMap("map"+suffix(len(list)), s, len(d.Verdict.Sweeps) > 1)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

func throughputMap(id string, s *verdict.Sweep, named bool) (Chart, error) {
	threads, queries := s.ThreadCounts(), s.QueryCounts()
	h := heat{
		columns: texts(threads), rows: texts(queries), columnName: "threads", rowName: "queries per thread",
		format: "compact", tip: tipOf(s.Headline), labels: true,
	}
	numbers := Numbers{Columns: append([]string{"queries \\ threads"}, h.columns...)}
	for row, q := range queries {
		texts := []string{strconv.Itoa(q)}
		for column, n := range threads {
			rate := rateOf(s, s.Cell(n, q))
			if v := rate; v != nil {
				h.high = max(h.high, *v)
			}
			h.fields = append(h.fields, field{column, row, rate})
			texts = append(texts, Grouped(rate))
		}
		numbers.Rows = append(numbers.Rows, texts)
	}
	h.thin()
	option, err := h.option()
	if err != nil {
		return Chart{}, err
	}
	chart := Chart{
		ID: id, Title: mapTitle(s), Aid: "Median " + unit(s.Headline) + " of each cell's trials. Darker is faster; an empty field has no usable trial.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}
	if named {
		chart.Title = fmt.Sprintf("%s, %s: %s", s.Case, s.Workload, chart.Title)
	}
	return chart, nil
}

func tipOf(h verdict.Headline) string {
	return map[verdict.Headline]string{verdict.Queries: "queriesTip", verdict.Transactions: "transactionsTip", verdict.Connects: "connectsTip"}[h]
}

func rateOf(s *verdict.Sweep, c *verdict.Cell) *float64 {
	if c == nil {
		return nil
	}
	return c.Rate().Median
}

// mapTitle says with how many threads every query count is within 5 % of its own best.
func mapTitle(s *verdict.Sweep) string {
	few, enough := 0, 0
	for _, q := range s.QueryCounts() {
		n := nearBest(s, over(s, q))
		enough = max(enough, n)
		if few == 0 || n > 0 && n < few {
			few = n
		}
	}
	counts := s.ThreadCounts()
	most := counts[len(counts)-1]
	switch {
	case enough == 0:
		return "No cell has a usable figure"
	case enough == most && few < most:
		return fmt.Sprintf("It depends on the queries how many threads help: %d to %d reach 95 %% of the best", few, enough)
	case enough == most:
		return "More threads bring more, up to the most that were tried"
	}
	verb := "reach"
	if enough == 1 {
		verb = "reaches"
	}
	return fmt.Sprintf("%s %s 95 %% of the best at any query count", countThreads(enough), verb)
}

// nearBest is the least thread count whose rate is at least 95 % of the best of the cells, 0 when none has a rate.
func nearBest(s *verdict.Sweep, cells []*verdict.Cell) int {
	best := 0.0
	for _, c := range cells {
		if r := rateOf(s, c); r != nil {
			best = max(best, *r)
		}
	}
	for _, c := range cells {
		if r := rateOf(s, c); r != nil && *r >= 0.95*best {
			return c.Threads
		}
	}
	return 0
}
