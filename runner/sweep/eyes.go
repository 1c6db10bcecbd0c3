package sweep

import (
	"context"
	"runtime"
	"time"

	"mysweep/runner/result"
)

// eyes watch the machines and the server while trials run.
type eyes struct{ clock time.Time }

func openEyes(clock time.Time) *eyes { return &eyes{clock} }

func (e *eyes) watch(*opened) {}
func (e *eyes) look()         {}
func (e *eyes) close()        {}

type look struct{ before *result.Load }

func (e *eyes) begin(context.Context) *look {
	l, _ := loadAverage()
	return &look{&l}
}

func (l *look) end(*result.Measure) result.Evidence {
	after, _ := loadAverage()
	return result.Evidence{Client: &result.Machine{LoadBefore: l.before, LoadAfter: &after, UsableCPUs: float64(runtime.NumCPU())}, SharedHost: true}
}
