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
		ID: id, Title: mapTitle(s), Aid: "Median " + unit(s.Headline) + " of each cell's trials. Darker is faster; an empty field has no usable result.",
		Class: h.class(), Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
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
	if c == nil || !c.Ranks() {
		return nil
	}
	return c.Rate().Median
}

// nearly is the share of the best rate that counts as reaching it.
const nearly = 0.95

// mapTitle names the least thread count that reaches 95 % of the best rate of
// every query count; where none does, between which thread counts the best lie.
func mapTitle(s *verdict.Sweep) string {
	least, most := bestThreads(s)
	if most == 0 {
		return "No cell has a usable result"
	}
	threads := s.ThreadCounts()
	for _, n := range threads {
		if !reachesBest(s, n) {
			continue
		}
		if n == threads[len(threads)-1] {
			return fmt.Sprintf("Only %s, the most tested, reach 95 %% of the best rate at every query count", countThreads(n))
		}
		verb := "reach"
		if n == 1 {
			verb = "reaches"
		}
		return fmt.Sprintf("%s %s 95 %% of the best rate at every query count", countThreads(n), verb)
	}
	return fmt.Sprintf("The best thread count depends on the query count: %d to %d", least, most)
}

// rowBest is the best rate of a query count and its thread count, 0 without any.
func rowBest(s *verdict.Sweep, queries int) (rate float64, threads int) {
	for _, c := range over(s, queries) {
		if r := rateOf(s, c); r != nil && *r > rate {
			rate, threads = *r, c.Threads
		}
	}
	return rate, threads
}

// bestThreads are the least and the most threads of the best cells of all query counts.
func bestThreads(s *verdict.Sweep) (least, most int) {
	for _, q := range s.QueryCounts() {
		if _, n := rowBest(s, q); n > 0 {
			most = max(most, n)
			if least == 0 || n < least {
				least = n
			}
		}
	}
	return least, most
}

// reachesBest reports whether a thread count reaches nearly the best rate of every query count that
// has one.
func reachesBest(s *verdict.Sweep, threads int) bool {
	for _, q := range s.QueryCounts() {
		best, _ := rowBest(s, q)
		r := rateOf(s, s.Cell(threads, q))
		if best > 0 && (r == nil || *r < nearly*best) {
			return false
		}
	}
	return true
}
