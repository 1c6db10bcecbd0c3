package sweep

import (
	"fmt"
	"slices"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// reporter records what happens on the site of a sweep.
type reporter struct{ *sweep }

// Progress tells the watcher what is being done.
func (r reporter) Progress(format string, args ...any) {
	r.tell(Event{Doing: fmt.Sprintf(format, args...)})
}

// Note says once what holds for the run.
func (r reporter) Note(code, format string, args ...any) { r.note(code, format, args...) }

// Withdraw takes back a note on a state that has ended.
func (r reporter) Withdraw(n result.Note) { r.withdraw(n) }

// Case is the run's entry for a case.
func (r reporter) Case(name string) *result.Case { return r.caseFacts(name) }

// Machine keeps the facts of the server's machine.
func (r reporter) Machine(facts *hwinfo.Facts) { r.Run.Server = facts }

// Save writes run.json as the run is now.
func (r reporter) Save() error { return r.saveRun() }

func (s *sweep) saveRun() error {
	run := s.Run
	if s.Redact {
		run.Cases = slices.Clone(run.Cases)
		run.Notes = slices.Clone(run.Notes)
		if run.Server != nil {
			machine := *run.Server
			run.Server = &machine
		}
		run.Redact()
	}
	if err := result.WriteRun(s.Dir, &run); err != nil {
		return fmt.Errorf("%s: %w", s.Dir, err)
	}
	return nil
}

// note says once what holds for the run.
func (s *sweep) note(code, format string, args ...any) {
	if n := (result.Note{Code: code, Text: fmt.Sprintf(format, args...)}); !slices.Contains(s.Run.Notes, n) {
		s.Run.Notes = append(s.Run.Notes, n)
	}
}

// withdraw takes back a note on a state that has ended.
func (s *sweep) withdraw(n result.Note) {
	s.Run.Notes = slices.DeleteFunc(s.Run.Notes, func(other result.Note) bool { return other == n })
}

// caseFacts is the run's entry for a case, made when there is none.
func (s *sweep) caseFacts(name string) *result.Case {
	i := slices.IndexFunc(s.Run.Cases, func(c result.Case) bool { return c.Name == name })
	if i < 0 {
		_, existing := s.Endpoints[name]
		s.Run.Cases = append(s.Run.Cases, result.Case{Name: name, Private: !existing})
		i = len(s.Run.Cases) - 1
	}
	return &s.Run.Cases[i]
}
