package smack

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// Open reads a .smack file and describes it as a workload. Its name is the
// file's path as given.
func Open(path string) (workload.Spec, error) {
	source, err := workload.ReadInput(path, workload.MaxScript)
	if err != nil {
		return workload.Spec{}, fmt.Errorf("smack file: %w", err)
	}
	file, err := Parse(path, string(source))
	if err != nil {
		return workload.Spec{}, err
	}
	return workload.Spec{
		Name:    path,
		Summary: "the super-smack file " + filepath.Base(path),
		Family:  "super-smack",
		Sweep:   workload.Sweep{Queries: "10:100:10"},
		Options: Options(),
		New: func(v workload.Values) (workload.Workload, error) {
			return compile(file, v.Text("smack-key-step") == "original")
		},
	}, nil
}

// Options are the options of every .smack file.
func Options() []workload.Option {
	return []workload.Option{{
		Name: "smack-key-step", Usage: "words taken from a dictionary's file: all, or as few as super-smack's file_size_equiv leaves",
		Default: "all", Form: "text", Choices: []string{"all", "original"},
	}}
}

// Workload is a .smack file as a workload. Its cell's threads and queries are
// $1 and $2.
type Workload struct {
	file    *File
	tables  []workload.Table
	words   []*words
	queries []*query
	barrels map[string][]action // by client
}

// Tables are the file's tables, filled from data_file or gen_data_file.
func (w *Workload) Tables() []workload.Table { return w.tables }

// checkMain executes main without a cell as far as possible, so that mistakes
// are reported before anything starts.
func (w *Workload) checkMain() error {
	in, err := interpret(w.file, nil)
	if err != nil {
		return err
	}
	for _, r := range in.runs {
		if r.rounds() == 0 {
			return syntax.Errorf(w.file.Main[0].At, "client %s never unloads its barrel: add %s.unload_query_barrel();", r.client.Name, r.client.Name)
		}
	}
	_, err = interpret(w.file, []string{"1", "1"})
	return err
}

// BeforeTrial are the queries that main sends before it creates threads.
func (w *Workload) BeforeTrial() []string { return w.once(func(r *run) []step { return r.before }) }

// AfterTrial are the queries that main sends after it has collected them.
func (w *Workload) AfterTrial() []string { return w.once(func(r *run) []step { return r.after }) }

func (w *Workload) once(steps func(*run) []step) []string {
	in, err := interpret(w.file, nil)
	if err != nil {
		return nil // not reached: checkMain reported the error
	}
	var list []string
	for _, r := range in.runs {
		for _, s := range steps(r) {
			switch {
			case s.sql != "":
				list = append(list, s.sql)
			case s.query != "":
				list = append(list, w.sql(s.query))
			}
		}
	}
	return list
}

// sql is a query of the file with words in it.
func (w *Workload) sql(name string) string {
	i := slices.IndexFunc(w.queries, func(q *query) bool { return q.statement.Name == name })
	if q := w.queries[i]; len(q.pieces) > 0 {
		return string(q.appendText(nil, w.readers(), rand.New(rand.NewPCG(1, 1))))
	}
	return w.queries[i].statement.SQL
}

func (w *Workload) readers() []*reader {
	readers := make([]*reader, len(w.words))
	for i, words := range w.words {
		readers[i] = &reader{words: words}
	}
	return readers
}

// Cell implements workload.Scaler. The threads of the first client come first,
// then those of the next one; all run at the same time.
func (w *Workload) Cell(threads, queries int) (func(workload.Session) (workload.Round, error), []int, error) {
	in, err := interpret(w.file, []string{strconv.Itoa(threads), strconv.Itoa(max(queries, 1))})
	if err != nil {
		return nil, nil, err
	}
	var rounds []int
	var owner []*run
	for _, r := range in.runs {
		for range r.threads {
			owner, rounds = append(owner, r), append(rounds, r.rounds())
		}
	}
	thread := func(s workload.Session) (workload.Round, error) {
		if s.Thread() >= len(owner) {
			return nil, fmt.Errorf("%s: thread %d has no client: main makes %d threads", w.file.Path, s.Thread(), len(owner))
		}
		return w.thread(s, owner[s.Thread()]), nil
	}
	return thread, rounds, nil
}

// Thread is for a session whose threads are exactly those of main.
func (w *Workload) Thread(s workload.Session) (workload.Round, error) {
	thread, rounds, err := w.Cell(s.Threads(), 1)
	if err != nil {
		return nil, err
	}
	if len(rounds) != s.Threads() {
		return nil, fmt.Errorf("%s: main makes %d threads of %d", w.file.Path, len(rounds), s.Threads())
	}
	return thread(s)
}

// rowOf splits the lines of data into rows.
func rowOf(d data) func(*workload.Row, *rand.Rand, int64) {
	return func(w *workload.Row, _ *rand.Rand, i int64) {
		var line [256]byte
		fields(d.line(line[:0], i), w.Text, w.Null)
	}
}
