package command_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// frozen are archives as earlier versions have written them, with the
// results.csv of their time: every later version reads them. They are never
// rewritten: a new archive format gets a folder of its own.
var frozen = []struct {
	name   string
	trials int
	exits  int // of report
}{
	{"plain", 9, 0},
	{"cases", 10, 0},
	{"interrupted", 7, 0},
}

// TestFrozenArchives: report, compare, index and mail read each of them, and
// report gives the same measurements as the version that ran the sweep.
func TestFrozenArchives(t *testing.T) {
	archive := t.TempDir()
	for _, f := range frozen {
		dir := filepath.Join(archive, "host", f.name)
		thaw(t, f.name, dir)
		t.Run(f.name, func(t *testing.T) {
			status, out := mysweep(t, "report", dir)
			if status != f.exits {
				t.Fatalf("report exits with %d, want %d:\n%s", status, f.exits, out)
			}
			for _, file := range []string{"report.html", "summary.txt", "cells.csv", "queries.csv", "fits.csv", "series.csv",
				"cpu.csv", "status.csv", "facts.csv"} {
				if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
					t.Errorf("report wrote no %s: %v", file, err)
				}
			}
			sameMeasurements(t, filepath.Join("testdata/archives", f.name, "results.csv"), filepath.Join(dir, "results.csv"), f.trials)
			status, out = mysweep(t, "mail", "--to", "dba@example.org", dir)
			if status != 0 || !strings.Contains(out, "frozen-"+f.name) {
				t.Errorf("mail exits with %d:\n%.400s", status, out)
			}
		})
	}
	status, out := mysweep(t, "index", archive)
	page, err := os.ReadFile(filepath.Join(archive, "index.html"))
	if status != 0 || err != nil {
		t.Fatalf("index exits with %d: %v\n%s", status, err, out)
	}
	for _, f := range frozen {
		if !strings.Contains(string(page), "frozen-"+f.name) {
			t.Errorf("the index does not list %s", f.name)
		}
	}
	plain := filepath.Join(archive, "host", "plain")
	if status, out := mysweep(t, "compare", plain, filepath.Join(archive, "host", "interrupted")); status != 0 {
		t.Errorf("compare exits with %d:\n%s", status, out)
	}
}

// thaw copies the sources of a frozen archive to a folder that may be written.
func thaw(t *testing.T, name, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"run.json", "trials.jsonl"} {
		content, err := os.ReadFile(filepath.Join("testdata/archives", name, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

func mysweep(t *testing.T, args ...string) (status int, output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "mysweep", args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// sameMeasurements compares the columns that results.csv had when the archive
// was frozen. Notes and percentiles are conclusions, which later versions may
// draw better; they may not be lost.
func sameMeasurements(t *testing.T, before, after string, trials int) {
	t.Helper()
	old, now := rows(t, before), rows(t, after)
	if len(old) != trials || len(now) != trials {
		t.Fatalf("results.csv had %d rows and has %d, want %d", len(old), len(now), trials)
	}
	for i, row := range old {
		for column, value := range row {
			got, found := now[i][column]
			switch {
			case !found:
				t.Fatalf("results.csv has no column %s any more", column)
			case column == "notes", isPercentile(column) && value != "" && got != "":
			case got != value:
				t.Errorf("row %d: %s was %q and is %q", i+1, column, value, got)
			}
		}
	}
}

func isPercentile(column string) bool {
	return slices.ContainsFunc([]string{"_p50_", "_p95_", "_p99_", "_p999_"}, func(part string) bool {
		return strings.Contains(column, part)
	})
}

func rows(t *testing.T, file string) []map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, value := range record {
			row[records[0][i]] = value
		}
		rows = append(rows, row)
	}
	return rows
}

// TestFrozenSchemas: each archive has the schema version that it was frozen with.
func TestFrozenSchemas(t *testing.T) {
	for _, f := range frozen {
		content, err := os.ReadFile(filepath.Join("testdata/archives", f.name, "run.json"))
		if err != nil {
			t.Fatal(err)
		}
		var run struct {
			SchemaVersion int    `json:"schema_version"`
			Name          string `json:"name"`
		}
		if err := json.Unmarshal(content, &run); err != nil {
			t.Fatal(err)
		}
		if run.SchemaVersion != 1 || run.Name != "frozen-"+f.name {
			t.Errorf("%s: schema version %d of run %q", f.name, run.SchemaVersion, run.Name)
		}
	}
}
