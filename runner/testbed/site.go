package testbed

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/observe"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// Endpoints are the existing servers, with their passwords, by the names of
// cases. A case that is not there has a private server.
type Endpoints map[string]*server.Endpoint

// Config is what the beds of a run are made from.
type Config struct {
	Plan      plan.Plan
	Endpoints Endpoints
	Locations Locations // of the existing servers, as Preflight found them; nil = not asked
	// Workloads of the plan, by label.
	Workloads map[string]workload.Workload
	Prepared  map[string]int    // statements that a thread prepares, by label of the workload
	Redact    bool              // name replicas by number, not by host
	Resumed   bool              // a run before, which may have been killed, worked on the plan
	Observer  *observe.Observer // receives which remote machines to sample
	Report    Reporter
}

// Reporter records what happens on a site. It is called from one goroutine.
type Reporter interface {
	// Progress says what is being done now.
	Progress(format string, args ...any)
	// Note says once what holds for the whole run.
	Note(code, format string, args ...any)
	// Withdraw takes back a note on a state that has ended.
	Withdraw(result.Note)
	// Case is the run's entry for a case, made when there is none. It is valid
	// until the next call.
	Case(name string) *result.Case
	// Machine receives the facts of the server's machine.
	Machine(*hwinfo.Facts)
	// Save puts the run on disk as it is now.
	Save() error
}

// Site holds the servers of a run and what outlives a case. It is for one
// goroutine.
type Site struct {
	plan      plan.Plan
	endpoints Endpoints
	locations Locations
	workloads map[string]workload.Workload
	prepared  map[string]int
	redact    bool
	resumed   bool
	observer  *observe.Observer
	report    Reporter

	bed     *Bed               // the one that is open, nil between cases
	paused  map[serverKey]*Bed // those that are set aside
	refused map[string]error   // cases that cannot be opened, and why
	// Existing servers: those that have answered, and keys that turned out to be
	// another address of the same server.
	answered map[serverKey]bool
	sameAs   map[serverKey]serverKey
	// outages holds what could not be undone on servers that did not answer, by identity.
	outages map[string]outage
	smt     smtSwitch
	allowed unix.CPUSet // that this process had when the run began
	last    [2]string   // case and workload of the trial before
}

// NewSite makes a site. Nothing is started or changed before Prepare.
func NewSite(c Config) *Site {
	locations := maps.Clone(c.Locations)
	if locations == nil {
		locations = Locations{}
	}
	return &Site{plan: c.Plan, endpoints: c.Endpoints, locations: locations, workloads: c.Workloads, prepared: c.Prepared, redact: c.Redact, resumed: c.Resumed, observer: c.Observer, report: c.Report,
		paused: map[serverKey]*Bed{}, refused: map[string]error{}, answered: map[serverKey]bool{}, sameAs: map[serverKey]serverKey{}, outages: map[string]outage{},
		smt: smtSwitch{control: smtControl}, allowed: ownCPUs()}
}

// Prepare puts back SMT if a killed run has left it switched, and asks the
// servers which variables they do not know. It returns the cases that remain;
// those whose only variable is unknown are left out if they say if_known.
func (s *Site) Prepare(ctx context.Context) ([]plan.Case, error) {
	s.restoreLeftOverSMT()
	err := s.checkVariables(ctx)
	return s.plan.Cases, err
}

// Bed is the bed that is open, nil when there is none.
func (s *Site) Bed() *Bed { return s.bed }

// Refused says why a case cannot be opened, nil while that is not known.
func (s *Site) Refused(c plan.Case) error {
	if err := s.refused[c.Name]; err != nil {
		return fmt.Errorf("case %s: %w", c.Name, err)
	}
	return nil
}

// Open makes a case ready for trials of a workload: its server runs, the tables
// are loaded, the caches are as the case asks, the machine has come to rest.
// The bed that was open is paused or becomes this one; its data can be checked
// only before (Bed.Check). On an error, Bed tells what is still open.
func (s *Site) Open(ctx context.Context, c plan.Case, w plan.Workload) (*Bed, error) {
	if err := s.Refused(c); err != nil {
		return nil, err
	}
	if s.bed != nil && s.bed.key != s.keyOf(c) {
		s.bed.makeWay(ctx)
	}
	if err := s.openCase(ctx, c); err != nil {
		s.fail(ctx, c, err)
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	}
	b := s.bed
	if err := b.Guard(ctx); err != nil { // loading tables is load as well
		return nil, err
	}
	if err := b.tablesReady(ctx, w); err != nil {
		return nil, fmt.Errorf("case %s: workload %s: %w", c.Name, w.Label(), err)
	}
	if b.warm[w.Label()] {
		return b, b.settlePorts(ctx, w)
	}
	if err := b.cacheState(ctx, w); err != nil {
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	}
	b.warm[w.Label()] = true
	if err := b.settle(ctx); err != nil {
		return b, err
	}
	return b, b.settlePorts(ctx, w)
}

// openCase makes the open bed the case's; without one it starts, resumes or
// reaches a server first.
func (s *Site) openCase(ctx context.Context, c plan.Case) error {
	if s.bed != nil {
		if s.bed.Name == c.Name {
			return nil
		}
		return s.bed.switchTo(ctx, c)
	}
	owner := s.ownerOf(c)
	if err := s.switchSMT(owner); err != nil {
		return err
	}
	b, err := s.wake(ctx, owner)
	if err != nil {
		return err
	}
	s.bed = b
	if err := b.prepare(ctx); err != nil {
		b.Close() // nothing can be measured on half a case
		return err
	}
	if owner.Name != c.Name {
		return b.switchTo(ctx, c)
	}
	return nil
}

// fail records why a case could not be opened.
func (s *Site) fail(ctx context.Context, c plan.Case, err error) {
	facts := s.report.Case(c.Name)
	facts.Status, facts.Error = result.Failed, err.Error()
	var unavailable *unavailableError
	switch {
	case ctx.Err() != nil:
		facts.Status = result.Interrupted
	case errors.As(err, &unavailable):
		facts.Status = result.Skipped
	}
	var restart *restartError
	if ctx.Err() == nil && (s.endpoint(c) == nil || errors.As(err, &restart)) {
		s.refused[c.Name] = err // a server that did not start will not the next time
	}
}

// wake is the bed of a case with its server running: resumed, started or reached.
func (s *Site) wake(ctx context.Context, c plan.Case) (*Bed, error) {
	if b := s.paused[s.keyOf(c)]; b != nil {
		if b.private == nil {
			return s.resumeExisting(ctx, b, c)
		}
		return b, s.resumePrivate(ctx, b, c)
	}
	if s.endpoint(c) != nil {
		return s.reach(ctx, c)
	}
	b := s.newBed(c)
	return b, b.start(ctx)
}

// Close closes the open bed and those that are paused, and puts SMT back. It
// works after the run was cut off, each step within its own limit.
func (s *Site) Close() {
	if s.bed != nil {
		s.bed.Close()
	}
	for _, b := range s.paused {
		b.end()
	}
	s.restoreSMT()
}

// EndsRun reports whether an error of Open holds for all cases: another run has the server, its
// load is critical, or a limit of the plan is on a status variable that does not exist.
func EndsRun(err error) bool {
	var held *server.LockedError
	var critical *CriticalLoadError
	var unknown *UnknownStatusError
	return errors.As(err, &held) || errors.As(err, &critical) || errors.As(err, &unknown)
}
