package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// An unknown variable in a case's option file is treated as one among its options: the case fails
// by the variable's name, and with if_known it runs without.
func TestUnknownInOptionsFile(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	file := filepath.Join(t.TempDir(), "case.cnf")
	if err := os.WriteFile(file, []byte("[mysqld]\ninnodb_io_capacity=333\nno_such_variable=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	job.Plan.Queries, job.Plan.Confirm, job.Plan.Repeat = plan.Ints{5}, 0, 1
	job.Plan.Cases = []plan.Case{{Name: "known", OptionsFile: file, IfKnown: true}, {Name: "strict", OptionsFile: file}}
	if _, err := Go(context.Background(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	known, strict := a.Run.Cases[0], a.Run.Cases[1]
	if known.Status != result.OK || known.Variables["innodb_io_capacity"] != "333" || !slices.Equal(known.UnknownOptions, []string{"no_such_variable"}) {
		t.Errorf("with if_known: %s, innodb_io_capacity %s, unknown %q: %s", known.Status, known.Variables["innodb_io_capacity"], known.UnknownOptions, known.Error)
	}
	if len(known.Notes) == 0 || known.Notes[0].Code != "option-dropped" || !strings.Contains(known.Notes[0].Text, "no_such_variable") {
		t.Errorf("with if_known: notes %v", known.Notes)
	}
	if strict.Status != result.Failed || !strings.Contains(strict.Error, "does not know no_such_variable") {
		t.Errorf("without if_known: %s: %s", strict.Status, strict.Error)
	}
}
