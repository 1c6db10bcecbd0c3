package command

import (
	"bufio"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload/gendata"
)

func genDataCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "gen-data",
		Usage: "print random rows like gen-data of super-smack",
		Flags: localFlags(
			plan.Flag{Name: "rows", Short: "n", Kind: plan.Integer, Help: "number of rows"},
			plan.Flag{Name: "format", Short: "f", Arg: "FORMAT",
				Help: "format of a row, e.g. %12-12s%n,%25-25s,%n,%d: %a-bs is a to b letters, %n the row number, %d a random number, %% a percent sign"},
			plan.Flag{Name: "seed", Kind: plan.Integer, Default: "1", Help: "seed of the random letters and numbers"},
		),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("gen-data takes no arguments, got %q", c.Args().First())
			}
			if !c.IsSet("rows") {
				return usage("missing --rows: expected a number of rows, e.g. -n 90000")
			}
			rows, err := strconv.ParseInt(c.String("rows"), 10, 64)
			if err != nil || rows < 0 {
				return usage("invalid --rows %q: expected a number of rows", c.String("rows"))
			}
			seed, err := strconv.ParseUint(c.String("seed"), 10, 64)
			if err != nil {
				return usage("invalid --seed %q: expected an integer of 0 or more", c.String("seed"))
			}
			if _, err := gendata.Parse(c.String("format")); err != nil {
				return usage("--format: %w", err)
			}
			out := bufio.NewWriterSize(env.Stdout, 1<<16)
			if err := gendata.Generate(out, rows, c.String("format"), seed); err != nil {
				return err
			}
			return out.Flush()
		},
	}
}
