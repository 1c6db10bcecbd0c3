package testbed

import (
	"context"
	"errors"
	"fmt"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// CheckTables asks each existing server whether the tables that were prepared
// there, or those of --existing-tables, are those of the plan, before anything is
// started or changed: a run never drops or loads them. One that does not answer is
// left to Preflight.
func CheckTables(ctx context.Context, p *plan.Plan, endpoints Endpoints, workloads map[string]workload.Workload) error {
	asked := map[string]bool{}
	for _, c := range p.Cases {
		e := endpoints[c.Name]
		if e == nil || asked[e.Name()] {
			continue
		}
		asked[e.Name()] = true
		err := checkTables(ctx, p, *e, workloads)
		if err != nil && len(p.Cases) > 1 {
			err = fmt.Errorf("case %s: %w", c.Name, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkTables(ctx context.Context, p *plan.Plan, e server.Endpoint, workloads map[string]workload.Workload) error {
	target, err := server.Open(ctx, e)
	if err != nil {
		return nil
	}
	defer target.Close()
	config := target.Config()
	config.DBName = p.Server.Database
	for _, w := range p.Workloads {
		tables := workloads[w.Label()].Tables()
		check := func() error { return bulk.CheckPrepared(ctx, config, tables, BulkOptions(p, w)) }
		if p.ExistingTables {
			check = func() error { return bulk.CheckRows(ctx, config, tables) }
		}
		err := check()
		var misfit *bulk.MisfitError
		var rows *bulk.RowsError
		if errors.As(err, &misfit) || errors.As(err, &rows) {
			return fmt.Errorf("workload %s: %w", w.Label(), err)
		}
	}
	return nil // what cannot be read now will be told by the load
}
