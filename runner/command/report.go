package command

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

func reportCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write CSV files, report and summary again from an archive; needs no server",
		ArgsUsage: "DIR...",
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usage("name at least one archive: mysweep report DIR")
			}
			var faults []error
			for _, dir := range c.Args().Slice() {
				if _, err := derive(dir); err != nil {
					faults = append(faults, fmt.Errorf("report %s: %w", dir, err))
					continue
				}
				fmt.Fprintln(w.Stdout, reportPath(dir))
			}
			return errors.Join(faults...)
		},
	}
}
