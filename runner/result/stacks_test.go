package result

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestStacks(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "archive")
	for path, text := range map[string]string{
		filepath.Join(dir, "trace", "perf.folded"): "a;b c<d> 3\na;b c<d> 4\na 1\n\nno number\n",
		filepath.Join(outside, "secret"):           "x 1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := Run{Schema: SchemaVersion, Cases: []Case{{Name: "a", Traces: []Trace{
		{Kind: "perf", File: "trace/perf.folded"}, {Kind: "perf", File: "trace/gone"}, {Kind: "perf", File: "../secret"},
	}}}}
	if err := WriteRun(dir, &run); err != nil {
		t.Fatal(err)
	}
	a, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	traces := a.Run.Cases[0].Traces
	if want := map[string]int{"a;b c<d>": 7, "a": 1}; !maps.Equal(traces[0].Stacks, want) {
		t.Errorf("%v, want %v", traces[0].Stacks, want)
	}
	if traces[1].Stacks != nil || traces[2].Stacks != nil {
		t.Errorf("stacks of files that are gone or outside: %v, %v", traces[1].Stacks, traces[2].Stacks)
	}
}
