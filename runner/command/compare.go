package command

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func compareCommand(w World) *cli.Command {
	failAbove := plan.FlagNamed("fail-above")
	return &cli.Command{
		Name:      "compare",
		Usage:     "compare a run with one or more earlier runs",
		ArgsUsage: "BASE... NEW",
		Flags: []cli.Flag{
			cliFlag(failAbove),
			&cli.StringFlag{Name: "html", Usage: "write it as a page with charts into this `FILE` as well"},
			&cli.StringSliceFlag{Name: "asked", Usage: "what was meant to differ: a variable, a fact's or a plan's key; may be given again"},
		},
		Action: func(c *cli.Context) error {
			var p plan.Plan
			if c.IsSet("fail-above") {
				if err := applyFlag(failAbove, &p, given(c, failAbove)); err != nil {
					return err
				}
			}
			archives, err := readArchives(c.Args().Slice())
			if err != nil {
				return err
			}
			last := len(archives) - 1
			comparison := verdict.Compare(archives[:last], archives[last], c.StringSlice("asked")...)
			describeComparison(w.Stdout, &comparison)
			if file := c.String("html"); file != "" {
				if err := writeComparison(file, &comparison, p.FailAbove); err != nil {
					return err
				}
			}
			if comparison.Worse(p.FailAbove) {
				return &exit{exitAnswer, fmt.Errorf("worse than the base by more than %g %%", p.FailAbove*100)}
			}
			return nil
		},
	}
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

func writeComparison(file string, c *verdict.Comparison, failAbove float64) error {
	var b bytes.Buffer
	if err := page.Compare(&b, c, failAbove, Version()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return result.WriteFile(file, b.Bytes())
}

// describeComparison prints matching cells side by side.
func describeComparison(w io.Writer, c *verdict.Comparison) {
	fmt.Fprintf(w, "base  %s\nnew   %s\n\n", party(c.Base), party(c.New))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "cell\tbase q/s\tnew q/s\tchange\t95 % interval\t\t")
	for i := range c.Cells {
		cell := &c.Cells[i]
		mark := ""
		if cell.Significant {
			mark = "significant"
		}
		change, interval := ratioText(cell.Ratio)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", cell.Cell, rate(cell.Base.Median), rate(cell.New.Median), change, interval, mark)
	}
	t.Flush()
	if change, interval := ratioText(c.Overall); c.Overall != nil {
		fmt.Fprintf(w, "\noverall %s, 95 %% interval %s, from the %s\n", change, interval, c.Method)
	}
	if c.OnlyBase+c.OnlyNew > 0 {
		fmt.Fprintf(w, "%d cells are only in the base, %d only in the new run\n", c.OnlyBase, c.OnlyNew)
	}
	for _, d := range c.Unasked() {
		fmt.Fprintf(w, "not to be ranked: %s\n", d.Sentence())
	}
}

func party(p verdict.Party) string {
	text := p.RunID
	if p.Name != "" {
		text += " " + p.Name
	}
	if p.Runs > 1 {
		text += fmt.Sprintf(" and %d earlier runs", p.Runs-1)
	}
	return text
}

func rate(r *float64) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f", *r)
}

func ratioText(r *verdict.Ratio) (change, interval string) {
	if r == nil {
		return "-", "-"
	}
	change = fmt.Sprintf("%+.1f %%", (r.Value-1)*100)
	if r.Low == nil || r.High == nil {
		return change, "-"
	}
	return change, fmt.Sprintf("%+.1f..%+.1f %%", (*r.Low-1)*100, (*r.High-1)*100)
}
