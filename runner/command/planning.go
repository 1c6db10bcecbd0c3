package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/smack"
)

// makePlan reads the plan file, if there is one, applies the flags, completes the
// plan and validates it.
func makePlan(c *cli.Context, env Env) (plan.Plan, error) {
	p := plan.Default()
	files, script := arguments(c)
	if len(files) > 1 {
		return p, usage("more than one plan file: %s", strings.Join(files, ", "))
	}
	for _, file := range files {
		if err := readPlanFile(file, env.Stdin, &p); err != nil {
			return p, err
		}
	}
	names, err := applyFlags(c, &p)
	if err != nil {
		return p, err
	}
	if err := setScriptOptions(&p, script); err != nil {
		return p, err
	}
	sweep, err := defaultSweep(p)
	if err != nil {
		return p, err
	}
	p.Fill(sweep)
	if mistakes := p.Validate(catalogue(), names...); len(mistakes) > 0 {
		return p, usage("%s", strings.Join(mistakes, "\n"))
	}
	return p, nil
}

// catalogue tells package plan the names of workloads and options.
func catalogue() plan.Catalogue {
	c := plan.Catalogue{Workloads: map[string]map[string]plan.OptionCheck{}, Smack: checks(smack.Options())}
	for _, spec := range workload.All() {
		c.Workloads[spec.Name] = checks(spec.Options)
	}
	return c
}

func checks(options []workload.Option) map[string]plan.OptionCheck {
	list := map[string]plan.OptionCheck{}
	for _, o := range options {
		list[o.Name] = o.Check
	}
	return list
}

// defaultSweep is the sweep of the plan's first workload.
func defaultSweep(p plan.Plan) (plan.Sweep, error) {
	sweep := plan.Sweep{Queries: plan.Ints{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}}
	if len(p.Workloads) == 0 {
		return sweep, nil
	}
	spec, err := specOf(p.Workloads[0])
	if err != nil && p.Workloads[0].Name == "" {
		return sweep, usage("%w", err)
	}
	if err != nil || spec.Sweep == (workload.Sweep{}) {
		return sweep, nil // a file, or a name that Validate refuses
	}
	return parseSweep(spec)
}

func parseSweep(spec workload.Spec) (sweep plan.Sweep, err error) {
	sweep.Protocol = spec.Sweep.Protocol
	for _, list := range []struct {
		text  string
		field *plan.Ints
	}{{spec.Sweep.Threads, &sweep.Threads}, {spec.Sweep.Queries, &sweep.Queries}} {
		if list.text == "" {
			continue
		}
		if *list.field, err = plan.ParseInts(list.text); err != nil {
			return sweep, fmt.Errorf("workload %s: %w", spec.Name, err)
		}
	}
	for _, span := range []struct {
		text  string
		field *plan.Duration
	}{{spec.Sweep.Time, &sweep.Time}, {spec.Sweep.RampUp, &sweep.RampUp}} {
		if span.text == "" {
			continue
		}
		if *span.field, err = plan.ParseDuration(span.text); err != nil {
			return sweep, fmt.Errorf("workload %s: %w", spec.Name, err)
		}
	}
	return sweep, nil
}

// optionsHeading is the heading of options of workloads, which mysweep workloads
// shows and no other help.
const optionsHeading = "Options of workloads"

// optionFlags are the options of all workloads, each name once.
func optionFlags() []cli.Flag {
	var flags []cli.Flag
	for _, o := range workloadOptions() {
		usage := o.Usage + " (" + strings.Join(o.workloads, ", ") + ")"
		if o.Form == "bool" {
			flags = append(flags, &cli.BoolFlag{Name: o.Name, Usage: usage, Category: optionsHeading, Hidden: true, DisableDefaultText: true})
		} else {
			flags = append(flags, &cli.StringFlag{Name: o.Name, Usage: usage, Category: optionsHeading, Hidden: true})
		}
	}
	return flags
}

// sharedOption is an option with the names of the workloads that have it.
type sharedOption struct {
	workload.Option
	workloads []string
}

func workloadOptions() []sharedOption {
	var all []sharedOption
	for _, spec := range workload.All() {
		for _, o := range spec.Options {
			i := slices.IndexFunc(all, func(s sharedOption) bool { return s.Name == o.Name })
			if i < 0 {
				all = append(all, sharedOption{Option: o})
				i = len(all) - 1
			}
			all[i].workloads = append(all[i].workloads, spec.Name)
		}
	}
	return all
}

// applyOptions gives each option on the command line to the workloads that have it.
func applyOptions(c *cli.Context, p *plan.Plan) error {
	for _, o := range workloadOptions() {
		if !c.IsSet(o.Name) {
			continue
		}
		text := c.String(o.Name)
		if o.Form == "bool" {
			text = fmt.Sprint(c.Bool(o.Name))
		}
		if err := p.SetOption(catalogue(), o.Name, text); err != nil {
			return usage("%w", err)
		}
	}
	return nil
}
