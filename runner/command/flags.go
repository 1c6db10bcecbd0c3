package command

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// cliFlags are flags for the command line. Those with a value are all read as
// text, so that plan.Flag words every error.
func cliFlags(flags []plan.Flag) []cli.Flag {
	var list []cli.Flag
	for _, f := range flags {
		list = append(list, cliFlag(f))
	}
	return list
}

func cliFlag(f plan.Flag) cli.Flag {
	var aliases []string
	if f.Short != "" {
		aliases = []string{f.Short}
	}
	category := string(f.Group)
	switch {
	case f.KindOf() == plan.Switch:
		return &cli.BoolFlag{Name: f.Name, Aliases: aliases, Usage: usageText(f), Category: category, Hidden: !f.Common, DisableDefaultText: true}
	case f.Many():
		return &cli.StringSliceFlag{Name: f.Name, Aliases: aliases, Usage: usageText(f), Category: category, Hidden: !f.Common, KeepSpace: true}
	}
	s := &cli.StringFlag{Name: f.Name, Aliases: aliases, Usage: usageText(f), Category: category, Hidden: !f.Common}
	if f.Field == nil && f.Set == nil { // no part of a plan, which has its own defaults
		s.Value = f.Default
	}
	return s
}

// localFlags are flags of one command, which are no part of a plan.
func localFlags(flags ...plan.Flag) []cli.Flag {
	for i := range flags {
		flags[i].Common = true
	}
	return cliFlags(flags)
}

// usageText is the help of a flag: the placeholder of its value in backquotes,
// the help, the choices and the default.
func usageText(f plan.Flag) string {
	text := meaning(f)
	if f.Many() {
		text += " [repeatable]"
	}
	if f.KindOf() != plan.Switch {
		text = "`" + argOf(f) + "`" + text
	}
	return text
}

// meaning is the help of a flag with its choices and its default.
func meaning(f plan.Flag) string {
	text := f.Help
	if len(f.Choices) > 0 {
		text += ": " + plan.Enumerate(f.Choices)
	}
	switch {
	case f.Default != "" && f.Default != "0":
		text += " (default: " + f.Default + ")"
	case f.Unset != "":
		text += " (default: " + f.Unset + ")"
	}
	return text
}

// argOf is the placeholder of a flag's value.
func argOf(f plan.Flag) string {
	if f.Arg != "" {
		return f.Arg
	}
	switch f.KindOf() {
	case plan.Integer:
		return "N"
	case plan.Number:
		return "NUMBER"
	case plan.Span:
		return "DURATION"
	case plan.Percent:
		return "PERCENT"
	case plan.Counts:
		return "LIST"
	}
	if len(f.Choices) > 0 {
		return "NAME"
	}
	return "TEXT"
}

// planFlags are all flags that make a plan, the options of workloads among them.
func planFlags() []cli.Flag { return append(cliFlags(plan.Flags()), optionFlags()...) }

// tableFlags are those that a command obeys which works on tables alone.
func tableFlags(command plan.TableCommand) []cli.Flag {
	var flags []plan.Flag
	for _, f := range plan.Flags() {
		if f.Tables&command != 0 {
			flags = append(flags, f)
		}
	}
	return append(cliFlags(flags), optionFlags()...)
}

// given are the texts of a flag on the command line, nil without it.
func given(c *cli.Context, f plan.Flag) []string {
	switch {
	case !c.IsSet(f.Name):
		return nil
	case f.KindOf() == plan.Switch:
		return []string{strconv.FormatBool(c.Bool(f.Name))}
	case f.Many():
		return c.StringSlice(f.Name)
	}
	return []string{c.String(f.Name)}
}

// applyFlags lets the command line override a plan, and returns the names of
// the flags that are there.
func applyFlags(c *cli.Context, p *plan.Plan) (names []string, err error) {
	replaced := map[plan.Alternatives]bool{}
	for _, f := range plan.Flags() {
		texts := given(c, f)
		if texts == nil {
			continue
		}
		names = append(names, f.Name)
		if f.Alternatives != 0 && !replaced[f.Alternatives] {
			p.Clear(f.Alternatives)
			replaced[f.Alternatives] = true
		}
		if err := applyFlag(f, p, texts); err != nil {
			return names, err
		}
	}
	return names, applyOptions(c, p)
}

func applyFlag(f plan.Flag, p *plan.Plan, texts []string) error {
	for _, text := range texts {
		if (f.Name == "dsn" || f.Name == "replica") && hasPassword(text) {
			return usage("--%s has a password, which all users of this machine can see in the process list: "+
				"put the DSN into a plan file, or the password into --password-file, an option file or MYSQL_PWD", f.Name)
		}
		if err := f.Apply(p, text); err != nil {
			return usage("--%s: %w", f.Name, err)
		}
	}
	return nil
}

// hasPassword reports whether a DSN (user:password@net(address)/schema) holds a password.
func hasPassword(dsn string) bool {
	at := strings.LastIndexByte(dsn, '@')
	if at < 0 {
		return false
	}
	_, password, _ := strings.Cut(dsn[:at], ":")
	return password != ""
}
