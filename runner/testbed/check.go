package testbed

import (
	"context"

	"github.com/mysweep/mysweep/runner/workload"
)

// Check asks the bed's replicas and workloads whether their data are still
// right, and returns what is wrong by workload: the case's trials of it are
// invalid.
func (b *Bed) Check(ctx context.Context) (wrong map[string]error, err error) {
	if err := b.checkReplicas(ctx); err != nil {
		return nil, err
	}
	wrong = map[string]error{}
	for label := range b.loaded {
		c, ok := b.site.workloads[label].(workload.Checker)
		if !ok {
			continue
		}
		b.site.report.Progress("checking the data of %s", label)
		if err := c.Check(ctx, b.query); err != nil && ctx.Err() == nil {
			wrong[label] = err
		}
	}
	return wrong, nil
}
