package command

import (
	"fmt"
	"maps"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/lua"
)

// arguments tells plan files from the options of a Lua script, which follow
// --lua FILE and --.
func arguments(c *cli.Context) (files, script []string) {
	for _, arg := range c.Args().Slice() {
		if c.IsSet("lua") && strings.HasPrefix(arg, "--") {
			script = append(script, arg)
		} else {
			files = append(files, arg)
		}
	}
	return files, script
}

// setScriptOptions gives options to the scripts of a plan.
func setScriptOptions(p *plan.Plan, args []string) error {
	set, err := lua.ParseArguments(args)
	if err != nil {
		return usage("%w", err)
	}
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if w.Lua == "" || len(set) == 0 {
			continue
		}
		if w.Options == nil {
			w.Options = plan.Options{}
		}
		maps.Copy(w.Options, set)
	}
	return nil
}

// openScript opens the script of a workload with the options of the plan.
func openScript(env Env, p *plan.Plan, w plan.Workload) (workload.Workload, error) {
	return lua.Open(w.Lua, lua.Script{Set: w.Options, AllowCommands: p.AllowCommands, Path: env.Getenv("LUA_PATH"), Database: p.Server.Database})
}

// showScript prints a script's options and commands, and what one event of it
// would send.
func showScript(env Env, file string, args []string) error {
	set, err := lua.ParseArguments(args)
	if err != nil {
		return usage("%w", err)
	}
	script, err := lua.Open(file, lua.Script{Set: set, Path: env.Getenv("LUA_PATH"), Database: "mysweep"})
	if err != nil {
		return usage("%w", err)
	}
	fmt.Fprint(env.Stdout, script.Help())
	if err := showQueries(env, script); err != nil {
		fmt.Fprintln(env.Stdout, "  cannot be shown without a server")
	}
	return nil
}
