package command

import (
	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// refuseIdle complains about flags that would have no effect beside the others:
// whoever gives one expects one.
func refuseIdle(c *cli.Context, p *plan.Plan) error {
	for _, f := range []struct {
		name  string
		idle  bool
		needs string
	}{
		{"arrivals", p.Rate == 0, "--rate: without one a round follows the other"},
		{"min-time", len(p.Queries) == 0, "--queries: a trial that ends by --time or --events is one burst"},
		{"ramp-up", p.Time == 0, "--time: a burst of --queries is measured whole"},
		{"loops", p.LoadGen == "goroutine", "--loadgen loop: there are no event loops else"},
		{"fail-above", p.Baseline == "", "--baseline: there is nothing else to be worse than"},
	} {
		if c.IsSet(f.name) && f.idle {
			return usage("--%s needs %s", f.name, f.needs)
		}
	}
	return nil
}
