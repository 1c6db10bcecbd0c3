package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// pastRuns writes archives as the index reads them: run.json, and the cells.csv of a run.
func pastRuns(t testing.TB, root string, n int, change func(i int, run *result.Run)) {
	t.Helper()
	first := filepath.Join(root, "first")
	keptRun(t, first, 0o640)
	if status, _, stderr := called(t, "report", first); status != 0 {
		t.Fatal(stderr)
	}
	cells, err := os.ReadFile(filepath.Join(first, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(first)
	variables := map[string]string{"innodb_io_capacity": "200"}
	for i := range 700 { // as many as servers have
		variables[fmt.Sprintf("variable_with_a_usual_name_%d", i)] = "a usual value"
	}
	made := sample.Archive([]int{1, 4}, []int{10}, 2).Run
	for i := range n {
		run := made
		run.Cases = slices.Clone(made.Cases)
		run.Cases[0].Variables = maps.Clone(made.Cases[0].Variables)
		run.ID, run.StartedAt = fmt.Sprintf("run%d", i), time.Date(2026, 3, 1+i, 3, 15, 0, 0, time.UTC)
		for k := range variables {
			run.Cases[0].Variables[k] = variables[k]
		}
		change(i, &run)
		dir := filepath.Join(root, "db3", run.StartedAt.Format("2006-01-02T15-04-05Z-nightly"))
		if err := os.MkdirAll(dir, 0o750); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{result.RunFile: raw, "cells.csv": cells} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o640); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The index says what was changed since the run before, on the page and as JSON.
func TestIndexNamesChanges(t *testing.T) {
	root := t.TempDir()
	pastRuns(t, root, 3, func(i int, run *result.Run) {
		run.Plan.Note, run.Plan.Tags = "before the upgrade", map[string]string{"rack": "7"}
		if i == 1 {
			run.Plan.Note = "after the upgrade"
		}
		if i >= 1 {
			run.Cases[0].Version = "11.8.1-MariaDB"
			at := slices.IndexFunc(run.Client.List, func(f hwinfo.Fact) bool { return f.Key == "kernel.release" })
			run.Client.List = slices.Clone(run.Client.List)
			run.Client.List[at].Value = "6.12.1"
		}
		if i == 2 {
			run.Cases[0].Variables["innodb_io_capacity"] = "4000"
		}
	})
	status, _, stderr := called(t, "index", root)
	if status != 0 {
		t.Fatal(stderr)
	}
	page, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"after the upgrade", "rack=7", "-&gt; 11.8.1-MariaDB", "-&gt; 6.12.1", "innodb_io_capacity ", "-&gt; 4000", `<b class="FAIL">FAIL</b>`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	status, out, stderr := called(t, "index", "--format", "json", root)
	var got struct {
		Runs []struct {
			RunID, Note, Outcome string
			Changed              []string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); status != 0 || err != nil {
		t.Fatalf("%d %v %s", status, err, stderr)
	}
	if len(got.Runs) != 3 || len(got.Runs[0].Changed) != 0 || len(got.Runs[1].Changed) < 2 || len(got.Runs[2].Changed) != 1 {
		t.Errorf("%+v", got.Runs)
	}
	if !strings.HasPrefix(got.Runs[2].Changed[0], "innodb_io_capacity ") || got.Runs[1].Note != "after the upgrade" || got.Runs[1].Outcome != "FAIL" {
		t.Errorf("%+v", got.Runs)
	}
}

// BenchmarkIndex makes the index over 2,000 runs.
func BenchmarkIndex(b *testing.B) {
	root := b.TempDir()
	pastRuns(b, root, 2000, func(int, *result.Run) {})
	for b.Loop() {
		if status, _, stderr := called(b, "index", root); status != 0 {
			b.Fatal(stderr)
		}
	}
}
