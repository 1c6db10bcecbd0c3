package testbed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// Waits of Guard: between two looks at the load, and for it to go down.
const (
	loadPoll = time.Second
	loadWait = time.Hour
)

// CriticalLoadError says that the server is too busy for the run to go on.
type CriticalLoadError struct{ What string }

func (e *CriticalLoadError) Error() string { return "critical load: " + e.What }

// UnknownStatusError says that a server lacks a status variable that a limit is on.
type UnknownStatusError struct{ Name string }

func (e *UnknownStatusError) Error() string {
	return fmt.Sprintf("the server has no numeric status variable %s (--max-load, --critical-load): SHOW GLOBAL STATUS lists them", e.Name)
}

// Guard waits, before a trial and before tables are loaded, until the server's load is below
// --max-load, and keeps the lock meanwhile. Load above --critical-load, or above --max-load for an
// hour, is a *CriticalLoadError. A server that does not answer is waited for.
func (b *Bed) Guard(ctx context.Context) error {
	p := &b.site.plan
	if len(p.MaxLoad)+len(p.CriticalLoad) == 0 {
		return nil
	}
	began := time.Now()
	paused := ""
	defer func() {
		if paused != "" { // also when the run ends meanwhile
			b.site.report.Note("load-paused", "case %s was paused for %s, because %s (--max-load)", b.Name, time.Since(began).Round(time.Second), paused)
		}
	}()
	for {
		look, err := b.awaitLoad(ctx)
		if err != nil {
			return err
		}
		if critical := look.above(p.CriticalLoad, false); critical != "" {
			return &CriticalLoadError{critical + " (--critical-load)"}
		}
		what := look.above(p.MaxLoad, true)
		if what == "" {
			return nil
		}
		if paused == "" {
			paused = what
		}
		if time.Since(began) > loadWait {
			return &CriticalLoadError{fmt.Sprintf("%s for %s (--max-load)", what, loadWait)}
		}
		b.site.report.Progress("paused: %s", what)
		if err := sleep(ctx, loadPoll); err != nil {
			return err
		}
		if err := b.Hold(ctx); err != nil {
			return err
		}
	}
}

// awaitLoad looks at the load; an existing server that does not answer may be back soon. Its lock
// ended with its old process, so it is taken again.
func (b *Bed) awaitLoad(ctx context.Context) (loadLook, error) {
	var unknown *UnknownStatusError
	for deadline := time.Now().Add(backWithin); ; {
		look, err := b.lookAtLoad(ctx)
		if err == nil || errors.As(err, &unknown) || b.private != nil || time.Now().After(deadline) {
			return look, err
		}
		b.site.report.Progress("waiting for the server to answer: %v", err)
		if err := sleep(ctx, loadPoll); err != nil {
			return look, err
		}
		if b.Alive(ctx) {
			if err := b.Hold(ctx); err != nil {
				return look, err
			}
		}
	}
}

// loadLook is the load of a server and its replicas at a moment.
type loadLook struct {
	counters server.Counters
	lags     map[string]*float64 // seconds by replica; nil: it does not know
}

func (b *Bed) lookAtLoad(ctx context.Context) (look loadLook, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if look.counters, err = b.target.Counters(ctx); err != nil {
		return look, err
	}
	if err := checkNames(&b.site.plan, look); err != nil {
		return look, err
	}
	look.lags = map[string]*float64{}
	if b.site.plan.MaxLoad.Lag() || b.site.plan.CriticalLoad.Lag() {
		for _, r := range b.replicas {
			if look.lags[r.name], err = r.target.Lag(ctx); err != nil {
				return look, err
			}
		}
	}
	return look, nil
}

// above names the first limit that is exceeded, "" when none is. unknown says whether a lag that is
// not known counts.
func (l loadLook) above(limits plan.LoadLimits, unknown bool) string {
	for _, limit := range limits {
		if limit.Name == plan.ReplicaLag {
			if what := l.lagAbove(limit.Most, unknown); what != "" {
				return what
			}
		} else if value, _ := l.counter(limit.Name); value > limit.Most {
			return fmt.Sprintf("%s is %g, limit %g", limit.Name, value, limit.Most)
		}
	}
	return ""
}

// checkLoadNames makes sure that a server has the status variables that limits are on, before
// anything is started.
func checkLoadNames(ctx context.Context, p *plan.Plan, target *server.Target) error {
	if len(p.MaxLoad)+len(p.CriticalLoad) == 0 {
		return nil
	}
	counters, err := target.Counters(ctx)
	if err != nil {
		return err
	}
	return checkNames(p, loadLook{counters: counters})
}

// checkNames returns an *UnknownStatusError for the first limit on what the server does not have.
func checkNames(p *plan.Plan, look loadLook) error {
	for _, limit := range slices.Concat(p.MaxLoad, p.CriticalLoad) {
		if _, ok := look.counter(limit.Name); !ok && limit.Name != plan.ReplicaLag {
			return &UnknownStatusError{limit.Name}
		}
	}
	return nil
}

func (l loadLook) lagAbove(most float64, unknown bool) string {
	for name, lag := range l.lags {
		switch {
		case lag == nil && unknown:
			return fmt.Sprintf("the lag of %s is unknown", name)
		case lag != nil && *lag > most:
			return fmt.Sprintf("%s is %g s behind, limit %g s", name, *lag, most)
		}
	}
	return ""
}

// counter finds a status variable, whose name has no case.
func (l loadLook) counter(name string) (float64, bool) {
	for other, value := range l.counters {
		if strings.EqualFold(other, name) {
			return value, true
		}
	}
	return 0, false
}
