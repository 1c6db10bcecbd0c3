package smack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/gendata"
)

func open(t *testing.T, path string, options map[string]string) *Workload {
	t.Helper()
	spec, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	values, err := workload.NewValues(spec.Options, options)
	if err != nil {
		t.Fatal(err)
	}
	w, err := spec.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return w.(*Workload)
}

// play runs a thread of a cell through all of its rounds.
func play(t *testing.T, w *Workload, thread, threads, queries int) *recorder {
	t.Helper()
	start, rounds, err := w.Cell(threads, queries)
	if err != nil {
		t.Fatal(err)
	}
	r := record(thread, len(rounds))
	round, err := start(r)
	if err != nil {
		t.Fatal(err)
	}
	for range rounds[thread] {
		if err := round(); err != nil {
			t.Fatal(err)
		}
	}
	if r.atEnd != nil {
		if err := r.atEnd(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestSelectKey(t *testing.T) {
	w := open(t, "testdata/select-key.smack", nil)
	table := w.Tables()[0]
	if table.Rows != 90000 || table.Name != "http_auth" || !strings.HasPrefix(table.Create, "create table http_auth\n") || table.Grows {
		t.Errorf("table %s has %d rows, created by %q, grows: %v", table.Name, table.Rows, table.Create, table.Grows)
	}
	var data strings.Builder
	if err := gendata.Generate(&data, 90000, "%12-12s%n,%25-25s,%n,%d", gendata.DefaultSeed); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(data.String(), "\n")
	var row workload.Row
	table.Row(&row, rand.New(rand.NewPCG(1, 2)), 4711)
	if got := string(row.Bytes()); got != strings.ReplaceAll(lines[4711], ",", "\t") || row.Len() != 4 {
		t.Errorf("row 4711 is %q, gen-data says %q", got, lines[4711])
	}
	if n := len(w.words[0].list); n != 90000 {
		t.Errorf("the dictionary has %d words, want all 90000", n)
	}
	_, rounds, err := w.Cell(3, 10)
	if err != nil || fmt.Sprint(rounds) != "[10 10 10]" {
		t.Errorf("rounds are %v, %v", rounds, err)
	}
	r := play(t, w, 0, 3, 10)
	if len(r.log) != 20 {
		t.Errorf("10 rounds sent %d queries, want 20", len(r.log))
	}
	for _, line := range r.log {
		word, ok := strings.CutPrefix(line, "query select_index | select * from http_auth where username = ? | ")
		if !ok || !slices.Contains(w.words[0].list, word) {
			t.Errorf("sent %q", line)
		}
	}
}

// super-smack's thinning leaves 750 of the 90,000 keys.
func TestThinning(t *testing.T) {
	w := open(t, "testdata/select-key.smack", map[string]string{"smack-key-step": "original"})
	list := w.words[0].list
	if len(list) != 750 || !strings.HasSuffix(list[0], "120") || !strings.HasSuffix(list[749], "90000") {
		t.Errorf("%d words from %s to %s, want 750 from line 120 to line 90000", len(list), list[0], list[len(list)-1])
	}
}

func TestUpdateSelect(t *testing.T) {
	w := open(t, "testdata/update-select.smack", nil)
	r := play(t, w, 0, 1, 1)
	if len(r.log) != 2 {
		t.Fatalf("sent %q", r.log)
	}
	parts := strings.Split(r.log[1], " | ")
	if parts[0] != "query update_index" || parts[1] != "update http_auth set pass=? where username = ?" || parts[2] == parts[3] {
		t.Errorf("the update is %q: want two draws", r.log[1])
	}
	if kind := r.statements[1].Kind; kind != workload.Write {
		t.Errorf("the update is a %s", kind)
	}
}

func TestEverything(t *testing.T) {
	w := open(t, "testdata/everything.smack", nil)
	_, rounds, err := w.Cell(3, 4)
	if err != nil || fmt.Sprint(rounds) != "[8 8 8 7 7]" {
		t.Errorf("rounds are %v, %v: want 3 readers with 4 rounds twice, 2 writers with 7", rounds, err)
	}
	if got := fmt.Sprint(w.BeforeTrial(), w.AfterTrial()); got != "[set @before = 1] [set @after = 1]" {
		t.Errorf("around a trial: %s", got)
	}
	if w.tables[0].Grows || w.tables[0].Shrinks || w.tables[1].Shrinks || !w.tables[1].Grows || w.tables[1].Rows != 0 {
		t.Errorf("people grows: %v, log grows: %v with %d rows", w.tables[0].Grows, w.tables[1].Grows, w.tables[1].Rows)
	}
	reader := play(t, w, 0, 3, 1).log
	for i, want := range []string{
		"raw query | set @each = '3'", "sleep 5ms",
		"query read | select * from people where name = ? | ", "query read | select * from people where name = ? | ", "sleep 10ms",
		`raw list | select 'a$b', "Oslo" , 0`,
		"query read |", "query read |", "sleep 10ms",
		`raw list | select 'a$b', "Rome, the old one" , 1`,
	} {
		if i >= len(reader) || !strings.HasPrefix(reader[i], want) {
			t.Fatalf("call %d is not %q in\n%s", i, want, strings.Join(reader, "\n"))
		}
	}
	writer := play(t, w, 4, 3, 1).log
	if n := len(writer); n != 7*4+1 || !strings.HasPrefix(writer[n-1], "raw touch | update people") {
		t.Fatalf("the writer did\n%s", strings.Join(writer, "\n"))
	}
	for i, want := range map[int]string{
		// Numbers are unique over all threads.
		0:  `raw write | insert into log values (2, 'n%00000!-Oslo')`,
		4:  `raw write | insert into log values (3, 'n%00001!-Rome, the old one')`,
		8:  `raw write | insert into log values (4, 'n%00002!-O''Hare')`,
		12: `raw write | insert into log values (5, 'n%00003!-back\\slash')`,
		16: `raw write | insert into log values (6, 'n%00004!-Oslo')`,
	} {
		if writer[i] != want {
			t.Errorf("call %d is %q, want %q", i, writer[i], want)
		}
	}
}

// A round that fails names its query and is restarted by the next call.
func TestFailure(t *testing.T) {
	w := open(t, "testdata/select-key.smack", nil)
	start, _, err := w.Cell(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	r := record(0, 1)
	r.fail = 2
	round, err := start(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := round(); !errors.Is(err, errRefused) || !strings.HasPrefix(err.Error(), "query select_by_username: ") {
		t.Errorf("the round says %v", err)
	}
	if err := round(); err != nil || len(r.log) != 4 {
		t.Errorf("the next round says %v after %q", err, r.log)
	}
}

// Data files beside the .smack file are taken instead of generating.
func TestDataFile(t *testing.T) {
	folder := t.TempDir()
	source, err := os.ReadFile("testdata/select-key.smack")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("words.dat", "anna,x\\,y,1,\\N\r\nbert,z,2,7")
	w := open(t, write("a.smack", string(source)), nil)
	var row workload.Row
	w.Tables()[0].Row(&row, nil, 0)
	if got := string(row.Bytes()); w.Tables()[0].Rows != 2 || got != "anna\tx,y\t1\t\\N" {
		t.Errorf("%d rows, the first %q", w.Tables()[0].Rows, got)
	}
	if got := fmt.Sprint(w.words[0].list); got != "[anna bert]" {
		t.Errorf("words are %s", got)
	}
}
