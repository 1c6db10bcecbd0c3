package testbed

import (
	"context"
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

// Guard waits, before a trial and before tables are loaded, until the server's load is below
// --max-load, and keeps the lock meanwhile. Load above --critical-load, or above --max-load for an
// hour, is a *CriticalLoadError.
func (b *Bed) Guard(ctx context.Context) error {
	p := &b.site.plan
	if len(p.MaxLoad)+len(p.CriticalLoad) == 0 {
		return nil
	}
	began := time.Now()
	paused := ""
	for {
		look, err := b.lookAtLoad(ctx)
		if err != nil {
			return err
		}
		critical, err := look.above(p.CriticalLoad, false)
		if err != nil {
			return err
		}
		if critical != "" {
			return &CriticalLoadError{critical + " (--critical-load)"}
		}
		what, err := look.above(p.MaxLoad, true)
		if err != nil {
			return err
		}
		if what == "" {
			break
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
	if paused != "" {
		b.site.report.Note("load-paused", "case %s was paused for %s, because %s (--max-load)", b.Name, time.Since(began).Round(time.Second), paused)
	}
	return nil
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
func (l loadLook) above(limits plan.LoadLimits, unknown bool) (string, error) {
	for _, limit := range limits {
		if limit.Name == plan.ReplicaLag {
			if what := l.lagAbove(limit.Most, unknown); what != "" {
				return what, nil
			}
			continue
		}
		value, ok := l.counter(limit.Name)
		if !ok {
			return "", unknownCounter(limit.Name)
		}
		if value > limit.Most {
			return fmt.Sprintf("%s is %g, limit %g", limit.Name, value, limit.Most), nil
		}
	}
	return "", nil
}

// checkLoadNames makes sure that a server has the status variables that limits are on, before
// anything is started.
func checkLoadNames(ctx context.Context, p *plan.Plan, target *server.Target) error {
	limits := append(slices.Clone(p.MaxLoad), p.CriticalLoad...)
	if len(limits) == 0 {
		return nil
	}
	counters, err := target.Counters(ctx)
	if err != nil {
		return err
	}
	for _, limit := range limits {
		if _, ok := (loadLook{counters: counters}).counter(limit.Name); !ok && limit.Name != plan.ReplicaLag {
			return unknownCounter(limit.Name)
		}
	}
	return nil
}

func unknownCounter(name string) error {
	return fmt.Errorf("the server has no numeric status variable %s (--max-load, --critical-load)", name)
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
