package hwinfo

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestFixtures reads machines written by hand: files, links (PATH -> TARGET),
// perhaps a datadir, and the facts that must come out.
func TestFixtures(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d fixtures: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { checkFixture(t, path) })
	}
}

func checkFixture(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, links := map[string][]byte{}, map[string]string{}
	var datadir, want string
	for _, f := range archive.Files {
		switch f.Name {
		case "links":
			for line := range strings.Lines(string(f.Data)) {
				from, to, _ := strings.Cut(strings.TrimSpace(line), " -> ")
				links[from] = to
			}
		case "datadir":
			datadir = strings.TrimSpace(string(f.Data))
		case "want":
			want = string(f.Data)
		default:
			files[f.Name] = f.Data
		}
	}
	facts := Read(context.Background(), Options{Root: Memory(files, links), Datadir: datadir})
	conform(t, facts, documentedKeys(t))
	checked := 0
	for line := range strings.Lines(want) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		checked++
		got, known := facts.Get(key)
		if value == "unknown" && known && got != "unknown" || value != "unknown" && Text(got) != value || !facts.Has(key) {
			t.Errorf("%s = %v, want %s", key, got, value)
		}
	}
	if checked == 0 {
		t.Error("nothing is wanted")
	}
}
