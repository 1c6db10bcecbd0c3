package testbed

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
)

// settle waits until the machine and the server have come to rest, as far as
// the plan asks for it. Waiting in vain is a note, not a failure.
func (b *Bed) settle(ctx context.Context) error {
	return b.await(ctx, b.site.plan.Settle)
}

// settlePorts waits, before another case than the last one, until the ports are free again that its
// connections have used, when the load reconnects over TCP. A condition that the plan sets on them
// is the one that holds.
func (b *Bed) settlePorts(ctx context.Context, w plan.Workload) error {
	last := b.site.last[0]
	reconnects := load.Reconnects(b.site.workloads[w.Label()], b.site.plan.Reconnect)
	if last == "" || last == b.Name || reconnects == "never" || reconnects == "" || b.target.Config().Net != "tcp" {
		return nil
	}
	address, err := net.ResolveTCPAddr("tcp", b.target.Config().Addr)
	if err != nil {
		return nil // the load's own connections tell
	}
	ports, scarce := load.ScarcePorts(os.DirFS("/"), address)
	if !scarce {
		return nil
	}
	c := plan.Settle{TimeWait: b.site.plan.Settle.TimeWait, Timeout: portsWithin}
	if c.TimeWait == nil {
		few := ports / 10
		c.TimeWait = &few
	}
	return b.await(ctx, c)
}

// portsWithin is longer than a port stays in TIME_WAIT.
const portsWithin = plan.Duration(90 * time.Second)

// await waits until conditions hold.
func (b *Bed) await(ctx context.Context, conditions plan.Settle) error {
	if !conditions.Any() {
		return nil
	}
	limit := time.After(time.Duration(conditions.Timeout))
	for {
		wanting := b.unsettled(ctx, conditions)
		if wanting == "" {
			return nil
		}
		b.site.report.Progress("waiting: %s", wanting)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-limit:
			b.site.report.Note("unsettled", "case %s began although %s after %s of waiting", b.Name, wanting, conditions.Timeout)
			return nil
		case <-time.After(time.Second):
		}
	}
}

// unsettled names the first condition that does not hold yet.
func (b *Bed) unsettled(ctx context.Context, c plan.Settle) string {
	if c.Load1 != nil {
		if load, ok := loadAverage(); ok && load.One > *c.Load1 {
			return fmt.Sprintf("the load average is %.2f, wanted %.2f", load.One, *c.Load1)
		}
	}
	if c.TimeWait != nil {
		if n, ok := timeWait(); ok && n > *c.TimeWait {
			return fmt.Sprintf("%d sockets are in TIME_WAIT, wanted %d", n, *c.TimeWait)
		}
	}
	if c.Dirty != nil {
		if share, ok := b.dirtyShare(ctx); ok && share > *c.Dirty {
			return fmt.Sprintf("%.1f %% of the buffer pool is dirty, wanted %.1f %%", share*100, *c.Dirty*100)
		}
	}
	return ""
}

func (b *Bed) dirtyShare(ctx context.Context) (float64, bool) {
	counters, err := b.target.Counters(ctx)
	if err != nil || counters["Innodb_buffer_pool_pages_total"] == 0 {
		return 0, false
	}
	return counters["Innodb_buffer_pool_pages_dirty"] / counters["Innodb_buffer_pool_pages_total"], true
}

// timeWait is the number of TCP sockets in TIME_WAIT of this network namespace.
func timeWait() (int, bool) {
	data, err := os.ReadFile("/proc/net/sockstat")
	n := procfs.ParseSockstat(data).TimeWait
	return int(n), err == nil && n >= 0
}
