package sweep

import (
	"context"
	"fmt"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// checkData asks the workloads of the open case whether their data are still
// right. Those that are not make the case's trials invalid: their lines are
// written again, and the later line counts.
func (s *sweep) checkData(ctx context.Context) error {
	if s.open == nil {
		return nil
	}
	if err := s.checkReplicas(ctx); err != nil {
		return err
	}
	for label := range s.open.loaded {
		c, ok := s.Workloads[label].(workload.Checker)
		if !ok {
			continue
		}
		s.doing("checking the data of %s", label)
		if err := c.Check(ctx, s.query); err != nil && ctx.Err() == nil {
			if err := s.invalidate(label, err); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sweep) invalidate(label string, why error) error {
	for i := range s.trials {
		t := &s.trials[i]
		if t.Case != s.open.Name || t.Workload != label || t.Status != result.OK {
			continue
		}
		t.Status, t.Error = result.Invalid, fmt.Sprintf("the data are wrong after the case: %v", why)
		if err := s.journal.Append(t); err != nil {
			return err
		}
	}
	return nil
}
