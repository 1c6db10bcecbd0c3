package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

// ReadCells reads back from cells.csv what a trend over many runs needs. Columns are found by name,
// so that files of older and newer versions can be read; a file that lacks one that the cells need
// is refused.
func ReadCells(r io.Reader) (cells []verdict.PastCell, answer verdict.PastAnswer, err error) {
	in := csv.NewReader(r)
	header, err := in.Read()
	if err != nil {
		return nil, answer, fmt.Errorf("cells.csv: %w", err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[name] = i
	}
	for _, name := range []string{"case", "workload", "threads", "queries", "queries_per_second_median", "latency_p99_seconds"} {
		if _, ok := at[name]; !ok {
			return nil, answer, fmt.Errorf("cells.csv has no column %s", name)
		}
	}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return cells, answer, nil
		}
		if err != nil {
			return nil, answer, fmt.Errorf("cells.csv: %w", err)
		}
		field := func(name string) string {
			if i, ok := at[name]; ok {
				return fields[i]
			}
			return ""
		}
		answer.Requirement = verdict.Outcome(field("run_requirement"))
		answer.Decision = verdict.Decision(field("run_baseline_decision"))
		threads, err := strconv.Atoi(field("threads"))
		if err != nil {
			return nil, answer, fmt.Errorf("cells.csv: threads: %w", err)
		}
		queries, _ := strconv.Atoi(field("queries")) // empty where it does not apply
		cells = append(cells, verdict.PastCell{
			Cell:             plan.Cell{Case: plain(field("case")), Workload: plain(field("workload")), Threads: threads, Queries: queries},
			Headline:         verdict.Headline(field("headline")),
			QueriesPerSecond: numberOf(field("queries_per_second_median")), TransactionsPerSecond: numberOf(field("transactions_per_second_median")),
			ConnectsPerSecond: numberOf(field("connects_per_second_median")),
			P99:               numberOf(field("latency_p99_seconds")), TransactionP99: numberOf(field("transaction_latency_p99_seconds")),
		})
	}
}

// plain undoes what Text does to a formula.
func plain(field string) string {
	if rest, ok := strings.CutPrefix(field, "'"); ok {
		if defused, _ := Text(rest).MarshalCSV(); defused == field {
			return rest
		}
	}
	return field
}

func numberOf(field string) *float64 {
	x, err := strconv.ParseFloat(field, 64)
	if err != nil {
		return nil
	}
	return known(&x)
}
