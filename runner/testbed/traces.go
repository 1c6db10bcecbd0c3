package testbed

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

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// TakeTraces takes the traces that the case asks for, each while under runs a
// trial that is not measured: a tracer costs what it shows. They go below
// trace/ in the archive dir. What is not installed or not allowed is a note of
// the trace.
func (b *Bed) TakeTraces(ctx context.Context, dir, label string, under func() error) error {
	folder := filepath.Join("trace", slug(b.Name+" "+label))
	if err := result.MakeBelow(dir, folder); err != nil {
		return err
	}
	keep := func(list ...result.Trace) {
		facts := b.site.report.Case(b.Name)
		facts.Traces = append(facts.Traces, list...)
	}
	for _, kind := range b.Trace {
		b.site.report.Progress("tracing (%s) case %s during a trial that is not measured", kind, b.Name)
		t, err := b.traceOne(ctx, traceFiles{dir, folder}, kind, under)
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.Kind = kind
		if err != nil {
			t.Note = err.Error()
		}
		keep(t)
	}
	keep(b.engineTraces(ctx, traceFiles{dir, folder})...)
	if err := result.OwnFiles(dir, folder); err != nil {
		return err
	}
	return b.site.report.Save()
}

// traceOne runs a trial under one tracer.
func (b *Bed) traceOne(ctx context.Context, files traceFiles, kind string, under func() error) (result.Trace, error) {
	switch kind {
	case "syscalls":
		return b.syscalls(files, under)
	case "perf":
		return b.profile(files, under)
	case "slow-log":
		return b.slowLog(ctx, files, under)
	}
	return b.innodbStatus(ctx, files, under)
}

// traceFiles is where traces go: a folder below the archive.
type traceFiles struct{ archive, folder string }

func (f traceFiles) dir() string { return filepath.Join(f.archive, f.folder) }

// name returns the path of a file relative to the archive.
func (f traceFiles) name(file string) string { return filepath.Join(f.folder, file) }

func (b *Bed) syscalls(files traceFiles, under func() error) (result.Trace, error) {
	t := result.Trace{File: files.name("strace.txt")}
	pid, err := b.serverPID()
	if err != nil {
		return result.Trace{}, err
	}
	strace, err := server.StartStrace(pid, files.dir())
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

func (b *Bed) profile(files traceFiles, under func() error) (result.Trace, error) {
	t := result.Trace{File: files.name("perf.folded")}
	pid, err := b.serverPID()
	if err != nil {
		return result.Trace{}, err
	}
	perf, err := server.StartPerf(pid, files.dir())
	if err != nil {
		return result.Trace{}, err
	}
	trialErr := under()
	profile, err := perf.Stop()
	// The file is large, and only this machine's perf can read it.
	os.Remove(filepath.Join(files.dir(), "perf.data"))
	if err := errors.Join(trialErr, err); err != nil {
		return result.Trace{}, err
	}
	t.Rows = [][]string{{"function", "samples", "share", "object"}}
	for _, symbol := range profile.Symbols[:min(topSymbols, len(profile.Symbols))] {
		t.Rows = append(t.Rows, []string{symbol.Name, fmt.Sprint(symbol.Samples),
			shortest(float64(symbol.Samples) / float64(profile.Samples)), symbol.Object})
	}
	t.Note = fmt.Sprintf("%d samples of CPU time", profile.Samples)
	return t, result.WriteBelow(files.archive, t.File, []byte(folded(profile.Stacks)))
}

// folded writes stacks as flame graph programs read them.
func folded(stacks map[string]int) string {
	var text strings.Builder
	for _, stack := range slices.Sorted(maps.Keys(stacks)) {
		fmt.Fprintf(&text, "%s %d\n", stack, stacks[stack])
	}
	return text.String()
}

func (b *Bed) innodbStatus(ctx context.Context, files traceFiles, under func() error) (result.Trace, error) {
	if err := under(); err != nil {
		return result.Trace{}, err
	}
	t := result.Trace{File: files.name("innodb-status.txt")}
	text, err := b.target.InnoDBStatus(ctx)
	if err != nil {
		return result.Trace{}, err
	}
	return t, result.WriteBelow(files.archive, t.File, []byte(text))
}

// slowLogMost bounds what is kept of a slow query log.
const slowLogMost = 16 << 20

// slowLog lets the private server write each statement of a trial into its
// slow query log, and keeps that.
func (b *Bed) slowLog(ctx context.Context, files traceFiles, under func() error) (result.Trace, error) {
	if b.private == nil {
		return result.Trace{}, fmt.Errorf("%w: the slow query log of an existing server is its own", server.ErrNoTrace)
	}
	undo, err := b.target.SetGlobal(ctx, []server.Option{{Name: "long_query_time", Value: "0"}, {Name: "slow_query_log", Value: "ON"}})
	if err != nil {
		return result.Trace{}, err
	}
	err = under()
	if err := errors.Join(err, undo(context.WithoutCancel(ctx))); err != nil {
		return result.Trace{}, err
	}
	path, err := b.private.SlowLog(ctx)
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
	t := result.Trace{File: files.name("slow.log")}
	if len(raw) > slowLogMost {
		raw, t.Note = raw[:slowLogMost], fmt.Sprintf("the first %d MiB of it", slowLogMost>>20)
	}
	return t, result.WriteBelow(files.archive, t.File, raw)
}

// engineTraces are what the server itself tells after the trials: InnoDB's
// status, and where performance_schema is on, how long files were waited for.
func (b *Bed) engineTraces(ctx context.Context, files traceFiles) []result.Trace {
	var list []result.Trace
	if !slices.Contains(b.Trace, "innodb-status") {
		t, err := b.innodbStatus(ctx, files, func() error { return nil })
		if t.Kind = "innodb-status"; err != nil {
			t.Note = err.Error()
		}
		list = append(list, t)
	}
	if b.site.report.Case(b.Name).Variables["performance_schema"] != "ON" {
		return list
	}
	t := result.Trace{Kind: "file-waits", Rows: [][]string{{"file", "waits", "seconds", "write_seconds", "fsync_and_other_seconds"}}}
	waits, err := b.target.FileWaits(ctx)
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
