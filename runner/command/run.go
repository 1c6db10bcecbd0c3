package command

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/sweep"
	"github.com/mysweep/mysweep/runner/testbed"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/runner/workload"
)

func runCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "run",
		Usage:       "benchmark a server and archive the results",
		ArgsUsage:   "[PLAN.yaml]",
		Description: "Without a named server, mysweep starts a private one and removes it at the end.",
		Flags:       append(planFlags(), outputFlags()...),
		Action: func(c *cli.Context) error {
			if _, err := printLayout(c); err != nil {
				return err
			}
			if err := checkFormat(c); err != nil {
				return err
			}
			if err := checkTextfile(c); err != nil {
				return err
			}
			mail, err := newRunMail(c)
			if err != nil {
				return err
			}
			var o outcome
			if c.IsSet("resume") {
				err = resume(c, env, &o)
			} else {
				err = run(c, env, &o)
			}
			return mail.report(c, env, o, err)
		},
	}
}

// run starts a new run and fills in its outcome.
func run(c *cli.Context, env Env, o *outcome) error {
	p, err := makePlan(c, env)
	if err != nil {
		return err
	}
	defer limitTime(c, p.MaxTime)()
	workloads, err := makeWorkloads(env, &p)
	if err != nil {
		return err
	}
	endpoints, err := endpointsOf(env, &p)
	if err != nil {
		return err
	}
	prepared := preparedStatements(&p, workloads)
	locations, notes, err := preflight(c.Context, &p, endpoints, workloads, prepared)
	if err != nil {
		return refused(c.Context, err)
	}
	poller, reason, err := load.ChoosePoller(&p)
	if err != nil {
		return usage("%w", err)
	}
	now := time.Now()
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	at := serverHost(&p, endpoints, locations, host)
	if err := checkBaseline(p.Baseline, !c.IsSet("out")); err != nil {
		return err
	}
	out, err := chooseOutput(c, env, p.Name, at, now)
	if err != nil {
		return err
	}
	job := sweep.Job{Plan: p, Dir: out.dir, Endpoints: endpoints, Locations: locations, Workloads: workloads, Prepared: prepared}
	job.Redact = c.Bool("redact-host")
	job.Run = newRun(&p, env, now, host, at)
	if job.Run.Notes, err = withIgnoredFile(notes, env, p.Server.DefaultsFile, endpoints); err != nil {
		return err
	}
	job.Run.Poller, job.Run.PollerReason = string(poller), reason
	job.Run.Command = repeatCommand(c)
	job.Run.Client = hwinfo.Read(c.Context, hwinfo.Options{Datadir: p.Private.DatadirParent})
	return locked(c, env, o, out, job)
}

// limitTime ends the run's context after --max-time, its start included.
func limitTime(c *cli.Context, most plan.Duration) (cancel func()) {
	if most <= 0 {
		return func() {}
	}
	limit := time.Duration(most)
	c.Context, cancel = context.WithTimeoutCause(c.Context, limit, fmt.Errorf("--max-time %s reached", limit))
	return cancel
}

// preflight checks that the machine and the server can run the plan, before
// anything is started.
func preflight(ctx context.Context, p *plan.Plan, endpoints map[string]*server.Endpoint, workloads map[string]workload.Workload, prepared map[string]int) (testbed.Locations, []result.Note, error) {
	locations, notes, err := testbed.Preflight(ctx, p, endpoints, prepared)
	if err != nil {
		return nil, nil, err
	}
	return locations, notes, testbed.CheckTables(ctx, p, endpoints, workloads)
}

// preparedStatements is how many statements a thread prepares, by workload; nil
// with a protocol that prepares none.
func preparedStatements(p *plan.Plan, workloads map[string]workload.Workload) map[string]int {
	if p.Protocol != "prepared" {
		return nil
	}
	prepared := map[string]int{}
	for label, w := range workloads {
		prepared[label] = statements(w)
	}
	return prepared
}

// refused is an error before anything was started: bad input, unless the user
// interrupted mysweep or the server does not respond.
func refused(ctx context.Context, err error) error {
	var unreachable *testbed.UnreachableError
	if ctx.Err() != nil || errors.As(err, &unreachable) {
		return err
	}
	var held *server.LockedError
	if errors.As(err, &held) {
		return &exit{exitLocked, err}
	}
	return &exit{exitUsage, err}
}

func newRun(p *plan.Plan, env Env, now time.Time, client, server string) result.Run {
	return result.Run{
		Schema: result.SchemaVersion, ID: runID(now), Version: Version(), Name: p.Name,
		StartedAt: now.UTC().Truncate(time.Millisecond), Trials: p.Trials(), Plan: *p,
		ServerHost: server, ClientHost: client, SharedHost: server == client,
	}
}

// runID is the time and six random hexadecimal digits, so that it is unique.
func runID(now time.Time) string {
	var b [3]byte
	rand.Read(b[:]) // never fails, see crypto/rand
	return now.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}

// locked runs the job while holding the lock of the archive.
func locked(c *cli.Context, env Env, o *outcome, out output, job sweep.Job) error {
	lock, err := holdFolder(out)
	if err != nil {
		return heldOr(err)
	}
	defer lock.Unlock()
	if !job.Redact {
		if job.Run.Archive, err = filepath.Abs(out.dir); err != nil {
			return err
		}
	}
	job.Best, job.Knee, job.Confirm = verdict.BestCell, verdict.KneeCell, verdict.ConfirmCells
	progress := newProgress(env, c.Bool("quiet"))
	layout, _ := printLayout(c) // checked before anything was started
	job.Watch = func(e sweep.Event) {
		progress.watch(e)
		if e.Trial != nil && layout != "" {
			printTrial(env.Stdout, layout, &job.Plan, e.Trial)
		}
	}
	release := env.holdServers()
	done, sweepErr := sweep.Go(c.Context, job)
	release()
	progress.end()
	if left := sayWhatIsLeft(env, done); sweepErr == nil || errors.Is(sweepErr, sweep.ErrTrials) {
		sweepErr = errors.Join(left, sweepErr)
	}
	return conclude(c, o, out, &job.Plan, sweepErr)
}

// errNotUndone means that the results are complete, but a change that was made for
// a case could not be undone.
var errNotUndone = errors.New("some changes made for a case could not be restored")

// sayWhatIsLeft prints, even with --quiet, what the run could not undo or remove.
// It returns an error for changes that still affect a server or the machine.
func sayWhatIsLeft(env Env, done *result.Run) (err error) {
	if done == nil {
		return nil
	}
	for _, n := range done.Notes {
		switch n.Code {
		case "not-undone":
			err = errNotUndone
		case "left-behind":
		default:
			continue
		}
		fmt.Fprintf(env.Stderr, "mysweep: %s: %s\n", n.Code, charts.Line(n.Text))
	}
	return err
}

// holdFolder creates the folder of the run and locks it, or the archive around it.
func holdFolder(out output) (*result.Lock, error) {
	if err := folder.Make(out.dir, out.mode); err != nil {
		return nil, err
	}
	lock, err := result.LockFolder(lockDir(out), out.mode)
	if err == nil && out.isNew {
		if err = result.Begin(out.dir, out.mode); err != nil {
			lock.Unlock()
		}
	}
	if err != nil {
		if out.isNew {
			os.Remove(out.dir) // only when it is still empty
		}
		return nil, err
	}
	return lock, nil
}

func lockDir(out output) string {
	if out.root != "" {
		return out.root
	}
	return out.dir
}

func heldOr(err error) error {
	var held *result.HeldError
	var session *server.LockedError
	if errors.As(err, &held) || errors.As(err, &session) {
		return &exit{exitLocked, err}
	}
	return err
}

// conclude writes the derived files of the archive, fills in the outcome and chooses the exit
// status.
func conclude(c *cli.Context, o *outcome, out output, p *plan.Plan, sweepErr error) error {
	err := keepBaseline(out)
	var answer answer
	if err == nil {
		answer, err = derive(out.dir)
	}
	if err != nil {
		return errors.Join(sweepErr, whatIsLost(out.dir, err))
	}
	o.dir, o.stuck = out.dir, answer.stuck
	if c.String("print") == "" {
		if o.text, err = answer.text(c.String("format")); err != nil {
			return errors.Join(sweepErr, err)
		}
	}
	if err := writeTextfile(c, &answer); err != nil {
		sweepErr = errors.Join(err, sweepErr)
	}
	status := statusOf(sweepErr, answer)
	switch {
	case c.Context.Err() != nil:
		return fmt.Errorf("%w: continue with mysweep run --resume %s%s", context.Cause(c.Context), quote(out.dir), loginAgain(p))
	case status == exitLocked, status == exitFailed, status == exitUsage:
		return &exit{status, sweepErr}
	case status != 0:
		return &exit{status, nil} // the summary has said it
	}
	return nil
}

// whatIsLost says what an archive still has when its derived files could not be written.
func whatIsLost(dir string, cause error) error {
	_, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the results are lost: %s was removed during the run", dir)
	}
	if !result.IsArchive(dir) {
		return fmt.Errorf("no report can be made: %s is missing", filepath.Join(dir, result.RunFile))
	}
	a, err := result.Read(dir)
	switch {
	case err != nil:
		return fmt.Errorf("no report can be made: %w", err)
	case len(a.Trials) == 0:
		return fmt.Errorf("no trial has ended, and the report could not be written: %w", cause)
	}
	return fmt.Errorf("the report could not be written, but the figures of %s are in %s (mysweep report %s writes it again): %w",
		words.Plural(len(a.Trials), "trial"), dir, quote(dir), cause)
}

// loginAgain are the flags that must be repeated to resume a run, because an
// archive does not have them.
func loginAgain(p *plan.Plan) string {
	text := ""
	if file := p.Server.PasswordFile; file != "" {
		text += " --password-file " + quote(file)
	}
	if file := p.Server.DefaultsFile; file != "" {
		text += " --defaults-file " + quote(file)
	}
	if p.Server.DSN != "" {
		text += " --dsn ..."
	}
	return text
}

// statusOf is the exit status of the most serious problem: a run that stopped,
// then failed trials, then the answer.
func statusOf(err error, a answer) int {
	var held *exit
	var unknown *testbed.UnknownStatusError
	switch {
	case errors.As(heldOr(err), &held):
		return held.status
	case errors.As(err, &unknown):
		return exitUsage
	case err != nil && !errors.Is(err, sweep.ErrTrials), errors.Is(err, errNotUndone):
		return exitFailed
	case errors.Is(err, sweep.ErrTrials):
		return exitTrials
	case a.refused:
		return exitAnswer
	}
	return 0
}
