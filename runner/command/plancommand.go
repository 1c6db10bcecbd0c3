package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

func planCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "plan",
		Usage:     "show the expanded plan without running it",
		ArgsUsage: "[PLAN.yaml]",
		Flags:     append(planFlags(), localFlags(plan.Flag{Name: "schema", Group: plan.GroupOutput, Kind: plan.Switch, Help: "print the keys of plan files as a JSON schema"})...),
		Action: func(c *cli.Context) error {
			if c.Bool("schema") {
				return writeSchema(env.Stdout)
			}
			p, err := makePlan(c, env)
			if err != nil {
				return err
			}
			describePlan(env.Stdout, &p, reconnecting(env, &p))
			return nil
		},
	}
}

// describePlan prints a plan for reading; reconnect says when threads reconnect.
func describePlan(w io.Writer, p *plan.Plan, reconnect string) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	if p.Note != "" {
		line("note", "%s", p.Note)
	}
	line("server", "%s", describeServer(p))
	describeCases(line, p)
	for _, wl := range p.Workloads {
		line("workload", "%s", describeWorkload(wl))
	}
	line("threads", "%s", p.Threads)
	switch {
	case len(p.Queries) > 0 && p.MinTime > 0:
		line("queries", "%s rounds per thread, bursts repeated for at least %s", p.Queries, p.MinTime)
	case len(p.Queries) > 0:
		line("queries", "%s rounds per thread, one burst", p.Queries)
	case p.Time > 0:
		line("time", "%s per trial", p.Time)
	default:
		line("events", "%d rounds per trial in total", p.Events)
	}
	if p.Rate > 0 {
		line("rate", "%g rounds per second, %s arrivals", p.Rate, p.Arrivals)
	}
	line("client", "%s protocol, reconnect %s, %s connections opened at a time, load generator %s", p.Protocol, reconnect, parallel(p), p.LoadGen)
	if p.Settle.Any() {
		line("settle", "%s", p.Settle)
	}
	line("order", "%s, seed %d", p.Order, p.Seed)
	for _, r := range p.Require {
		line("require", "%s", r)
	}
	if p.Baseline != "" {
		line("baseline", "%s%s", p.Baseline, describeGate(p))
	}
	describeTrials(line, p)
}

// describeTrials prints how many trials there are and how long they take.
func describeTrials(line func(label, format string, args ...any), p *plan.Plan) {
	varied := len(p.VariedCases()) * len(p.Workloads)
	swept := len(p.Cases)*len(p.Workloads) - varied
	cells := swept*len(p.Cells("", "")) + varied
	text := fmt.Sprintf("%d: %d cells x %d, and %d to confirm the best", p.Trials(), cells, p.Repeat, p.Confirm*swept)
	if again := p.Trials() - cells*p.Repeat - p.Confirm*swept; again > 0 {
		text += fmt.Sprintf(", and %d of the base among the cases that vary it", again)
	}
	line("trials", "%s", text)
	about, rest := p.About().Round(time.Second).String(), "not including the loading of tables and settling"
	switch {
	case p.Time > 0:
	case p.Events > 0:
		about, rest = "unknown", fmt.Sprintf("each trial ends after %d rounds, however long they take", p.Events)
	case p.MinTime > 0:
		rest = fmt.Sprintf("or longer where a burst takes more than %s; ", p.MinTime) + rest
	default:
		about, rest = "unknown", "each trial ends when its rounds are done, however long they take"
	}
	if about == "unknown" {
		line("about", "unknown: %s", rest)
		return
	}
	line("about", "%s, %s", about, rest)
}

// describeGate says when the comparison with the baseline fails, empty for never.
func describeGate(p *plan.Plan) string {
	var limits []string
	if p.FailAbove > 0 {
		limits = append(limits, "throughput is worse by more than "+percent(p.FailAbove))
	}
	if p.FailLatencyAbove > 0 {
		limits = append(limits, "latency is worse by more than "+percent(p.FailLatencyAbove))
	}
	if len(limits) == 0 {
		return ""
	}
	return ": fails when " + strings.Join(limits, " or ")
}

func percent(fraction float64) string { return fmt.Sprintf("%.4g %%", 100*fraction) }

// reconnecting says when the threads of each workload reconnect: a workload that does so by itself
// overrides the plan.
func reconnecting(env Env, p *plan.Plan) string {
	var all, named []string
	for _, w := range p.Workloads {
		when := p.Reconnect
		if made, err := makeWorkload(env, p, w); err == nil {
			when = load.Reconnects(made, when)
		}
		if !slices.Contains(all, when) {
			all = append(all, when)
		}
		named = append(named, when+" ("+w.Label()+")")
	}
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(named, ", ")
}

// describeCases prints the cases and, indented below each, what it sets.
func describeCases(line func(label, format string, args ...any), p *plan.Plan) {
	for _, c := range p.Cases {
		settings := c.Settings()
		if len(p.Cases) == 1 && len(settings) == 0 && c.Server == nil {
			return
		}
		line("case", "%s%s", c.Name, describeCase(p, c))
		for _, s := range settings {
			line("", "  %s: %s", s.Name, s.Value)
		}
	}
}

// describeCase describes what the name of a case does not say.
func describeCase(p *plan.Plan, c plan.Case) string {
	text := ""
	if c.Server != nil {
		text = ": " + describeExisting(*c.Server)
	}
	if len(c.Restart) > 0 {
		text += ", restarted by commands"
	}
	if c.Of != "" && p.AtKnee() {
		text += fmt.Sprintf(" (at the knee of %s)", c.Of)
	}
	return text
}

func parallel(p *plan.Plan) string {
	if p.ConnectParallel == 0 {
		return "all"
	}
	return fmt.Sprint(p.ConnectParallel)
}

func describeServer(p *plan.Plan) string {
	if p.Existing(plan.Case{}) {
		return describeExisting(p.Server)
	}
	program := p.Private.Mysqld
	if program == "" {
		program = "the first mariadbd or mysqld found"
	}
	text := "private, " + program
	if len(p.Private.Options) > 0 {
		text += ", " + strings.Join(p.Private.Options, ", ")
	}
	return text
}

// describeExisting is the address of a server. A DSN may hold a password.
func describeExisting(s plan.Server) string {
	switch {
	case s.Socket != "":
		return "existing, socket " + s.Socket
	case s.Existing():
		host := s.Host
		if host == "" {
			host = "localhost"
		}
		port := s.Port
		if port == 0 {
			port = 3306
		}
		return fmt.Sprintf("existing, %s port %d", host, port)
	case s.DSN != "":
		return "existing, " + server.Endpoint{DSN: s.DSN}.Name()
	}
	return "existing, address in " + s.DefaultsFile
}

func describeWorkload(w plan.Workload) string {
	text := w.Label()
	for _, name := range strings.Split(plan.Names(w.Options), ", ") {
		if name != "" {
			text += fmt.Sprintf(" %s=%s", name, w.Options[name])
		}
	}
	return text
}
