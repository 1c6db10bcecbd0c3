package command

import (
	"bufio"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/workload/gendata"
)

func genDataCommand(w World) *cli.Command {
	return &cli.Command{
		Name:  "gen-data",
		Usage: "print rows as super-smack's gen-data does",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "rows", Aliases: []string{"n"}, Usage: "how many rows"},
			&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Usage: "e.g. %12-12s%n,%25-25s,%n,%d: %a-bs letters, %n the row's number, %d a random number, %% a percent sign"},
			&cli.StringFlag{Name: "seed", Usage: "seed of the random letters and numbers", Value: "1"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("gen-data takes no argument: %s", c.Args().First())
			}
			rows, err := strconv.ParseInt(c.String("rows"), 10, 64)
			if err != nil || rows < 0 {
				return usage("--rows %q is no number of rows", c.String("rows"))
			}
			seed, err := strconv.ParseUint(c.String("seed"), 10, 64)
			if err != nil {
				return usage("--seed %q is no whole number", c.String("seed"))
			}
			if _, err := gendata.Parse(c.String("format")); err != nil {
				return usage("--format: %w", err)
			}
			out := bufio.NewWriterSize(w.Stdout, 1<<16)
			if err := gendata.Generate(out, rows, c.String("format"), seed); err != nil {
				return err
			}
			return out.Flush()
		},
	}
}
