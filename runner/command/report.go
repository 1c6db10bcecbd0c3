package command

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/result"
)

func reportCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "rewrite CSV files, report and summary from an archive",
		ArgsUsage: "DIR...",
		Flags:     localFlags(printFlag(), formatFlag(), textfileFlag()),
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
			if c.IsSet("textfile") && c.Args().Len() > 1 {
				return usage("--textfile is for one archive: mysweep report --textfile FILE.prom DIR")
			}
			if err := checkTextfile(c); err != nil {
				return err
			}
			var faults []error
			for _, dir := range c.Args().Slice() {
				if err := rewrite(c, env, dir, layout); err != nil {
					faults = append(faults, fmt.Errorf("report %s: %w", dir, err))
				}
			}
			return errors.Join(faults...)
		},
	}
}

// rewrite writes the derived files of an archive again and prints the path of the
// report, the answer in another format, or the trials in the layout of an older program.
func rewrite(c *cli.Context, env Env, dir, layout string) error {
	archive, err := result.Read(dir)
	if err != nil {
		return usage("%w", err)
	}
	said, err := deriveFrom(archive, dir)
	if err != nil {
		return err
	}
	if err := writeTextfile(c, &said); err != nil {
		return err
	}
	if format := c.String("format"); format != "text" {
		text, err := said.text(format)
		if err == nil {
			_, err = env.Stdout.Write(text)
		}
		return err
	}
	if layout == "" {
		fmt.Fprintln(env.Stdout, reportPath(dir))
		return nil
	}
	for t := range archive.Full() {
		if err := printTrial(env.Stdout, layout, &archive.Run.Plan, t); err != nil {
			return err
		}
	}
	return archive.Err()
}
