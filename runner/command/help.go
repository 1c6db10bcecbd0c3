package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// helpColumn is where the help texts of flags and commands begin.
const helpColumn = 28

// withHelp makes a command show its help instead of running when that is asked
// for, and check its arguments before it runs.
func withHelp(env Env, command *cli.Command) {
	command.HideHelp, command.HideHelpCommand = true, true
	command.Flags = append(command.Flags,
		&cli.BoolFlag{Name: "help", Usage: "show help", DisableDefaultText: true},
		&cli.BoolFlag{Name: "help-all", Usage: "show all flags", DisableDefaultText: true})
	run := command.Action
	command.Action = func(c *cli.Context) error {
		if c.Bool("help") || c.Bool("help-all") {
			return writeHelp(env.Stdout, helpWidth(env), command, c.Bool("help-all"))
		}
		if err := refuseSlips(c); err != nil {
			return err
		}
		return run(c)
	}
}

// helpWidth is the width of the terminal, 80 columns without one.
func helpWidth(env Env) int {
	if env.OutTerminal && env.Width >= 40 {
		return env.Width
	}
	return 80
}

// writeHelp describes a command: all its flags, or the common ones.
func writeHelp(w io.Writer, width int, command *cli.Command, all bool) error {
	var text strings.Builder
	text.WriteString(strings.TrimSpace("Usage: mysweep "+command.Name+" [FLAGS] "+command.ArgsUsage) + "\n\n")
	text.WriteString(wrap(sentence(command.Usage)+" "+command.Description, width, 0))
	groups := map[string][]cli.Flag{}
	var order []string
	for _, g := range plan.Groups() {
		order = append(order, string(g))
	}
	more := false
	for _, f := range command.Flags {
		if uncommon(f) && !all || isHelp(f) || groupOf(f) == optionsHeading {
			more = more || uncommon(f)
			continue
		}
		if group := groupOf(f); !slices.Contains(order, group) {
			order = append(order, group)
		}
		groups[groupOf(f)] = append(groups[groupOf(f)], f)
	}
	for _, group := range order {
		if len(groups[group]) > 0 {
			text.WriteString("\n" + group + ":\n")
		}
		for _, f := range groups[group] {
			text.WriteString(flagHelp(f, width))
		}
	}
	text.WriteString(helpEnd(command, width, more && !all))
	_, err := io.WriteString(w, text.String())
	return err
}

// helpEnd says where the flags are that the help leaves out.
func helpEnd(command *cli.Command, width int, more bool) string {
	text := ""
	if slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return groupOf(f) == optionsHeading }) {
		text += wrap("Options of workloads are flags too: see mysweep workloads NAME.", width, 0)
	}
	if more {
		text += wrap("More flags: mysweep "+command.Name+" --help-all", width, 0)
	}
	if text == "" {
		return ""
	}
	return "\n" + text
}

// flagHelp is the entry of a flag: its names, its placeholder, its text.
func flagHelp(f cli.Flag, width int) string {
	documented, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	arg, text := splitUsage(documented.GetUsage())
	if arg == "" && documented.TakesValue() {
		arg = "VALUE"
	}
	names := "    "
	if f.Names()[0] != "" {
		names += "--" + f.Names()[0]
	}
	for _, alias := range f.Names()[1:] {
		if len(alias) == 1 {
			names = "-" + alias + ", " + strings.TrimLeft(names, " ")
		}
	}
	if arg != "" {
		names += " " + arg
	}
	return entry(names, text, width)
}

// splitUsage separates the placeholder, which is in backquotes, from the
// text. At the beginning of the text it is no part of it.
func splitUsage(usage string) (arg, text string) {
	before, rest, ok := strings.Cut(usage, "`")
	if !ok {
		return "", usage
	}
	arg, after, _ := strings.Cut(rest, "`")
	if before == "" {
		return arg, strings.TrimSpace(after)
	}
	return arg, before + arg + after
}

// entry is a name with its description, which has a column of its own.
func entry(name, text string, width int) string {
	lines := wrap(text, width, helpColumn)
	head := "  " + name
	if utf8.RuneCountInString(head) > helpColumn-2 {
		return head + "\n" + lines
	}
	return fmt.Sprintf("%-*s", helpColumn, head) + strings.TrimLeft(lines, " ")
}

// wrap breaks text into lines of at most width columns, each after indent blanks.
func wrap(text string, width, indent int) string {
	blanks := strings.Repeat(" ", indent)
	var lines strings.Builder
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && indent+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines.WriteString(blanks + line + "\n")
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	lines.WriteString(blanks + line + "\n")
	return lines.String()
}

// sentence gives a help text its capital letter and its full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func groupOf(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
		return c.GetCategory()
	}
	return "Flags"
}

// uncommon flags are shown by --help-all only.
func uncommon(f cli.Flag) bool {
	v, ok := f.(cli.VisibleFlag)
	return ok && !v.IsVisible() && !isHelp(f) && groupOf(f) != optionsHeading
}

func isHelp(f cli.Flag) bool { return slices.Contains([]string{"help", "help-all"}, f.Names()[0]) }

// writeAppHelp describes mysweep as a whole.
func writeAppHelp(w io.Writer, width int, commands []*cli.Command) error {
	var text strings.Builder
	text.WriteString("Usage: mysweep COMMAND [FLAGS] [ARGUMENTS]\n\n")
	text.WriteString(wrap("Benchmark MySQL-protocol servers: sweep thread and query counts, archive the results, report what was reached and what limited it.", width, 0))
	text.WriteString("\nCommands:\n")
	for _, c := range listed(commands) {
		text.WriteString(entry(c.Name, c.Usage, width))
	}
	text.WriteString("\nExit status:\n")
	for _, s := range exitStatuses() {
		fmt.Fprintf(&text, "  %-13s  %s\n", s.status, s.meaning)
	}
	text.WriteString("\n" + wrap("See mysweep COMMAND --help for the flags of a command.", width, 0))
	_, err := io.WriteString(w, text.String())
	return err
}

// exitStatuses are the exit statuses for the help.
func exitStatuses() []struct{ status, meaning string } {
	return []struct{ status, meaning string }{
		{"0", "done"},
		{"1", "failed, or something could not be restored"},
		{"2", "usage error, nothing was started"},
		{"3", "finished, but some trials failed or are invalid"},
		{"4", "requirement not met, or regression"},
		{"5", "another run holds the lock"},
		{"6", "done, but the mail could not be sent"},
		{"129, 130, 143", "interrupted"},
		{"141", "the reader of the output has gone"},
	}
}

// helpCommand is mysweep help, and versionCommand mysweep version.
func helpCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "show the help of mysweep or of a command", ArgsUsage: "[COMMAND]",
		Action: func(c *cli.Context) error {
			name := c.Args().First()
			if name == "" {
				return writeAppHelp(env.Stdout, helpWidth(env), c.App.Commands)
			}
			command := c.App.Command(name)
			if command == nil {
				return usage("unknown command %q%s", name, hintCommand(c, name))
			}
			return writeHelp(env.Stdout, helpWidth(env), command, false)
		},
	}
}

func versionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Action: func(c *cli.Context) error {
			_, err := fmt.Fprintln(env.Stdout, "mysweep", Version())
			return err
		},
	}
}
