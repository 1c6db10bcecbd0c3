package command_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// everything reports whether the full product of the slow tables runs, not only a selection.
func everything() bool { return os.Getenv("MYSWEEP_TEST_ALL") != "" }

// pairs selects rows of a product of so many levels per factor such that each pair of levels of two
// factors is in some row, greedily: the row that covers most pairs that are still missing comes
// next. forbidden rows are left out, and pairs that only they have. The selection is always the
// same.
func pairs(levels []int, forbidden func(row []int) bool) [][]int {
	rows := product(levels, forbidden)
	type pair struct{ a, i, b, j int }
	missing := map[pair]bool{}
	of := func(row []int) (list []pair) {
		for a := range row {
			for b := a + 1; b < len(row); b++ {
				list = append(list, pair{a, row[a], b, row[b]})
			}
		}
		return list
	}
	for _, row := range rows {
		for _, p := range of(row) {
			missing[p] = true
		}
	}
	var chosen [][]int
	for len(missing) > 0 {
		best, most := 0, 0
		for r, row := range rows {
			n := 0
			for _, p := range of(row) {
				if missing[p] {
					n++
				}
			}
			if n > most {
				best, most = r, n
			}
		}
		for _, p := range of(rows[best]) {
			delete(missing, p)
		}
		chosen = append(chosen, rows[best])
	}
	return chosen
}

// product is all rows but the forbidden ones.
func product(levels []int, forbidden func(row []int) bool) [][]int {
	rows := [][]int{nil}
	for _, n := range levels {
		var longer [][]int
		for _, row := range rows {
			for level := range n {
				longer = append(longer, append(slices.Clone(row), level))
			}
		}
		rows = longer
	}
	return slices.DeleteFunc(rows, forbidden)
}

func TestPairs(t *testing.T) {
	forbidden := func(row []int) bool { return row[0] == 3 && row[1] == 0 }
	rows := pairs([]int{6, 2, 2, 2}, forbidden)
	if all := product([]int{6, 2, 2, 2}, forbidden); len(all) != 44 || len(rows) < 11 || len(rows) > 16 {
		t.Errorf("%d of %d rows; want 11 to 16 of 44", len(rows), len(all))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if forbidden(row) {
			t.Errorf("row %v is forbidden", row)
		}
		for a := range row {
			for b := a + 1; b < len(row); b++ {
				seen[fmt.Sprint(a, row[a], b, row[b])] = true
			}
		}
	}
	// 6 x 2 for each of three factors with the first, less one, and 4 for each pair of the others
	if want := 3*12 - 1 + 3*4; len(seen) != want {
		t.Errorf("%d pairs are covered, want %d", len(seen), want)
	}
}
