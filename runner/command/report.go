package command

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/result"
)

func reportCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "rewrite CSV files, report and summary from an archive",
		ArgsUsage: "DIR...",
		Flags:     localFlags(printFlag(), formatFlag()),
		Action: func(c *cli.Context) error {
			layout, err := printLayout(c)
			if err != nil {
				return err
			}
			if err := checkFormat(c); err != nil {
				return err
			}
			if !c.Args().Present() {
				return usage("name at least one archive: mysweep report DIR")
			}
			var faults []error
			for _, dir := range c.Args().Slice() {
				if err := rewrite(w, dir, layout, c.String("format")); err != nil {
					faults = append(faults, fmt.Errorf("report %s: %w", dir, err))
				}
			}
			return errors.Join(faults...)
		},
	}
}

// rewrite writes the derived files of an archive again and prints the path of the
// report, the verdict as JSON, or the trials in the layout of an older program.
func rewrite(w World, dir, layout, format string) error {
	said, err := derive(dir)
	if err != nil {
		return err
	}
	if format == "json" {
		_, err := w.Stdout.Write(said.document)
		return err
	}
	if layout == "" {
		fmt.Fprintln(w.Stdout, reportPath(dir))
		return nil
	}
	a, err := result.Read(dir)
	if err != nil {
		return err
	}
	for i := range a.Trials {
		if err := printTrial(w.Stdout, layout, &a.Run.Plan, &a.Trials[i]); err != nil {
			return err
		}
	}
	return nil
}
