package sqlfile

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// Open reads an .sql file and describes it as a workload. Its name is the
// file's path as given.
func Open(path string) (workload.Spec, error) {
	source, err := workload.ReadInput(path, workload.MaxScript)
	if err != nil {
		return workload.Spec{}, fmt.Errorf("sql file: %w", err)
	}
	s, err := parse(path, string(source))
	if err != nil {
		return workload.Spec{}, err
	}
	return s.spec("the statements of " + filepath.Base(path)), nil
}

// FromPlan describes a workload that a plan writes down. Files that its
// variables name are looked for in folder.
func FromPlan(w plan.Workload, folder string) (workload.Spec, error) {
	at := syntax.Position{File: "workload " + w.Name}
	s := &script{name: w.Name, folder: folder, variables: map[string]*variable{}}
	for _, name := range slices.Sorted(maps.Keys(w.Variables)) {
		if err := s.define(name, w.Variables[name], syntax.Position{File: at.File + ": variable " + name}); err != nil {
			return workload.Spec{}, err
		}
	}
	r := &reader{script: s, inSetup: true}
	if err := r.all(w.Setup, syntax.Position{File: at.File + ": setup"}); err != nil {
		return workload.Spec{}, err
	}
	r.inSetup = false
	for i, t := range w.Transactions {
		if t.Name == "" {
			t.Name = fmt.Sprintf("transaction_%d", i+1)
		}
		if t.Weight == 0 {
			t.Weight = 1
		}
		here := syntax.Position{File: at.File + ": transaction " + t.Name}
		if err := s.add(t.Name, t.Weight, here); err != nil {
			return workload.Spec{}, err
		}
		if err := r.all(t.SQL, here); err != nil {
			return workload.Spec{}, err
		}
	}
	if err := s.check(at); err != nil {
		return workload.Spec{}, err
	}
	return s.spec("a workload of the plan"), nil
}

// all adds texts, each of one or more statements.
func (r *reader) all(texts []string, at syntax.Position) error {
	for _, text := range texts {
		chunks, err := scan(text, at)
		if err != nil {
			return err
		}
		for _, c := range chunks {
			if c.comment {
				continue
			}
			if err := r.statement(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *script) spec(summary string) workload.Spec {
	return workload.Spec{
		Name:    s.name,
		Summary: summary,
		Family:  "own",
		Sweep:   workload.Sweep{Time: "10s"},
		New:     func(workload.Values) (workload.Workload, error) { return s, nil },
	}
}

// Tables are none: a user's tables are there, or the set-up makes them.
func (s *script) Tables() []workload.Table { return nil }

// Setup are the statements that run once, before the first trial.
func (s *script) Setup() []string { return s.setup }

// Thread makes the round of one thread.
func (s *script) Thread(session workload.Session) (workload.Round, error) {
	t := &thread{session: session}
	for _, tx := range s.transactions {
		t.total += tx.weight
		t.kinds = append(t.kinds, t.kind(s, tx))
	}
	return t.round, nil
}
