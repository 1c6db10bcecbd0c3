package load

import (
	"context"
	"time"

	"github.com/mysweep/mysweep/runner/login"
)

// Edges is called when the measured part of a trial begins and ends, on a goroutine that may block.
// The context bounds the wait; that of WindowBegins also ends at the deadline and with the trial.
type Edges interface {
	// LoadOn tells, once in a trial and without waiting, which server a connection of the load is
	// on.
	LoadOn(login.Identity)
	// WindowBegins is called at the end of the ramp-up, if there is one.
	WindowBegins(context.Context)
	// WindowEnds is called at the deadline of a timed trial, if threads still wait for answers
	// then.
	WindowEnds(context.Context)
}

// edgeWithin bounds how long an edge may be read.
const edgeWithin = 5 * time.Second

// watch follows the clock of a burst and reports the edges of its measured part. ctx ends with the
// burst.
func (b *burst) watch(ctx context.Context) {
	select {
	case <-b.started:
	case <-ctx.Done():
		return
	}
	trial := &b.run.trial
	if trial.RampUp > 0 {
		if b.cancelled || !b.reaches(ctx, b.from) {
			return
		}
		b.meter.open()
		if trial.Edges != nil {
			b.windowBegins(ctx)
		}
	}
	if b.cancelled || b.deadline == 0 || !b.reaches(ctx, b.deadline) {
		return
	}
	b.meter.close()
	if trial.Edges != nil {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), edgeWithin)
		trial.Edges.WindowEnds(limited)
		cancel()
	}
}

// windowBegins has the first edge read, before the second one is due.
func (b *burst) windowBegins(ctx context.Context) {
	limit := time.Now().Add(edgeWithin)
	if due := b.run.clock.at(b.deadline); b.deadline > 0 && due.Before(limit) {
		limit = due
	}
	limited, cancel := context.WithDeadline(ctx, limit)
	defer cancel()
	b.run.trial.Edges.WindowBegins(limited)
}

// reaches waits for a moment on the trial's clock, and reports whether ctx lasted until then.
func (b *burst) reaches(ctx context.Context, moment time.Duration) bool {
	timer := time.NewTimer(time.Until(b.run.clock.at(moment)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
