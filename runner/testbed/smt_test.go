package testbed

import (
	"errors"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
)

// SMT is switched for a case and back for the next one and at the end. Where
// there is no control the case is skipped.
func TestSMT(t *testing.T) {
	control := t.TempDir() + "/control"
	report := &recorder{}
	s := &Site{report: report, smt: smtSwitch{control: control}}
	var unavailable *unavailableError
	if err := s.switchSMT(plan.Case{Name: "a", SMT: "off"}); !errors.As(err, &unavailable) {
		t.Errorf("no control: %v", err)
	}
	for _, state := range []string{"notsupported", "on"} {
		if err := writeSMT(control, state); err != nil {
			t.Fatal(err)
		}
		err := s.switchSMT(plan.Case{Name: "a", SMT: "off"})
		if state == "notsupported" && !errors.As(err, &unavailable) || state == "on" && err != nil {
			t.Errorf("%s: %v", state, err)
		}
	}
	expect := func(want string) {
		t.Helper()
		if now, err := readSMT(control); err != nil || now != want {
			t.Errorf("SMT is %s (%v); want %s", now, err, want)
		}
	}
	expect("off")
	if err := s.switchSMT(plan.Case{Name: "b"}); err != nil { // asks for nothing
		t.Error(err)
	}
	expect("on")
	if err := s.switchSMT(plan.Case{Name: "c", SMT: "off"}); err != nil {
		t.Error(err)
	}
	s.restoreSMT()
	expect("on")
	if len(report.notes) > 0 {
		t.Errorf("notes %v", report.notes)
	}
}
