package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/legacy"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// printFlag is for scripts that read the output of older programs.
func printFlag() plan.Flag {
	return plan.Flag{Name: "print", Group: plan.GroupOutput, Arg: "LAYOUT", Choices: legacy.Layouts(),
		Help: "instead of the summary, print each trial in the layout of another program"}
}

// printLayout is the layout that was asked for, "" for none.
func printLayout(c *cli.Context) (string, error) {
	layout := c.String("print")
	if layout != "" && !slices.Contains(legacy.Layouts(), layout) {
		return "", usage("invalid --print %q%s", layout, plan.DidYouMean(layout, legacy.Layouts()))
	}
	return layout, nil
}

// formatFlag is for programs that read the verdict.
func formatFlag() plan.Flag {
	return plan.Flag{Name: "format", Group: plan.GroupOutput, Choices: verdictFormats(), Default: "text",
		Help: "format of the summary; json is the whole verdict"}
}

func verdictFormats() []string { return []string{"text", "markdown", "json"} }

// checkFormat checks --format and that no other flag chooses what is printed.
func checkFormat(c *cli.Context) error {
	format := c.String("format")
	if !slices.Contains(verdictFormats(), format) {
		return usage("invalid --format %q: expected %s", format, plan.Enumerate(verdictFormats()))
	}
	if format != "text" && c.String("print") != "" {
		return usage("--format %s and --print are mutually exclusive", format)
	}
	return nil
}

// printTrial prints a trial that was measured, with its case where there are several.
func printTrial(w io.Writer, layout string, p *plan.Plan, t *result.Trial) error {
	if t.Status != result.OK && t.Status != result.Invalid {
		return nil
	}
	i := slices.IndexFunc(p.Workloads, func(w plan.Workload) bool { return w.Label() == t.Workload })
	if i < 0 {
		return fmt.Errorf("trial %d: the plan has no workload %s", t.Seq, t.Workload)
	}
	text, err := legacy.Trial(layout, t, p.Workloads[i].Options)
	if err != nil {
		return fmt.Errorf("trial %d: %w", t.Seq, err)
	}
	if len(p.Cases) > 1 {
		text = "case: " + t.Case + "\n" + text
	}
	_, err = io.WriteString(w, text)
	return err
}
