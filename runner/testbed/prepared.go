package testbed

import (
	"context"
	"fmt"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// morePrepared is what the limit of prepared statements is raised to on a
// private server with many threads: the most that every server takes.
const morePrepared = "1048576"

// CheckPrepared asks each existing server whether it keeps the prepared
// statements of all threads, each of which has so many, before anything is
// started or changed. One that does not answer is left to Preflight.
func CheckPrepared(ctx context.Context, p *plan.Plan, endpoints map[string]*server.Endpoint, each int) error {
	if p.Protocol != "prepared" || each == 0 {
		return nil
	}
	asked := map[string]bool{}
	for _, e := range endpoints {
		if asked[e.Name()] {
			continue
		}
		asked[e.Name()] = true
		if err := checkPrepared(ctx, *e, p.Threads.Max(), each); err != nil {
			return err
		}
	}
	return nil
}

func checkPrepared(ctx context.Context, e server.Endpoint, threads, each int) error {
	target, err := server.Open(ctx, e)
	if err != nil {
		return nil
	}
	defer target.Close()
	most, err := target.MaxPrepared(ctx)
	if err != nil {
		return err
	}
	if needed := threads * each; needed > most {
		return fmt.Errorf("%d threads with %d prepared statements each need %d, the server's max_prepared_stmt_count is %d: SET GLOBAL max_prepared_stmt_count = %d there, ask for fewer threads, or for --protocol text",
			threads, each, needed, most, needed)
	}
	return nil
}
