package table

import (
	"bytes"
	"encoding/csv"
	"flag"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// files are the CSV files of an archive.
func files(a *result.Archive) map[string]func(io.Writer) error {
	v := verdict.Of(a)
	return map[string]func(io.Writer) error{
		"results.csv": func(w io.Writer) error { return whole(w, a, Results) },
		"queries.csv": func(w io.Writer) error { return whole(w, a, Queries) },
		"cpu.csv":     func(w io.Writer) error { return whole(w, a, CPUs) },
		"status.csv":  func(w io.Writer) error { return whole(w, a, Statuses) },
		"series.csv":  func(w io.Writer) error { return whole(w, a, Series) },
		"cells.csv":   func(w io.Writer) error { return Cells(w, &a.Run, &v) },
		"fits.csv":    func(w io.Writer) error { return Fits(w, &a.Run, &v) },
		"facts.csv":   func(w io.Writer) error { return Facts(w, &a.Run) },
	}
}

// whole writes a file with rows for each trial.
func whole(w io.Writer, a *result.Archive, begin func(io.Writer, *result.Archive) (Rows, error)) error {
	rows, err := begin(w, a)
	for t := range a.Full() {
		if err == nil {
			err = rows(t)
		}
	}
	return err
}

func render(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read returns the rows, each with the header's number of columns.
func read(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestGolden(t *testing.T) {
	a := sample.Archive([]int{1, 16, 100}, []int{10, 100}, 1)
	for name, write := range files(a) {
		got := render(t, write)
		read(t, got)
		sample.Golden(t, name, got, *update)
	}
}

// The first columns of results.csv and its last are a contract: scripts of users' read them by
// position.
func TestResultsColumns(t *testing.T) {
	const want = "schema_version,run_id,server_host,client_host,case,workload,threads,queries,repeat,started_at,status,server_version,transport,protocol,reconnect,elapsed_seconds,bursts,queries_total,transactions_total,errors_total,reconnects_total,queries_per_second,queries_per_second_with_connect,transactions_per_second,transactions_per_second_with_connect,connects_total,connects_per_second,connect_min_seconds,connect_mean_seconds,connect_max_seconds,latency_min_seconds,latency_mean_seconds,latency_p50_seconds,latency_p95_seconds,latency_p99_seconds,latency_p999_seconds,latency_max_seconds,transaction_latency_p50_seconds,transaction_latency_p95_seconds,transaction_latency_p99_seconds,load1_before,load1_after,load1_max,load5_after,load15_after,runnable_mean,threads_running_mean,client_cpu_busy_ratio,server_cpu_busy_ratio,client_cpu_seconds,server_process_cpu_seconds,"
	header, _, _ := strings.Cut(render(t, files(sample.Small())["results.csv"]), "\n")
	if !strings.HasPrefix(header, want) {
		t.Errorf("the header begins with\n%s\nwant\n%s", header, want)
	}
	if !strings.HasSuffix(header, ",notes") {
		t.Errorf("the header ends with %s, want notes", header[len(header)-20:])
	}
	for _, column := range []string{"table_rows", "data_bytes", "rand_type", "storage_engine", "loadgen", "tls_cipher", "rate", "dropped_total", "deadlocks_total", "foreign_queries_total", "full_concurrency_queries_per_second"} {
		if !strings.Contains(header, ","+column+",") {
			t.Errorf("no column %s", column)
		}
	}
}

// Spreadsheets evaluate some texts; numbers, also negative ones, must stay what they are.
func TestTextIsDefused(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "-2+3": "'-2+3", "+X": "'+X", "-=cmd": "'-=cmd",
		"\tx": "'\tx", "\rx": "'\rx", "\nx": "'\nx", "-inf": "'-inf", "+00:00": "'+00:00",
		"-1": "-1", "-0.5": "-0.5", "+5": "+5", "-1e-9": "-1e-9",
		"a=b": "a=b", "": "", "a,b\"c\nd": "a,b\"c\nd", "'quoted": "'quoted",
	} {
		if got, _ := Text(text).MarshalCSV(); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Every text field of every file takes hostile text without a row losing its columns or a formula
// getting through.
func TestHostileTexts(t *testing.T) {
	for _, hostile := range []string{"=1+1", "@SUM(A1)", "-2+3", "a,b\"c", "two\nlines", "two\r\nlines", "\ttab"} {
		a := sample.Archive([]int{1}, []int{10}, 1)
		a.Run.ID, a.Run.ServerHost, a.Run.ClientHost = hostile, hostile, hostile
		for i := range a.Trials {
			t := &a.Trials[i]
			t.Case, t.Workload, t.Error, t.Measure.TLSCipher, t.Measure.Types[0].Type = hostile, hostile, hostile, hostile, hostile
			t.Evidence.Status = map[string]float64{hostile: -1}
		}
		a.Run.Cases[0].Name, a.Run.Cases[0].Comment, a.Run.Cases[0].Version = hostile, hostile, hostile
		a.Run.Client.List[0].Value = hostile
		for name, write := range files(a) {
			for _, row := range read(t, render(t, write)) {
				for _, field := range row {
					if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !number.MatchString(field) {
						t.Errorf("%s: a spreadsheet would run %q", name, field)
					}
				}
			}
		}
	}
}

// A trial that never began has empty fields, not zeros; one whose queries all failed keeps its
// counts.
func TestUnknownIsEmpty(t *testing.T) {
	a := sample.Archive([]int{1}, []int{10}, 1)
	nan := math.NaN()
	a.Trials = []result.Trial{
		{Seq: 1, Threads: 4, Repeat: 1, Status: result.Skipped, Error: "the case did not start"},
		{Seq: 2, Threads: 4, Repeat: 1, Status: result.Failed, Measure: result.Measure{Threads: 4, Elapsed: 0.5, Errors: 8}},
		{Seq: 3, Threads: 4, Repeat: 1, Status: result.OK, Rate: &nan, Measure: result.Measure{Threads: 4, Queries: 5}},
	}
	rows := read(t, render(t, func(w io.Writer) error { return whole(w, a, Results) }))
	field := func(row int, column string) string {
		for i, name := range rows[0] {
			if name == column {
				return rows[row][i]
			}
		}
		t.Fatalf("no column %s", column)
		return ""
	}
	for _, check := range []struct {
		row          int
		column, want string
	}{
		{1, "queries", ""}, {1, "elapsed_seconds", ""}, {1, "queries_total", ""}, {1, "errors_total", ""},
		{1, "queries_per_second", ""}, {1, "load1_after", ""}, {1, "latency_p99_seconds", ""}, {1, "status", "skipped"},
		{2, "queries_total", "0"}, {2, "errors_total", "8"}, {2, "queries_per_second", ""}, {2, "elapsed_seconds", "0.5"},
		{3, "queries_total", "5"}, {3, "queries_per_second", ""}, {3, "elapsed_seconds", ""}, {3, "rate", ""},
	} {
		if got := field(check.row, check.column); got != check.want {
			t.Errorf("row %d, %s is %q, want %q", check.row, check.column, got, check.want)
		}
	}
	if text := strings.Join(rows[3], ","); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Errorf("no number got into the file: %s", text)
	}
}
