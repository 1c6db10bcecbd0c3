package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/verdict"
)

// What is written of a cell is read back, names that were defused included.
func TestCellsAreReadBack(t *testing.T) {
	a := sample.Archive([]int{1, 4, 16}, []int{10, 100}, 2)
	for i := range a.Trials {
		a.Trials[i].Case = "=1+1"
	}
	a.Trials[0].Status = "failed"
	v := verdict.Of(a)
	var b bytes.Buffer
	if err := Cells(&b, &a.Run, &v); err != nil {
		t.Fatal(err)
	}
	cells, answer, err := ReadCells(&b)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Requirement != v.Requirement.Outcome || answer.Outcome() != v.Requirement.Outcome {
		t.Errorf("the answer is %+v, want %s", answer, v.Requirement.Outcome)
	}
	want := v.Sweeps[0].Cells
	if len(cells) != len(want) {
		t.Fatalf("%d cells were read, want %d", len(cells), len(want))
	}
	for i, c := range cells {
		if c.Cell != want[i].Cell {
			t.Errorf("cell %d is %v, want %v", i, c.Cell, want[i].Cell)
		}
		if got, want := c.QueriesPerSecond, want[i].QueriesPerSecond.Median; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("cell %d has %v queries/s, want %v", i, got, want)
		}
		if c.Headline != want[i].Headline || *c.TransactionP99 != *want[i].Transaction.P99 || *c.TransactionsPerSecond != *want[i].TransactionsPerSecond.Median {
			t.Errorf("cell %d: %s, %v transactions/s, p99 %v", i, c.Headline, *c.TransactionsPerSecond, *c.TransactionP99)
		}
	}
}

func TestReadCellsSaysWhatIsMissing(t *testing.T) {
	if _, _, err := ReadCells(strings.NewReader("case,workload\na,b\n")); err == nil || !strings.Contains(err.Error(), "threads") {
		t.Errorf("error is %v, want one that names the missing column", err)
	}
	if _, _, err := ReadCells(strings.NewReader("")); err == nil {
		t.Error("an empty file was accepted")
	}
}

// A trial that measures a base again among its variants is told from the others.
func TestInterleavedColumn(t *testing.T) {
	a := sample.Archive([]int{1, 16}, []int{10}, 1)
	a.Trials[1].Interleaved = true
	rows := read(t, render(t, files(a)["results.csv"]))
	at := slices.Index(rows[0], "interleaved")
	if at < 0 || rows[1][at] != "false" || rows[2][at] != "true" {
		t.Errorf("column %d of %v", at, rows[1:3])
	}
}
