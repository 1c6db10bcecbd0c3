package result

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func sample(repeat int, status Status) Trial {
	return Trial{Case: "default", Workload: "select-key", Threads: 4, Queries: 10, Repeat: repeat, Status: status}
}

func readAll(r io.Reader) (trials []Trial, torn int, err error) {
	torn, err = readJournal(r, func(t *Trial, _ span) { trials = append(trials, *t) })
	return trials, torn, err
}

// A killed run leaves half a line; what is appended later must not be lost with it.
func TestJournalAfterKill(t *testing.T) {
	dir := t.TempDir()
	j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	one, two := sample(1, OK), sample(2, Failed)
	if err := j.Append(&one); err != nil {
		t.Fatal(err)
	}
	j.Close()
	path := filepath.Join(dir, JournalFile)
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(whole, whole[:len(whole)/2]...), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err = OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(&two); err != nil {
		t.Fatal(err)
	}
	j.Close()
	f, _ := os.Open(path)
	defer f.Close()
	trials, torn, err := readAll(f)
	if err != nil || len(trials) != 2 || torn != 1 || trials[1].Status != Failed {
		t.Errorf("%d trials, %d torn, %v; want 2 and 1", len(trials), torn, err)
	}
}

// What ran again counts by its last line, wherever the first one stood and
// whatever either says: only what is not ok runs again, and data that turn out
// to be wrong take a good trial back.
func TestLatest(t *testing.T) {
	for _, c := range []struct {
		why    string
		trials []Trial
		want   []Trial
	}{
		{"failed, then ok", []Trial{sample(1, Failed), sample(2, OK), sample(1, OK)}, []Trial{sample(2, OK), sample(1, OK)}},
		{"interrupted, failed, ok", []Trial{sample(1, Interrupted), sample(1, Failed), sample(1, OK)}, []Trial{sample(1, OK)}},
		{"ok, taken back", []Trial{sample(1, OK), sample(2, OK), sample(1, Invalid)}, []Trial{sample(2, OK), sample(1, Invalid)}},
		{"taken back, then run again", []Trial{sample(1, OK), sample(1, Invalid), sample(1, OK)}, []Trial{sample(1, OK)}},
		{"none", nil, nil},
	} {
		got := Latest(c.trials)
		if !slices.EqualFunc(got, c.want, func(a, b Trial) bool { return a.Repeat == b.Repeat && a.Status == b.Status }) {
			t.Errorf("%s: %+v", c.why, got)
		}
	}
}

// Whatever is read can be written and reads the same; nothing panics.
func FuzzReadJournal(f *testing.F) {
	one := sample(1, OK)
	line, _ := one.Marshal()
	f.Add(string(line))
	f.Add(string(line[:20]))
	f.Add("\n{}\n[]\nnull\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		trials, _, err := readAll(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		for i := range trials {
			line, err := trials[i].Marshal()
			if err != nil {
				t.Fatal(err)
			}
			again.Write(line)
		}
		reread, torn, _ := readAll(&again)
		if torn != 0 || len(reread) != len(trials) {
			t.Errorf("%d trials written, %d read, %d torn", len(trials), len(reread), torn)
		}
	})
}
