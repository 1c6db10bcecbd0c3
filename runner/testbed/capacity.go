package testbed

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// observers are our own connections beside the load: the observer, the lock,
// set-up work.
const observers = 3

// capacity is how much load a server accepts at a time.
type capacity struct {
	connections server.ConnectionLimit
	prepared    *int   // statements, of all connections together; nil: no limit, or not asked for
	files       uint64 // that mysweep can have open; 0: unknown
}

// readCapacity asks the server; for prepared statements only when some are
// made, as not every server knows their limit.
func readCapacity(ctx context.Context, t *server.Target, prepares bool) (c capacity, err error) {
	c.files = fileLimit()
	if c.connections, err = t.ConnectionLimit(ctx); err != nil || !prepares {
		return c, err
	}
	most, ok, err := t.MaxPrepared(ctx)
	if ok && most >= 0 {
		c.prepared = &most
	}
	return c, err
}

// CapacityError says why so many threads do not fit on a server.
type CapacityError struct {
	Limit string // the server's variable; "" for a limit of mysweep itself
	text  string
}

func (e *CapacityError) Error() string { return e.text }

// fits returns a *CapacityError when the server does not accept so many threads,
// each with so many prepared statements.
func (c capacity) fits(threads, statements int) error {
	if err := filesFit(threads, c.files); err != nil {
		return err
	}
	if l := c.connections; l.Most > 0 && threads+observers > l.Most {
		return &CapacityError{l.Name, fmt.Sprintf("needs %d connections, limit %d (%s, %d of them for mysweep itself): raise the limit, or use fewer threads",
			threads, l.Most, l.Name, observers)}
	}
	if needed := threads * statements; c.prepared != nil && needed > *c.prepared {
		return &CapacityError{"max_prepared_stmt_count", fmt.Sprintf("needs %d prepared statements (%d threads with %d each), limit %d (max_prepared_stmt_count): raise the limit, or use fewer threads or --protocol text",
			needed, threads, statements, *c.prepared)}
	}
	return nil
}

// filesFit returns a *CapacityError when mysweep cannot have so many connections open.
func filesFit(threads int, limit uint64) error {
	if needed := uint64(threads + spareFiles); limit > 0 && needed > limit {
		return &CapacityError{"", fmt.Sprintf("needs %d file descriptors, limit %d (ulimit -n, hard): raise the limit, or use fewer threads", needed, limit)}
	}
	return nil
}

// fileLimit is how many files mysweep can have open, 0 when it is unknown.
func fileLimit() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0 // then the connects will tell
	}
	return limit.Max
}

// Capacity returns a function that says why a number of threads of a workload
// do not fit on the bed's server, nil if they do.
func (b *Bed) Capacity(ctx context.Context, w plan.Workload) (fits func(threads int) error, err error) {
	c, err := readCapacity(ctx, b.target, b.site.prepared[w.Label()] > 0)
	if err != nil {
		return nil, err
	}
	return func(threads int) error { return c.fits(threads, b.site.prepared[w.Label()]) }, nil
}

// anyFits returns a *CapacityError when no cell of the plan fits on the server.
func anyFits(ctx context.Context, p *plan.Plan, prepared map[string]int, target *server.Target) error {
	c, err := readCapacity(ctx, target, len(prepared) > 0)
	if err != nil {
		return err
	}
	var refused error
	for _, w := range p.Workloads {
		for _, threads := range p.Threads {
			err := c.fits(threads, prepared[w.Label()])
			if err == nil {
				return nil
			}
			if refused == nil {
				refused = err
			}
		}
	}
	return refused
}

// raises reports whether a case sets a limit of its server, which then is not
// known before it runs.
func raises(c plan.Case) bool {
	for _, options := range []plan.Options{c.Options, c.SetGlobal} {
		for name := range options {
			switch plainName(name) {
			case "max_connections", "max_user_connections", "max_prepared_stmt_count":
				return true
			}
		}
	}
	return false
}
