package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// traces takes the deeper looks that cases ask for, each during a trial of the
// case's best cell that is not measured: a tracer costs what it shows. What is
// not installed or not allowed is a note of the trace.
func (s *sweep) traces(ctx context.Context) error {
	for _, c := range s.Plan.Cases {
		for _, w := range s.Plan.Workloads {
			cell, ok := s.best(c.Name, w.Label())
			if len(c.Trace) == 0 || !ok || s.traced(c.Name) {
				continue
			}
			if err := s.enter(ctx, c, w); err != nil {
				return ctx.Err() // else the case's trials have said why
			}
			if err := s.trace(ctx, w, cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// traced reports whether a resumed run has the case's traces already.
func (s *sweep) traced(name string) bool {
	return len(s.Done) > 0 && len(s.caseFacts(name).Traces) > 0
}

func (s *sweep) trace(ctx context.Context, w plan.Workload, cell plan.Cell) error {
	folder := filepath.Join("trace", slug(s.open.Name+" "+w.Label()))
	if err := result.MakeBelow(s.Dir, folder); err != nil {
		return err
	}
	facts := s.caseFacts(s.open.Name)
	for _, kind := range s.open.Trace {
		s.doing("tracing (%s) case %s during a trial that is not measured", kind, s.open.Name)
		t, err := s.traceOne(ctx, w, cell, kind, folder)
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.Kind = kind
		if err != nil {
			t.Note = err.Error()
		}
		facts.Traces = append(facts.Traces, t)
	}
	facts.Traces = append(facts.Traces, s.engineTraces(ctx, folder)...)
	if err := result.OwnFiles(s.Dir, folder); err != nil {
		return err
	}
	return s.saveRun()
}

// traceOne runs a trial under one tracer.
func (s *sweep) traceOne(ctx context.Context, w plan.Workload, cell plan.Cell, kind, folder string) (result.Trace, error) {
	dir := filepath.Join(s.Dir, folder)
	under := func() error { return s.unmeasured(ctx, w, cell) }
	switch kind {
	case "syscalls":
		return s.syscalls(dir, folder, under)
	case "perf":
		return s.profile(dir, folder, under)
	case "slow-log":
		return s.slowLog(ctx, folder, under)
	}
	return s.innodbStatus(ctx, folder, under)
}

// traceTime is how long a traced trial is where the plan's are bursts, which
// may be too short to see anything.
const traceTime = plan.Duration(3 * time.Second)

// unmeasured runs one trial that nobody records.
func (s *sweep) unmeasured(ctx context.Context, w plan.Workload, cell plan.Cell) error {
	made := s.Workloads[w.Label()]
	if err := s.before(ctx, made); err != nil {
		return err
	}
	p := s.Plan
	if p.Time == 0 {
		p.Time, p.Queries, p.Events, p.MinTime, cell.Queries = traceTime, nil, 0, 0, 0
	}
	order, err := load.TrialOf(&p, cell)
	if err != nil {
		return err
	}
	order.Seed = trialSeed(s.Plan.Seed, plan.Slot{Cell: cell})
	measure, err := load.Run(ctx, s.loadTarget(), made, order)
	s.open.wrote(made, &measure)
	if err != nil {
		return err
	}
	return s.after(ctx, made)
}

// serverPID is the process of the open server, if it runs on this machine.
func (s *sweep) serverPID() (int, error) {
	if s.open.private != nil {
		return s.open.private.PID(), nil
	}
	if !s.shared(s.open.Case) {
		return 0, fmt.Errorf("%w: the server runs on another machine", server.ErrNoTrace)
	}
	variables := s.caseFacts(s.open.Name).Variables
	path := variables["pid_file"]
	if !filepath.IsAbs(path) {
		path = filepath.Join(variables["datadir"], path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("%w: the server's process is not known: %w", server.ErrNoTrace, err)
	}
	return strconv.Atoi(strings.TrimSpace(string(raw)))
}

func (s *sweep) syscalls(dir, folder string, under func() error) (result.Trace, error) {
	t := result.Trace{File: filepath.Join(folder, "strace.txt")}
	pid, err := s.serverPID()
	if err != nil {
		return result.Trace{}, err
	}
	strace, err := server.StartStrace(pid, dir)
	if err != nil {
		return result.Trace{}, err
	}
	trialErr := under()
	calls, err := strace.Stop()
	if err := errors.Join(trialErr, err); err != nil {
		return result.Trace{}, err
	}
	t.Note = "times are by the wall clock, summed over all threads, and include strace's own cost of some microseconds a call"
	t.Rows = [][]string{{"system call", "calls", "errors", "seconds", "mean_seconds", "min_seconds", "max_seconds"}}
	for _, c := range calls {
		t.Rows = append(t.Rows, []string{c.Name, fmt.Sprint(c.Calls), fmt.Sprint(c.Errors),
			shortest(c.Seconds), shortest(c.MeanSeconds()), shortest(c.MinSeconds), shortest(c.MaxSeconds)})
	}
	return t, nil
}

// topSymbols is how many functions of a profile are listed; all stacks are in
// the file.
const topSymbols = 30

func (s *sweep) profile(dir, folder string, under func() error) (result.Trace, error) {
	t := result.Trace{File: filepath.Join(folder, "perf.folded")}
	pid, err := s.serverPID()
	if err != nil {
		return result.Trace{}, err
	}
	perf, err := server.StartPerf(pid, dir)
	if err != nil {
		return result.Trace{}, err
	}
	trialErr := under()
	profile, err := perf.Stop()
	os.Remove(filepath.Join(dir, "perf.data")) // large, and only this machine's perf can read it
	if err := errors.Join(trialErr, err); err != nil {
		return result.Trace{}, err
	}
	t.Rows = [][]string{{"function", "samples", "share", "object"}}
	for _, symbol := range profile.Symbols[:min(topSymbols, len(profile.Symbols))] {
		t.Rows = append(t.Rows, []string{symbol.Name, fmt.Sprint(symbol.Samples),
			shortest(float64(symbol.Samples) / float64(profile.Samples)), symbol.Object})
	}
	t.Note = fmt.Sprintf("%d samples of CPU time", profile.Samples)
	return t, result.WriteBelow(s.Dir, t.File, []byte(folded(profile.Stacks)))
}

// folded writes stacks as flame graph programs read them.
func folded(stacks map[string]int) string {
	var text strings.Builder
	for _, stack := range slices.Sorted(maps.Keys(stacks)) {
		fmt.Fprintf(&text, "%s %d\n", stack, stacks[stack])
	}
	return text.String()
}

func (s *sweep) innodbStatus(ctx context.Context, folder string, under func() error) (result.Trace, error) {
	if err := under(); err != nil {
		return result.Trace{}, err
	}
	t := result.Trace{File: filepath.Join(folder, "innodb-status.txt")}
	text, err := s.open.target.InnoDBStatus(ctx)
	if err != nil {
		return result.Trace{}, err
	}
	return t, result.WriteBelow(s.Dir, t.File, []byte(text))
}

// slowLogMost bounds what is kept of a slow query log.
const slowLogMost = 16 << 20

// slowLog lets the private server write each statement of a trial into its
// slow query log, and keeps that.
func (s *sweep) slowLog(ctx context.Context, folder string, under func() error) (result.Trace, error) {
	if s.open.private == nil {
		return result.Trace{}, fmt.Errorf("%w: the slow query log of an existing server is its own", server.ErrNoTrace)
	}
	undo, err := s.open.target.SetGlobal(ctx, []server.Option{{Name: "long_query_time", Value: "0"}, {Name: "slow_query_log", Value: "ON"}})
	if err != nil {
		return result.Trace{}, err
	}
	err = under()
	if err := errors.Join(err, undo(context.WithoutCancel(ctx))); err != nil {
		return result.Trace{}, err
	}
	path, err := s.open.private.SlowLog(ctx)
	if err != nil {
		return result.Trace{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return result.Trace{}, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, slowLogMost+1))
	if err != nil {
		return result.Trace{}, err
	}
	t := result.Trace{File: filepath.Join(folder, "slow.log")}
	if len(raw) > slowLogMost {
		raw, t.Note = raw[:slowLogMost], fmt.Sprintf("the first %d MiB of it", slowLogMost>>20)
	}
	return t, result.WriteBelow(s.Dir, t.File, raw)
}

// engineTraces are what the server itself tells after the trials: InnoDB's
// status, and where performance_schema is on, how long files were waited for.
func (s *sweep) engineTraces(ctx context.Context, folder string) []result.Trace {
	var list []result.Trace
	if !slices.Contains(s.open.Trace, "innodb-status") {
		t, err := s.innodbStatus(ctx, folder, func() error { return nil })
		if t.Kind = "innodb-status"; err != nil {
			t.Note = err.Error()
		}
		list = append(list, t)
	}
	if s.caseFacts(s.open.Name).Variables["performance_schema"] != "ON" {
		return list
	}
	t := result.Trace{Kind: "file-waits", Rows: [][]string{{"file", "waits", "seconds", "write_seconds", "fsync_and_other_seconds"}}}
	waits, err := s.open.target.FileWaits(ctx)
	if err != nil {
		t.Note = err.Error()
	}
	for _, wait := range waits {
		t.Rows = append(t.Rows, []string{wait.Event, fmt.Sprint(wait.Count), shortest(wait.Seconds), shortest(wait.WriteSeconds), shortest(wait.OtherSeconds)})
	}
	return append(list, t)
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// slug makes a name of a folder out of a text.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '.'
	})
	return strings.Trim(strings.Join(words, "-"), ".")
}
