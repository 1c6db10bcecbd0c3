package hwinfo

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestFixtures reads machines written by hand: files, links (PATH -> TARGET),
// perhaps a datadir, paths that may not be read (denied), and the expected
// facts: "KEY = VALUE", where unknown is null and missing is a key that is not
// listed. Each line of notes is part of a note; one after "!" is part of none.
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
	files, links, denied := map[string][]byte{}, map[string]string{}, map[string]bool{}
	var datadir, want, notes string
	for _, f := range archive.Files {
		switch f.Name {
		case "links":
			for line := range strings.Lines(string(f.Data)) {
				from, to, _ := strings.Cut(strings.TrimSpace(line), " -> ")
				links[from] = to
			}
		case "datadir":
			datadir = strings.TrimSpace(string(f.Data))
		case "denied":
			for path := range strings.FieldsSeq(string(f.Data)) {
				denied[rel(path)] = true
			}
		case "want":
			want = string(f.Data)
		case "notes":
			notes = string(f.Data)
		default:
			files[f.Name] = f.Data
		}
	}
	facts := Read(context.Background(), Options{Root: denying{Memory(files, links).(memory), denied}, Datadir: datadir})
	conform(t, facts, documentedKeys(t))
	checked := 0
	for line := range strings.Lines(want) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		checked++
		got, known := facts.Get(key)
		switch {
		case value == "missing":
			if facts.Has(key) {
				t.Errorf("%s = %v, but must not be listed", key, got)
			}
		case value == "unknown" && known && got != "unknown", value != "unknown" && Text(got) != value, !facts.Has(key):
			t.Errorf("%s = %v, want %s", key, got, value)
		}
	}
	if checked == 0 {
		t.Error("the fixture expects no fact")
	}
	checkNotes(t, facts.Notes, notes)
}

func checkNotes(t *testing.T, notes []Note, want string) {
	t.Helper()
	for line := range strings.Lines(want) {
		text, unwanted := strings.CutPrefix(strings.TrimSpace(line), "!")
		found := slices.ContainsFunc(notes, func(n Note) bool { return strings.Contains(n.Code+": "+n.Text, text) })
		if found == unwanted {
			t.Errorf("note %q found: %v", text, found)
		}
	}
}

// denying is a file system in memory with files that may not be read.
type denying struct {
	memory
	denied map[string]bool
}

func (d denying) Open(name string) (fs.File, error) {
	if d.denied[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.memory.Open(name)
}
