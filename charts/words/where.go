package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

// mostPlaces bounds a list of places; a longer one is counted instead.
const mostPlaces = 4

// where condenses a set of cells: "all", "1-4 threads × 10", "60 threads".
// With several sweeps each place names what distinguishes them.
func where(sweeps []verdict.Sweep, cells map[plan.Cell]bool) string {
	var places []string
	hit, total := 0, 0
	for i := range sweeps {
		s := &sweeps[i]
		n := 0
		for j := range s.Cells {
			if cells[s.Cells[j].Cell] {
				n++
			}
		}
		hit, total = hit+n, total+len(s.Cells)
		name := verdict.SweepName(sweeps, s)
		switch {
		case n == 0:
		case n == len(s.Cells) && name != "":
			places = append(places, name)
		default:
			for _, place := range cellPlaces(s, cells) {
				places = append(places, strings.TrimPrefix(name+": "+place, ": "))
			}
		}
	}
	switch {
	case hit == total:
		return "all"
	case len(places) > mostPlaces:
		return fmt.Sprintf("%d of %d cells, e.g. %s", hit, total, places[0])
	}
	return strings.Join(places, "; ")
}

// cellPlaces condenses cells of one sweep: thread counts that have the same
// query counts stand together, neighbours of the sweep as a range.
func cellPlaces(s *verdict.Sweep, cells map[plan.Cell]bool) []string {
	threads, queries := s.ThreadCounts(), s.QueryCounts()
	var keys []string
	byQueries := map[string][]int{} // which query counts -> which thread counts
	for _, t := range threads {
		var with []int
		for _, q := range queries {
			if c := s.Cell(t, q); c != nil && cells[c.Cell] {
				with = append(with, q)
			}
		}
		if len(with) == 0 {
			continue
		}
		key := ranges(with, queries)
		if len(with) == len(queries) {
			key = ""
		}
		if byQueries[key] == nil {
			keys = append(keys, key)
		}
		byQueries[key] = append(byQueries[key], t)
	}
	var list []string
	for _, key := range keys {
		word := " threads"
		if len(byQueries[key]) == 1 && byQueries[key][0] == 1 {
			word = " thread"
		}
		place := ranges(byQueries[key], threads) + word
		if len(byQueries[key]) == len(threads) {
			place = "any threads"
		}
		if key != "" {
			place += " × " + key
		}
		list = append(list, place)
	}
	return list
}

// ranges writes some of the points of a list; three or more neighbours in the
// list become a range, so 10-30 of 10,20,30,40 leaves out none.
func ranges(some, all []int) string {
	var parts []string
	for i := 0; i < len(some); {
		at := slices.Index(all, some[i])
		n := 1
		for i+n < len(some) && at+n < len(all) && some[i+n] == all[at+n] {
			n++
		}
		if n < 3 {
			n = 1
			parts = append(parts, strconv.Itoa(some[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", some[i], some[i+n-1]))
		}
		i += n
	}
	return strings.Join(parts, ",")
}
