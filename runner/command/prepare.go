package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/testbed"
	"github.com/mysweep/mysweep/runner/workload"
)

func prepareCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "prepare",
		Usage:     "load the tables of workloads on an existing server",
		ArgsUsage: "[PLAN.yaml]",
		Flags:     tableFlags(plan.Prepare),
		Action: func(c *cli.Context) error {
			return onServer(c, env, func(ctx context.Context, p *plan.Plan, target *server.Target, made map[string]workload.Workload) error {
				return eachWorkload(ctx, p, target, made, func(ctx context.Context, t tables) error { return prepare(ctx, env, t) })
			})
		},
	}
}

func cleanupCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "cleanup",
		Usage:     "drop the tables that mysweep made on an existing server",
		ArgsUsage: "[PLAN.yaml]",
		Description: "With --workload, --smack, --sql, --lua or a plan file, only the tables of these workloads. " +
			"Variables that a killed run left changed are restored.",
		Flags: tableFlags(plan.Cleanup),
		Action: func(c *cli.Context) error {
			some := c.Args().Present() || c.IsSet("workload") || c.IsSet("smack") || c.IsSet("sql") || c.IsSet("lua")
			return onServer(c, env, func(ctx context.Context, p *plan.Plan, target *server.Target, made map[string]workload.Workload) error {
				if err := putBack(ctx, env, p, target); err != nil || !some {
					return errors.Join(err, cleanAll(ctx, env, p, target))
				}
				return eachWorkload(ctx, p, target, made, func(ctx context.Context, t tables) error { return cleanup(ctx, env, t) })
			})
		},
	}
}

// tables are the tables of one workload on one server.
type tables struct {
	config   *mysql.Config
	workload workload.Workload
	options  bulk.Options
}

// use is an action on a server; made has the workloads of the plan by label.
type use func(ctx context.Context, p *plan.Plan, target *server.Target, made map[string]workload.Workload) error

// onServer calls do for each existing server of the plan and of its cases, while
// holding the lock there.
func onServer(c *cli.Context, env Env, do use) error {
	p, err := makePlan(c, env)
	if err != nil {
		return err
	}
	made, err := makeWorkloads(env, &p)
	if err != nil {
		return err
	}
	endpoints, err := endpointsOf(env, &p)
	if err != nil {
		return err
	}
	if len(endpoints) == 0 {
		return usage("%s needs an existing server: name it with --host, --socket or --dsn (a private server's tables are removed with it)", c.Command.Name)
	}
	var errs []error
	done := map[string]bool{}
	for _, planCase := range p.Cases {
		e := endpoints[planCase.Name]
		if e == nil || done[e.Name()] {
			continue
		}
		done[e.Name()] = true
		errs = append(errs, onOne(c.Context, &p, *e, made, do))
	}
	return errors.Join(errs...)
}

func onOne(ctx context.Context, p *plan.Plan, e server.Endpoint, made map[string]workload.Workload, do use) error {
	target, err := server.Open(ctx, e)
	if err != nil {
		return err
	}
	defer target.Close()
	lock, err := target.Lock(ctx, testbed.LockName(p))
	if err != nil && !errors.Is(err, server.ErrNoLocks) {
		return heldOr(err)
	}
	if err == nil {
		defer lock.Release()
	}
	return do(ctx, p, target, made)
}

func eachWorkload(ctx context.Context, p *plan.Plan, target *server.Target, made map[string]workload.Workload, do func(context.Context, tables) error) error {
	config := target.Config()
	config.DBName = p.Server.Database
	for _, wl := range p.Workloads {
		t := tables{config, made[wl.Label()], testbed.BulkOptions(p, wl)}
		if err := do(ctx, t); err != nil {
			return fmt.Errorf("workload %s: %w", wl.Label(), err)
		}
	}
	return nil
}

func prepare(ctx context.Context, env Env, t tables) error {
	loaded, err := bulk.Make(ctx, t.config, t.workload, t.options, func(text string) { fmt.Fprint(env.Stdout, charts.Plain(text)) })
	for _, l := range loaded {
		fmt.Fprintf(env.Stdout, "%s.%s: %s, %s\n", t.config.DBName, l.Table, words.Plural(int(l.Rows), "row"), loadedBy(&l))
	}
	var misfit *bulk.MisfitError
	if errors.As(err, &misfit) {
		return &exit{exitUsage, err}
	}
	return err
}

// loadedBy says how a table got its rows.
func loadedBy(l *bulk.Loaded) string {
	switch {
	case l.Reused:
		return "already loaded"
	case l.Method == "":
		return "created"
	}
	return fmt.Sprintf("loaded by %s in %.1f s", l.Method, l.Seconds)
}

func cleanup(ctx context.Context, env Env, t tables) error {
	dropped, err := bulk.Unmake(ctx, t.config, t.workload, t.options)
	sayDropped(env, t.config.DBName, dropped, err)
	return err
}

// cleanAll drops the tables that mysweep made for any workload.
func cleanAll(ctx context.Context, env Env, p *plan.Plan, target *server.Target) error {
	config := target.Config()
	config.DBName = p.Server.Database
	dropped, err := bulk.DropAll(ctx, config, bulk.Options{NoBinlog: p.NoBinlog})
	sayDropped(env, config.DBName, dropped, err)
	return err
}

func sayDropped(env Env, schema string, dropped []string, err error) {
	for _, name := range dropped {
		fmt.Fprintf(env.Stdout, "%s.%s: dropped\n", schema, name)
	}
	if err == nil && len(dropped) == 0 {
		fmt.Fprintf(env.Stdout, "%s: no tables of mysweep\n", schema)
	}
}

// putBack restores the variables that killed runs left changed.
func putBack(ctx context.Context, env Env, p *plan.Plan, target *server.Target) error {
	undone, ignored, err := testbed.UndoLeftOver(ctx, target, target.Endpoint.Name(), testbed.LockName(p))
	for _, c := range undone {
		fmt.Fprintf(env.Stdout, "%s: put back from %s to %s\n", c.Name, c.After, c.Before)
	}
	for _, path := range ignored {
		fmt.Fprintf(env.Stderr, "mysweep: %s belongs to another user or is open to others, so it was not read: remove it\n", charts.Line(path))
	}
	return err
}
