package sweep

import (
	"context"
	"fmt"

	"mysweep/runner/plan"
	"mysweep/runner/server"
)

// morePrepared is what the limit of prepared statements is raised to on a
// private server with many threads: the most that every server takes.
const morePrepared = "1048576"

// CheckPrepared asks an existing server whether it keeps the prepared
// statements of all threads, each of which has so many, before anything is
// started or changed.
func CheckPrepared(ctx context.Context, p *plan.Plan, e *server.Endpoint, each int) error {
	if e == nil || p.Protocol != "prepared" || each == 0 {
		return nil
	}
	target, err := server.Open(ctx, *e)
	if err != nil {
		return &UnreachableError{err}
	}
	defer target.Close()
	most, err := target.MaxPrepared(ctx)
	if err != nil {
		return err
	}
	threads := p.Threads.Max()
	if needed := threads * each; needed > most {
		return fmt.Errorf("%d threads with %d prepared statements each need %d, the server's max_prepared_stmt_count is %d: SET GLOBAL max_prepared_stmt_count = %d there, ask for fewer threads, or for --protocol text",
			threads, each, needed, most, needed)
	}
	return nil
}
