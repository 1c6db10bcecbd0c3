package command

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// setting is a flag and what it does to the plan when it was given. All flags
// with a value are read as text, so that every complaint has one form.
type setting struct {
	flag cli.Flag
	set  func(p *plan.Plan, text string) error
	// field is the list that a flag that may be given again adds to.
	field func(*plan.Plan) *plan.Texts
}

// text, number, span and yes make settings of the common forms.
func text(name, usage string, field func(*plan.Plan) *string, aliases ...string) setting {
	return value(name, usage, func(p *plan.Plan, s string) error { *field(p) = s; return nil }, aliases...)
}

func number(name, usage string, field func(*plan.Plan) *int, aliases ...string) setting {
	return value(name, usage, func(p *plan.Plan, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("%q is no whole number", s)
		}
		*field(p) = n
		return nil
	}, aliases...)
}

func span(name, usage string, field func(*plan.Plan) *plan.Duration) setting {
	return value(name, usage, func(p *plan.Plan, s string) (err error) {
		*field(p), err = plan.ParseDuration(s)
		return err
	})
}

func list(name, usage string, field func(*plan.Plan) *plan.Ints, aliases ...string) setting {
	return value(name, usage, func(p *plan.Plan, s string) (err error) {
		*field(p), err = plan.ParseInts(s)
		return err
	}, aliases...)
}

func value(name, usage string, set func(*plan.Plan, string) error, aliases ...string) setting {
	return setting{flag: &cli.StringFlag{Name: name, Aliases: aliases, Usage: usage}, set: set}
}

func yes(name, usage string, field func(*plan.Plan) *bool) setting {
	return setting{flag: &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}, set: func(p *plan.Plan, s string) (err error) {
		*field(p), err = strconv.ParseBool(s)
		return err
	}}
}

// many is a flag that may be given several times.
func many(name, usage string, field func(*plan.Plan) *plan.Texts) setting {
	return setting{flag: &cli.StringSliceFlag{Name: name, Usage: usage, KeepSpace: true}, field: field, set: func(p *plan.Plan, s string) error {
		*field(p) = append(*field(p), s)
		return nil
	}}
}

// flagsOf are the flags of settings, for the command line.
func flagsOf(settings []setting, category string) []cli.Flag {
	var flags []cli.Flag
	for _, s := range settings {
		switch f := s.flag.(type) {
		case *cli.StringFlag:
			f.Category = category
		case *cli.BoolFlag:
			f.Category = category
		case *cli.StringSliceFlag:
			f.Category = category
		}
		flags = append(flags, s.flag)
	}
	return flags
}

// apply gives the plan what stands on the command line, in the order of the
// settings.
func apply(c *cli.Context, p *plan.Plan, settings []setting) error {
	for _, s := range settings {
		name := s.flag.Names()[0]
		if !c.IsSet(name) {
			continue
		}
		for _, given := range given(c, s.flag, name) {
			if err := s.set(p, given); err != nil {
				return usage("--%s: %w", name, err)
			}
		}
	}
	return nil
}

func given(c *cli.Context, f cli.Flag, name string) []string {
	switch f.(type) {
	case *cli.StringSliceFlag:
		return c.StringSlice(name)
	case *cli.BoolFlag:
		return []string{strconv.FormatBool(c.Bool(name))}
	}
	return []string{c.String(name)}
}

// sweepSettings are the flags of the sweep itself.
func sweepSettings() []setting {
	return []setting{
		list("threads", "thread counts: a list of numbers, a:b:step and a:b:x2 (default 1,2,4,8,10:100:10)", func(p *plan.Plan) *plan.Ints { return &p.Threads }, "t"),
		list("queries", "rounds per thread, a list likewise (default: the workload's own)", func(p *plan.Plan) *plan.Ints { return &p.Queries }, "q"),
		value("time", "end each trial after this time instead", setTime),
		value("events", "end each trial after so many rounds in all instead", setEvents),
		span("min-time", "repeat a trial's burst until this time is full; 0 = once (default 500ms)", func(p *plan.Plan) *plan.Duration { return &p.MinTime }),
		span("ramp-up", "run so long before the measure of a timed trial begins", func(p *plan.Plan) *plan.Duration { return &p.RampUp }),
		number("repeat", "trials of each cell (default 3)", func(p *plan.Plan) *int { return &p.Repeat }, "r"),
		number("confirm", "further trials of the best cell (default 3)", func(p *plan.Plan) *int { return &p.Confirm }),
		span("warmup", "time of a warm-up for each case, not measured (default 5s)", func(p *plan.Plan) *plan.Duration { return &p.Warmup }),
		text("order", "interleaved (each repeat walks the grid in a fresh order) or sequential", func(p *plan.Plan) *string { return &p.Order }),
		value("seed", "seed of the order, the rows and the keys (default 0)", setSeed),
		value("rate", "rounds per second in all, kept whatever the server does (open loop)", setRate),
		text("arrivals", "with --rate: poisson or uniform", func(p *plan.Plan) *string { return &p.Arrivals }),
		text("reconnect", "never, query, round, or after N rounds", func(p *plan.Plan) *string { return &p.Reconnect }),
		text("protocol", "text or prepared", func(p *plan.Plan) *string { return &p.Protocol }),
		yes("compress", "compress the protocol", func(p *plan.Plan) *bool { return &p.Compress }),
		value("connect-parallel", "connects at a time, or all (default 8)", setConnectParallel),
		span("query-timeout", "end a statement after this time (default 60s)", func(p *plan.Plan) *plan.Duration { return &p.QueryTimeout }),
		span("trial-timeout", "end a trial after this time (default 10m)", func(p *plan.Plan) *plan.Duration { return &p.TrialTimeout }),
		many("ignore-errors", "server error codes that only restart the round, or all", func(p *plan.Plan) *plan.Texts { return &p.IgnoreErrors }),
		text("loadgen", "loop (event loops) or goroutine (a goroutine for each connection)", func(p *plan.Plan) *string { return &p.LoadGen }),
		number("loops", "event loops; 0 = chosen for the machine", func(p *plan.Plan) *int { return &p.Loops }),
		text("storage-engine", "engine of the tables (default InnoDB)", func(p *plan.Plan) *string { return &p.StorageEngine }),
		text("charset", "character set of the tables (default utf8mb4)", func(p *plan.Plan) *string { return &p.Charset }),
		text("collation", "collation of the tables (default the binary one of --charset: utf8mb4_bin)", func(p *plan.Plan) *string { return &p.Collation }),
		yes("existing-tables", "use the workload's tables as they are, whoever made them", func(p *plan.Plan) *bool { return &p.ExistingTables }),
		yes("keep-tables", "leave the tables on an existing server for the next run", func(p *plan.Plan) *bool { return &p.KeepTables }),
		yes("prepare-no-binlog", "load tables without the binary log", func(p *plan.Plan) *bool { return &p.NoBinlog }),
		value("settle", "before each case wait for load1=0.5,dirty=5%,timewait=1000,timeout=10m", setSettle),
		span("max-time", "end the run after this time", func(p *plan.Plan) *plan.Duration { return &p.MaxTime }),
		yes("allow-commands", "let the plan's cases run commands", func(p *plan.Plan) *bool { return &p.AllowCommands }),
		yes("allow-smt-change", "let the plan's cases switch SMT off and on", func(p *plan.Plan) *bool { return &p.AllowSMTChange }),
	}
}

// answerSettings say what the result is held against.
func answerSettings() []setting {
	return []setting{
		many("require", "what is needed, e.g. qps>=20000,p99<10ms; exit 4 when it is not met", func(p *plan.Plan) *plan.Texts { return &p.Require }),
		text("baseline", "compare with last, N runs, tag:X or a folder", func(p *plan.Plan) *string { return &p.Baseline }),
		value("fail-above", "exit 4 when worse than the baseline by more than this, e.g. 5%", setFailAbove),
	}
}

func setEvents(p *plan.Plan, s string) (err error) {
	if p.Events, err = strconv.ParseInt(s, 10, 64); err != nil || p.Events < 1 {
		return fmt.Errorf("%q is no whole number above 0", s)
	}
	return nil
}

func setSeed(p *plan.Plan, s string) (err error) {
	if p.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
		return fmt.Errorf("%q is no whole number", s)
	}
	return nil
}

func setRate(p *plan.Plan, s string) (err error) {
	if p.Rate, err = strconv.ParseFloat(s, 64); err != nil || !(p.Rate > 0) {
		return fmt.Errorf("%q is no number of rounds per second", s)
	}
	return nil
}

func setConnectParallel(p *plan.Plan, s string) (err error) {
	if s == "all" || s == "0" {
		p.ConnectParallel = 0
		return nil
	}
	if p.ConnectParallel, err = strconv.Atoi(s); err != nil || p.ConnectParallel < 1 {
		return fmt.Errorf("%q is neither a number above 0 nor all", s)
	}
	return nil
}

func setSettle(p *plan.Plan, s string) (err error) {
	p.Settle, err = plan.ParseSettle(s)
	return err
}

func setFailAbove(p *plan.Plan, s string) error {
	f, err := plan.ParsePercent(s)
	if err == nil && f == 0 {
		err = fmt.Errorf("invalid percentage %q: must be more than 0%%", s)
	}
	p.FailAbove = f
	return err
}

func setTime(p *plan.Plan, s string) error {
	d, err := plan.ParseDuration(s)
	if err == nil && d == 0 {
		err = fmt.Errorf("invalid duration %q: must be more than 0", s)
	}
	p.Time = d
	return err
}
