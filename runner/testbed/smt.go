package testbed

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// smtControl is the kernel's switch of SMT (Hyper-Threading) for the whole
// machine: on, off, forceoff, notsupported or notimplemented.
// https://docs.kernel.org/admin-guide/cputopology.html
const smtControl = "/sys/devices/system/cpu/smt/control"

// smtWait bounds the wait for the kernel to take CPUs away or bring them back.
const smtWait = 5 * time.Second

// smtSwitch is the kernel's switch, and what it was before the run; "" = it was
// not touched.
type smtSwitch struct{ control, before string }

// switchSMT makes the machine's SMT what the case asks for; a case that asks
// for nothing gets what the machine had before the run.
func (s *Site) switchSMT(c plan.Case) error {
	wanted := first(c.SMT, s.smt.before)
	if wanted == "" {
		return nil
	}
	now, err := readSMT(s.smt.control)
	if err != nil {
		return &unavailableError{fmt.Sprintf("smt %s: this machine has no control of SMT: %v", wanted, err)}
	}
	switch {
	case now == wanted:
		return nil
	case now != "on" && now != "off":
		return &unavailableError{fmt.Sprintf("smt %s: this machine's SMT is %s and cannot be switched", wanted, now)}
	}
	if s.smt.before == "" {
		if err := rememberSMT(now); err != nil {
			return err
		}
		s.smt.before = now
	}
	s.report.Progress("switching SMT %s", wanted)
	if err := writeSMT(s.smt.control, wanted); err != nil {
		return &unavailableError{fmt.Sprintf("smt %s: %v", wanted, err)}
	}
	return nil
}

// restoreSMT puts back what the machine had. It runs at the end, whatever ended
// the run.
func (s *Site) restoreSMT() {
	if s.smt.before == "" {
		return
	}
	if err := writeSMT(s.smt.control, s.smt.before); err != nil {
		s.report.Note("not-undone", "SMT could not be switched %s again: %v: do it by hand: echo %s > %s", s.smt.before, err, s.smt.before, s.smt.control)
		return
	}
	s.smt.before = ""
	server.MachineUndo().Remove(smtFile)
}

// restoreLeftOverSMT puts back SMT that a killed run has left switched.
func (s *Site) restoreLeftOverSMT() {
	files, ignored, err := server.MachineUndo().Read(smtFile)
	s.noteIgnoredUndo(ignored)
	if err != nil {
		s.report.Note("not-undone", "what killed runs have left could not be read: %v", err)
	}
	for _, file := range files {
		s.undoSMT(file)
	}
}

func (s *Site) undoSMT(file server.UndoFile) {
	var left smtState
	err := json.Unmarshal(file.Data, &left)
	if _, gone := os.Stat(fmt.Sprintf("/proc/%d", left.PID)); err == nil && gone == nil {
		return // that run lives, and has SMT so on purpose
	}
	if err == nil {
		err = writeSMT(s.smt.control, left.Before)
	}
	if err != nil {
		s.report.Note("not-undone", "a killed run has left SMT switched, and it could not be put back (%s): %v", file.Path, err)
		return
	}
	s.report.Note("restored", "SMT was left switched by a run that was killed, and was put back to %s", left.Before)
	file.Remove()
}

// smtFile holds what SMT was, for the run after one that is killed.
const smtFile = "smt.json"

// smtState is what is in that file.
type smtState struct {
	Before string `json:"before"`
	PID    int    `json:"pid"` // of the run that switched it
}

func rememberSMT(state string) error {
	raw, err := json.Marshal(smtState{state, os.Getpid()})
	if err != nil {
		return err
	}
	return server.MachineUndo().Write(smtFile, raw)
}

func readSMT(path string) (string, error) {
	raw, err := os.ReadFile(path)
	return strings.TrimSpace(string(raw)), err
}

// writeSMT switches and waits until the kernel has done it.
func writeSMT(path, state string) error {
	if err := os.WriteFile(path, []byte(state), 0o644); err != nil {
		return err
	}
	for deadline := time.Now().Add(smtWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if now, err := readSMT(path); err == nil && now == state {
			return nil
		}
	}
	return fmt.Errorf("%s did not change to %s", path, state)
}
