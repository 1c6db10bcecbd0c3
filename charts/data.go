package charts

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Data is what charts are drawn from: an archive and what it means.
type Data struct {
	Archive *result.Archive
	Verdict *verdict.Verdict

	seen *observed
}

// Answer is the verdict in sentences.
func (d *Data) Answer() words.Answer { return words.Of(&d.Archive.Run, d.Verdict) }

// byWorkload groups the sweeps of all cases by workload.
func (d *Data) byWorkload() [][]*verdict.Sweep {
	var groups [][]*verdict.Sweep
	for i := range d.Verdict.Sweeps {
		s := &d.Verdict.Sweeps[i]
		at := slices.IndexFunc(groups, func(g []*verdict.Sweep) bool { return g[0].Workload == s.Workload })
		if at < 0 {
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

// over are the cells of one query count by threads; one that was not run, or
// that has no usable figure, is missing.
func over(s *verdict.Sweep, queries int) []*verdict.Cell {
	var list []*verdict.Cell
	for i := range s.Cells {
		if s.Cells[i].Queries == queries && s.Cells[i].Ranks() {
			list = append(list, &s.Cells[i])
		}
	}
	return list
}

// bestQueries is the query count of the peak, the highest one when there is no peak.
func bestQueries(s *verdict.Sweep) int {
	if s.Peak != nil {
		return s.Peak.Queries
	}
	counts := s.QueryCounts()
	return counts[len(counts)-1]
}

// unit is what a headline counts in a second.
func unit(h verdict.Headline) string { return string(h) + "/s" }

// of names the case in the chart's title if its workload has several.
func (c Chart) of(s *verdict.Sweep, group []*verdict.Sweep) Chart {
	if len(group) > 1 {
		c.Title = s.Case + ": " + c.Title
	}
	return c
}

// insert puts n into a sorted list that has each number once.
func insert(sorted []int, n int) []int {
	at, found := slices.BinarySearch(sorted, n)
	if found {
		return sorted
	}
	return slices.Insert(sorted, at, n)
}

func texts(numbers []int) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = strconv.Itoa(n)
	}
	return list
}

func countThreads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// suffix makes ids of a second and further chart of a kind.
func suffix(i int) string {
	if i == 0 {
		return ""
	}
	return "-" + strconv.Itoa(i+1)
}
