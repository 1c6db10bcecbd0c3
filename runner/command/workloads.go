package command

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/smack"
)

func workloadsCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "workloads",
		Usage:     "list workloads, or show the options, tables and queries of one",
		ArgsUsage: "[NAME]",
		Flags:     []cli.Flag{&cli.StringFlag{Name: "lua", Usage: "show the options, commands and queries of a sysbench script `FILE`"}},
		Action: func(c *cli.Context) error {
			if c.IsSet("lua") {
				return showScript(env, c.String("lua"), c.Args().Slice())
			}
			if name := c.Args().First(); name == "smack" {
				fmt.Fprint(env.Stdout, smack.Dialect)
				return nil
			} else if name != "" {
				return showWorkload(env, name)
			}
			listWorkloads(env)
			return nil
		},
	}
}

func listWorkloads(env Env) {
	family := ""
	for _, spec := range workload.All() {
		if spec.Family != family {
			family = spec.Family
			fmt.Fprintf(env.Stdout, "%s\n", family)
		}
		fmt.Fprintf(env.Stdout, "  %-24s %s\n", spec.Name, spec.Summary)
	}
	fmt.Fprintln(env.Stdout, "\nmysweep workloads NAME shows options, tables and queries; --smack FILE, --sql FILE and --lua FILE run your own.\nmysweep workloads smack describes how each line of a .smack file is used.")
}

func showWorkload(env Env, name string) error {
	spec, ok := workload.Find(name)
	if !ok {
		var names []string
		for _, s := range workload.All() {
			names = append(names, s.Name)
		}
		return usage("unknown workload %q%s", name, plan.DidYouMean(name, names))
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n", spec.Name, spec.Summary)
	if len(spec.Options) > 0 {
		fmt.Fprintln(env.Stdout, "\noptions")
	}
	for _, o := range spec.Options {
		fmt.Fprintf(env.Stdout, "  --%-25s %s (default %s)\n", o.Name, o.Usage, orNone(o.Default))
	}
	values, err := workload.NewValues(spec.Options, nil)
	if err != nil {
		return err
	}
	made, err := spec.New(values)
	if err != nil {
		return err
	}
	showTables(env, made)
	return showQueries(env, made)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func showTables(env Env, made workload.Workload) {
	fmt.Fprintln(env.Stdout, "\ntables")
	for tables := made.Tables(); len(tables) > 0; {
		n := alike(tables)
		text := tableText(tables[0])
		if n > 1 {
			last := tables[n-1].Name
			text += fmt.Sprintf("  and %d more like it, up to %s\n", n-1, last)
		}
		fmt.Fprint(env.Stdout, text)
		tables = tables[n:]
	}
}

func tableText(t workload.Table) string {
	ddl := t.Create
	if ddl == "" {
		ddl = fmt.Sprintf("create table %s (%s)", t.Name, t.Columns)
	}
	text := fmt.Sprintf("  %s\n    %s\n", ddl, words.Plural(int(t.Rows), "row"))
	for _, after := range t.After {
		text += "  " + after + "\n"
	}
	return text
}

// alike is how many tables at the beginning of a list differ by their names alone.
func alike(tables []workload.Table) int {
	n := 1
	for n < len(tables) && strings.ReplaceAll(tableText(tables[n]), tables[n].Name, tables[0].Name) == tableText(tables[0]) {
		n++
	}
	return n
}
