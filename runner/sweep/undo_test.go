package sweep

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// A run in another schema of the same server has set a variable: as long as it
// lives, that stays; once it was killed, the next run puts it back.
func TestUndoOfAnotherRun(t *testing.T) {
	private, err := server.StartPrivate(t.Context(), server.Private{AllowMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer private.Stop()
	const address, theirs = "test of undo", "mysweep/theirs"
	changes, err := private.PlanGlobals(t.Context(), []server.Option{{Name: "max_connect_errors", Value: "4321"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := rememberUndo(address, theirs, changes); err != nil {
		t.Fatal(err)
	}
	defer forgetUndo(address, theirs)
	if err := private.SetGlobals(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	lock, err := private.Lock(t.Context(), theirs)
	if err != nil {
		t.Fatal(err)
	}
	s := &sweep{Job: Job{Plan: plan.Default()}}
	for _, step := range []struct {
		what  string
		value string
		notes int
	}{{"it lives", "4321", 0}, {"it was killed", changes[0].Before, 1}} {
		if err := s.undoLeftOver(t.Context(), &opened{target: private.Target, home: home{address: address}}); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		facts, err := private.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.Variables["max_connect_errors"]; got != step.value || len(s.Run.Notes) != step.notes {
			t.Errorf("%s: max_connect_errors is %s, notes %v; want %s and %d", step.what, got, s.Run.Notes, step.value, step.notes)
		}
		lock.Release()
	}
	if left, _, err := server.MachineUndo().Read(undoFile(address, "")); err != nil || len(left) > 0 {
		t.Errorf("still there: %v (%v)", left, err)
	}
}
