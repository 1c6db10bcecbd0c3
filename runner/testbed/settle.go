package testbed

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// settle waits until the machine and the server have come to rest, as far as
// the plan asks for it. Waiting in vain is a note, not a failure.
func (b *Bed) settle(ctx context.Context) error {
	conditions := b.site.plan.Settle
	if !conditions.Any() {
		return nil
	}
	limit := time.After(time.Duration(conditions.Timeout))
	for {
		wanting := b.unsettled(ctx)
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
func (b *Bed) unsettled(ctx context.Context) string {
	c := b.site.plan.Settle
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
