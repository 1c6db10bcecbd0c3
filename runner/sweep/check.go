package sweep

import (
	"context"
	"fmt"

	"github.com/mysweep/mysweep/runner/result"
)

// checkData asks the open bed whether the data of its case are still right.
// Those that are not make the case's trials invalid: their lines are written
// again, and the later line counts.
func (s *sweep) checkData(ctx context.Context) error {
	bed := s.site.Bed()
	if bed == nil {
		return nil
	}
	wrong, err := bed.Check(ctx)
	if err != nil {
		return err
	}
	for label, why := range wrong {
		if err := s.invalidate(bed.Name, label, why); err != nil {
			return err
		}
	}
	return nil
}

func (s *sweep) invalidate(caseName, label string, why error) error {
	status, text := result.Invalid, fmt.Sprintf("the data are wrong after the case: %v", why)
	concerns := func(t *result.Trial) bool {
		return t.Case == caseName && t.Workload == label && t.Status == result.OK
	}
	written, err := result.Read(s.Dir)
	if err != nil {
		return err
	}
	for t := range written.Full() {
		if !concerns(t) {
			continue
		}
		t.Status, t.Error = status, text
		if err := s.journal.Append(t); err != nil {
			return err
		}
	}
	for i := range s.trials {
		if t := &s.trials[i]; concerns(t) {
			t.Status, t.Error = status, text
		}
	}
	return written.Err()
}
