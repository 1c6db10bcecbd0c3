package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
)

// planFlags are all flags that make a plan.
func planFlags() []cli.Flag {
	flags := []cli.Flag{
		&cli.StringSliceFlag{Name: "workload", Aliases: []string{"w"}, Usage: "what to run; see mysweep workloads (default select-key)", Category: "The sweep"},
		&cli.StringSliceFlag{Name: "smack", Usage: "run a .smack `FILE`", Category: "The sweep"},
		&cli.StringSliceFlag{Name: "sql", Usage: "run the statements of an .sql `FILE` as a round", Category: "The sweep"},
		&cli.StringFlag{Name: "preset", Usage: "supersmack: the shell loop around super-smack to the letter", Category: "The sweep"},
		&cli.StringFlag{Name: "name", Usage: "name of the run", Category: "Output"},
		&cli.StringSliceFlag{Name: "tag", Usage: "k=v kept with the run", Category: "Output"},
	}
	flags = append(flags, flagsOf(serverSettings(), "Which server")...)
	flags = append(flags, flagsOf(accessSettings(), "Which server")...)
	flags = append(flags, flagsOf(privateSettings(), "A private server")...)
	flags = append(flags, flagsOf(sweepSettings(), "The sweep")...)
	flags = append(flags, flagsOf(answerSettings(), "The answer")...)
	return append(flags, optionFlags()...)
}

// makePlan reads the plan file, if one is named, lets the flags override it,
// completes it and validates it.
func makePlan(c *cli.Context, w World) (plan.Plan, error) {
	p := plan.Default()
	if c.Args().Len() > 1 {
		return p, usage("one plan file at a time: %s", strings.Join(c.Args().Slice(), ", "))
	}
	if file := c.Args().First(); file != "" {
		if err := readPlanFile(file, w.Stdin, &p); err != nil {
			return p, err
		}
	}
	if err := applyFlags(c, &p); err != nil {
		return p, err
	}
	sweep, err := defaultSweep(p)
	if err != nil {
		return p, err
	}
	p.Fill(sweep)
	if err := refuseIdle(c, &p); err != nil {
		return p, err
	}
	if mistakes := p.Validate(catalogue()); len(mistakes) > 0 {
		return p, usage("%s", strings.Join(mistakes, "\n"))
	}
	return p, nil
}

func applyFlags(c *cli.Context, p *plan.Plan) error {
	if c.IsSet("preset") {
		if err := setPreset(p, c.String("preset")); err != nil {
			return usage("--preset: %w", err)
		}
	}
	if c.IsSet("name") {
		p.Name = c.String("name")
	}
	for _, tag := range c.StringSlice("tag") {
		if err := setTag(p, tag); err != nil {
			return usage("--tag %w", err)
		}
	}
	applyEnds(c, p)
	for _, settings := range [][]setting{serverSettings(), accessSettings(), privateSettings(), sweepSettings(), answerSettings()} {
		if err := apply(c, p, settings); err != nil {
			return err
		}
	}
	applyWorkloads(c, p)
	return applyOptions(c, p)
}

// applyEnds lets a flag that ends a trial replace the plan file's other ends.
func applyEnds(c *cli.Context, p *plan.Plan) {
	if c.IsSet("queries") || c.IsSet("time") || c.IsSet("events") {
		p.Queries, p.Time, p.Events = nil, 0, 0
	}
}

func setTag(p *plan.Plan, text string) error {
	k, v, ok := strings.Cut(text, "=")
	if !ok || k == "" {
		return fmt.Errorf("%q: write k=v", text)
	}
	if p.Tags == nil {
		p.Tags = map[string]string{}
	}
	p.Tags[k] = v
	return nil
}

func applyWorkloads(c *cli.Context, p *plan.Plan) {
	var named []plan.Workload
	for _, name := range c.StringSlice("workload") {
		named = append(named, plan.Workload{Name: name})
	}
	for _, file := range c.StringSlice("smack") {
		named = append(named, plan.Workload{Smack: file})
	}
	for _, file := range c.StringSlice("sql") {
		named = append(named, plan.Workload{SQL: file})
	}
	if len(named) > 0 {
		p.Workloads = named
	}
}

// catalogue tells package plan the names of workloads and options.
func catalogue() plan.Catalogue {
	c := plan.Catalogue{Workloads: map[string]map[string]plan.OptionCheck{}}
	for _, spec := range workload.All() {
		options := map[string]plan.OptionCheck{}
		for _, o := range spec.Options {
			options[o.Name] = o.Check
		}
		c.Workloads[spec.Name] = options
	}
	return c
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

// optionFlags are the options of all workloads, each name once.
func optionFlags() []cli.Flag {
	var flags []cli.Flag
	for _, o := range workloadOptions() {
		usage := o.Usage + " (" + strings.Join(o.workloads, ", ") + ")"
		if o.Form == "bool" {
			flags = append(flags, &cli.BoolFlag{Name: o.Name, Usage: usage, Category: "Workloads", DisableDefaultText: true})
		} else {
			flags = append(flags, &cli.StringFlag{Name: o.Name, Usage: usage, Category: "Workloads", DefaultText: o.Default})
		}
	}
	return flags
}

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

// applyOptions gives each option to the plan's workloads that have it.
func applyOptions(c *cli.Context, p *plan.Plan) error {
	for _, o := range workloadOptions() {
		if !c.IsSet(o.Name) {
			continue
		}
		text := c.String(o.Name)
		if o.Form == "bool" {
			text = fmt.Sprint(c.Bool(o.Name))
		}
		if err := giveOption(p, o, text); err != nil {
			return usage("--%w", err)
		}
	}
	return nil
}

// giveOption gives an option to the plan's workloads that have it.
func giveOption(p *plan.Plan, o sharedOption, text string) error {
	taken := false
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if !slices.Contains(o.workloads, w.Name) && !(w.Smack != "" && o.Name == "smack-key-step") {
			continue
		}
		if w.Options == nil {
			w.Options = plan.Options{}
		}
		w.Options[o.Name], taken = text, true
	}
	if !taken {
		return fmt.Errorf("%s is an option of %s, which the plan does not run", o.Name, strings.Join(o.workloads, ", "))
	}
	return nil
}
