package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/compare"
	"github.com/mysweep/mysweep/charts/document"
	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func compareCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "compare a run with one or more earlier runs",
		ArgsUsage: "BASE... NEW",
		Description: "Exit status 4: a regression beyond a limit, or runs that cannot be compared although a limit was given;\n" +
			"with --strict also an undecided comparison.",
		Flags: []cli.Flag{
			cliFlag(plan.FlagNamed("fail-above")),
			cliFlag(plan.FlagNamed("fail-latency-above")),
			cliFlag(plan.FlagNamed("strict")),
			&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the output: text, csv, json, markdown or html", Value: "text"},
			&cli.StringFlag{Name: "html", Usage: "also write a page with charts to `FILE`"},
			&cli.StringSliceFlag{Name: "asked", Usage: "treat `KEY` as varied on purpose: a server variable, a fact or a key of the plan [repeatable]"},
		},
		Action: func(c *cli.Context) error {
			rate, latency, err := limitFlags(c)
			if err != nil {
				return err
			}
			if format := c.String("format"); formats()[format] == nil {
				return usage("invalid --format %q: expected text, csv, json, markdown or html", format)
			}
			archives, err := readArchives(c.Args().Slice())
			if err != nil {
				return err
			}
			last := len(archives) - 1
			limits := verdict.NewLimits(rate, latency, archives[last].Run.Plan.Rate > 0)
			comparison := verdict.Compare(archives[:last], archives[last], limits, c.StringSlice("asked")...)
			if err := formats()[c.String("format")](env.Stdout, &comparison); err != nil {
				return err
			}
			if file := c.String("html"); file != "" {
				if err := writeComparison(file, &comparison); err != nil {
					return err
				}
			}
			if comparison.Gate.Refused(c.Bool("strict")) {
				return &exit{exitAnswer, errors.New(string(comparison.Gate.Decision))}
			}
			return nil
		},
	}
}

// formats are the ways in which a comparison is printed.
func formats() map[string]func(io.Writer, *verdict.Comparison) error {
	return map[string]func(io.Writer, *verdict.Comparison) error{
		"text": compare.Text, "csv": table.Comparison, "json": document.Comparison, "markdown": compare.Markdown,
		"html": func(w io.Writer, c *verdict.Comparison) error { return page.Compare(w, c, Version()) },
	}
}

// limitFlags are the limits of the command line, as fractions.
func limitFlags(c *cli.Context) (rate, latency float64, err error) {
	var p plan.Plan
	for _, name := range []string{"fail-above", "fail-latency-above"} {
		flag := plan.FlagNamed(name)
		if err := applyFlag(flag, &p, given(c, flag)); err != nil {
			return 0, 0, err
		}
	}
	return p.FailAbove, p.FailLatencyAbove, nil
}

func readArchives(dirs []string) ([]*result.Archive, error) {
	if len(dirs) < 2 {
		return nil, usage("name at least two runs: mysweep compare BASE... NEW")
	}
	var archives []*result.Archive
	for _, dir := range dirs {
		a, err := result.Read(dir)
		if err != nil {
			return nil, usage("%w", err)
		}
		archives = append(archives, a)
	}
	return archives, nil
}

func writeComparison(file string, c *verdict.Comparison) error {
	var b bytes.Buffer
	if err := page.Compare(&b, c, Version()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return result.WriteFile(file, b.Bytes())
}
