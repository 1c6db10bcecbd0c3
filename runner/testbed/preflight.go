package testbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/hwinfo/procfs"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// spareFiles is what the process has open beside its connections.
const spareFiles = 64

// busyLoad is the load average for each CPU above which a machine is not idle.
const busyLoad = 0.5

// Preflight looks at the machine and at the servers that are named, by case,
// before anything is started or changed. Its error is a refusal: the plan asks
// for what is not there. A named server that does not answer is an
// *UnreachableError; among several servers its cases fail alone, and so do those of
// a server on which no cell fits. prepared is how many statements a thread prepares,
// by workload. It returns where the named servers are, and notes for the run.
func Preflight(ctx context.Context, p *plan.Plan, endpoints Endpoints, prepared map[string]int) (Locations, []result.Note, error) {
	if err := raiseFileLimit(p.Threads); err != nil {
		return nil, nil, err
	}
	locations := Locations{}
	named, err := checkServers(ctx, p, endpoints, prepared, locations)
	if err != nil || len(endpoints) == len(p.Cases) {
		return locations, nil, err
	}
	// Servers that killed runs have left would count as other servers: they go first.
	notes := reapOrphans(p)
	if !p.Private.Wanted {
		if err := undisturbed(named); err != nil {
			return locations, notes, err
		}
	}
	return locations, notes, checkPrivate(ctx, p, endpoints)
}

// reapOrphans removes the servers that killed runs have left where this plan
// makes its own. What cannot be removed is told again by the start of ours, if
// it matters at all.
func reapOrphans(p *plan.Plan) []result.Note {
	var notes []result.Note
	for _, parent := range datadirParents(p) {
		reaped, err := server.ReapOrphans(parent)
		for _, o := range reaped {
			text := fmt.Sprintf("a killed run had left the private folder %s: it was removed", o.Folder)
			if o.PID != 0 {
				text = fmt.Sprintf("a killed run had left a private server (pid %d, folder %s): it was stopped and removed", o.PID, o.Folder)
			}
			notes = append(notes, result.Note{Code: "reaped", Text: text})
		}
		if err != nil {
			notes = append(notes, result.Note{Code: "left-behind", Text: fmt.Sprintf("leftovers of a killed run could not be removed: %v", err)})
		}
	}
	return notes
}

// raiseFileLimit lets as many connections as threads be open, as far as the hard limit goes. It
// refuses when not even the fewest threads fit; other cells that do not are skipped.
func raiseFileLimit(threads plan.Ints) error {
	if err := filesFit(slices.Min(threads), fileLimit()); err != nil {
		return err
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || limit.Cur >= uint64(threads.Max()+spareFiles) {
		return nil
	}
	limit.Cur = limit.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("the limit of open files cannot be raised to %d: %w", limit.Max, err)
	}
	return nil
}

// UnreachableError says why a named server could not be reached. The plan may be
// right, so it is not bad input.
type UnreachableError struct{ Cause error }

func (e *UnreachableError) Error() string { return e.Cause.Error() }
func (e *UnreachableError) Unwrap() error { return e.Cause }

// checkServers asks each existing server once whether it accepts any cell of the
// plan, and returns their datadirs.
func checkServers(ctx context.Context, p *plan.Plan, endpoints Endpoints, prepared map[string]int, locations Locations) (datadirs []string, err error) {
	asked := map[server.Endpoint]bool{}
	var unreachable, tooSmall error
	answering := 0
	for _, c := range p.Cases {
		e := endpoints[c.Name]
		if e == nil || asked[*e] {
			continue
		}
		asked[*e] = true
		datadir, err := checkServer(ctx, p, *e, slices.ContainsFunc(p.Cases, func(c plan.Case) bool { return endpoints[c.Name] != nil && *endpoints[c.Name] == *e && raises(c) }), prepared, locations)
		var silent *UnreachableError
		var full *CapacityError
		switch {
		case errors.As(err, &silent):
			unreachable = errors.Join(unreachable, err)
		case errors.As(err, &full):
			tooSmall = errors.Join(tooSmall, err)
		case err != nil && len(p.Cases) > 1:
			return nil, fmt.Errorf("case %s: %w", c.Name, err)
		case err != nil:
			return nil, err
		default:
			answering++
			if datadir != "" {
				datadirs = append(datadirs, datadir)
			}
		}
	}
	if unreachable != nil && answering == 0 && len(endpoints) == len(p.Cases) {
		return nil, &UnreachableError{unreachable}
	}
	if tooSmall != nil && answering == 0 && len(endpoints) == len(p.Cases) {
		return nil, tooSmall
	}
	return datadirs, nil
}

// checkServer asks one server, also where it is. raised says that a case changes its limits.
func checkServer(ctx context.Context, p *plan.Plan, e server.Endpoint, raised bool, prepared map[string]int, locations Locations) (datadir string, err error) {
	target, err := server.Open(ctx, e)
	if err != nil {
		return "", &UnreachableError{err}
	}
	defer target.Close()
	if !raised {
		if err := anyFits(ctx, p, prepared, target); err != nil {
			return "", err
		}
	}
	if err := checkLoadNames(ctx, p, target); err != nil {
		return "", err
	}
	if err := checkLock(ctx, p, target); err != nil {
		return "", err
	}
	if locations[e.Name()], err = target.Locate(ctx, ownHost()); err != nil {
		return "", err
	}
	return target.Datadir(ctx)
}

// checkLock asks whether another run has the server, before there is an
// archive of a run that could not be. The lock itself is taken with the case.
func checkLock(ctx context.Context, p *plan.Plan, target *server.Target) error {
	lock, err := target.Lock(ctx, LockName(p))
	var held *server.LockedError
	if errors.As(err, &held) {
		return err
	}
	if err == nil {
		return lock.Release()
	}
	return nil // a server without locks is noted by the run
}

// undisturbed refuses to start a private server that was not asked for in so
// many words where it would disturb somebody, or be disturbed.
func undisturbed(named []string) error {
	const ways = "use --private to start one anyway, or name the server to benchmark by --host or --socket"
	others, err := server.OtherServers()
	others = slices.DeleteFunc(others, func(o server.Process) bool { return slices.Contains(named, filepath.Clean(o.Datadir)) })
	if err == nil && len(others) > 0 {
		o := others[0]
		return fmt.Errorf("another server runs on this machine (pid %d, %s) and was not named: %s", o.PID, first(o.Datadir, o.Name), ways)
	}
	load, ok := loadAverage()
	if cpus := float64(runtime.NumCPU()); ok && load.One > busyLoad*cpus {
		return fmt.Errorf("this machine is busy (load average %.2f on %g CPUs): wait, or %s", load.One, cpus, ways)
	}
	return nil
}

// checkPrivate makes sure that each case has what its server needs. With
// several cases the one that has not fails alone, but for what no machine has.
func checkPrivate(ctx context.Context, p *plan.Plan, endpoints map[string]*server.Endpoint) error {
	for _, c := range p.Cases {
		if endpoints[c.Name] != nil {
			continue
		}
		err := checkCase(ctx, p, c)
		var unavailable *unavailableError
		switch {
		case err == nil:
		case len(p.Cases) == 1:
			return err
		case errors.As(err, &unavailable), errors.Is(err, errCannotStart):
			// among several cases this one fails alone
		default:
			return fmt.Errorf("case %s: %w", c.Name, err)
		}
	}
	return nil
}

// errCannotStart says that this machine lacks what a case's server needs: its
// program, account, CPUs or folder.
var errCannotStart = errors.New("cannot start a private server")

func checkCase(ctx context.Context, p *plan.Plan, c plan.Case) error {
	private, err := privateServer(p, c, false, ownCPUs())
	if err != nil {
		return err
	}
	if err := private.Validate(); err != nil {
		return err
	}
	if err := private.Check(ctx); err != nil {
		return fmt.Errorf("%w: %w", errCannotStart, err)
	}
	return nil
}

// datadirParents are the folders in which private servers of the plan are made.
func datadirParents(p *plan.Plan) []string {
	parents := []string{p.Private.DatadirParent}
	for _, c := range p.Cases {
		if c.DatadirParent != "" && !slices.Contains(parents, c.DatadirParent) {
			parents = append(parents, c.DatadirParent)
		}
	}
	return parents
}

// loadAverage is the kernel's.
func loadAverage() (result.Load, bool) {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return result.Load{}, false
	}
	l, err := procfs.ParseLoadavg(data)
	return result.Load{One: l.Load[0], Five: l.Load[1], Fifteen: l.Load[2]}, err == nil
}
