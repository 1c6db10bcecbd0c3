package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"mysweep/runner/plan"
	"mysweep/runner/workload"
)

func workloadsCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "workloads",
		Usage:     "list the workloads, or show one with its options, tables and queries",
		ArgsUsage: "[NAME]",
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); name != "" {
				return showWorkload(w, name)
			}
			listWorkloads(w)
			return nil
		},
	}
}

func listWorkloads(w World) {
	family := ""
	for _, spec := range workload.All() {
		if spec.Family != family {
			family = spec.Family
			fmt.Fprintf(w.Stdout, "%s\n", family)
		}
		fmt.Fprintf(w.Stdout, "  %-24s %s\n", spec.Name, spec.Summary)
	}
	fmt.Fprintln(w.Stdout, "\nmysweep workloads NAME shows options, tables and queries; --smack FILE and --sql FILE run your own.")
}

func showWorkload(w World, name string) error {
	spec, ok := workload.Find(name)
	if !ok {
		var names []string
		for _, s := range workload.All() {
			names = append(names, s.Name)
		}
		return usage("unknown workload %q%s", name, plan.DidYouMean(name, names))
	}
	fmt.Fprintf(w.Stdout, "%s: %s\n", spec.Name, spec.Summary)
	if len(spec.Options) > 0 {
		fmt.Fprintln(w.Stdout, "\noptions")
	}
	for _, o := range spec.Options {
		fmt.Fprintf(w.Stdout, "  --%-25s %s (default %s)\n", o.Name, o.Usage, orNone(o.Default))
	}
	values, err := workload.NewValues(spec.Options, nil)
	if err != nil {
		return err
	}
	made, err := spec.New(values)
	if err != nil {
		return err
	}
	showTables(w, made)
	return showQueries(w, made)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func showTables(w World, made workload.Workload) {
	fmt.Fprintln(w.Stdout, "\ntables")
	for _, t := range made.Tables() {
		ddl := t.Create
		if ddl == "" {
			ddl = fmt.Sprintf("create table %s (%s)", t.Name, t.Columns)
		}
		fmt.Fprintf(w.Stdout, "  %s\n    %d rows\n", ddl, t.Rows)
		for _, after := range t.After {
			fmt.Fprintf(w.Stdout, "  %s\n", after)
		}
	}
}
