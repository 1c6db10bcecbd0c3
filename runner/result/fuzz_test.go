package result

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead: no run.json panics, and what is read can be written and reads the same schema.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"schema_version": 1, "plan": {"threads": [1], "time": "3s"}}`, `{"cases": [{"name": "a", "traces": [{"kind": "perf", "file": "../x"}]}]}`,
		`{"client": {"facts": {"a": 1}, "sources": {}}}`, `{"started_at": "2026-13-01"}`, `{"plan": {"tags": null, "rate": 1e999}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, RunFile), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Read(dir)
		if err != nil {
			return
		}
		if err := WriteRun(dir, &a.Run); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(dir); err != nil || again.Run.Schema != a.Run.Schema || again.Run.ID != a.Run.ID {
			t.Errorf("%v after it was written again", err)
		}
	})
}

// FuzzStacks: no folded stacks panic.
func FuzzStacks(f *testing.F) {
	f.Add("main;work;read 12\nmain -1\n x\n")
	f.Fuzz(func(t *testing.T, text string) { parseStacks(strings.NewReader(text)) })
}
