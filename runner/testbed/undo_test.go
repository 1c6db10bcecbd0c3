package testbed

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// What a run in the same schema has set, or one in another schema, is put back
// when a case is opened, once that run was killed; while it lives, what it set
// stays.
func TestUndoOfAnotherRun(t *testing.T) {
	report := &recorder{}
	site, w, private := existingSite(t, report, plan.Case{Name: "a"})
	address, theirs := private.Endpoint.Name(), "mysweep/theirs"
	changes, err := private.PlanGlobals(t.Context(), []server.Option{{Name: "max_connect_errors", Value: "4321"}})
	if err != nil {
		t.Fatal(err)
	}
	set := func(lockName string) {
		t.Helper()
		if err := rememberUndo(address, lockName, changes); err != nil {
			t.Fatal(err)
		}
		if err := private.SetGlobals(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
	}
	defer forgetUndo(address, theirs)
	set(theirs)
	lock, err := private.Lock(t.Context(), theirs)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		what  string
		ours  bool // a run in our own schema was killed
		value string
		notes int
	}{
		{"it lives", false, "4321", 0},
		{"it was killed", false, changes[0].Before, 1},
		{"one in our schema was killed", true, changes[0].Before, 1},
	} {
		if step.ours {
			set(LockName(&site.plan))
		}
		bed, err := site.Open(t.Context(), site.plan.Cases[0], w)
		if err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		facts, err := private.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.Variables["max_connect_errors"]; got != step.value || len(report.notes) != step.notes {
			t.Errorf("%s: max_connect_errors is %s, notes %v; want %s and %d", step.what, got, report.notes, step.value, step.notes)
		}
		bed.Close()
		report.notes = nil
		lock.Release()
	}
	if left, _, err := server.MachineUndo().Read(undoFile(address, "")); err != nil || len(left) > 0 {
		t.Errorf("still there: %v (%v)", left, err)
	}
}
