package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// manualCommand prints the manual page, for packages.
func manualCommand(env Env) *cli.Command {
	return &cli.Command{
		Name: "manual", Usage: "print the manual page", Hidden: true,
		Action: func(c *cli.Context) error { return writeManual(env.Stdout, listed(c.App.Commands)) },
	}
}

// roff takes the meaning off characters of a text in a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// writeManual writes mysweep(1) in the man macros of groff, made of the commands and their flags.
func writeManual(w io.Writer, commands []*cli.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH MYSWEEP 1 \"\" \"mysweep %s\" \"User Commands\"\n", roff(Version()))
	b.WriteString(".SH NAME\nmysweep \\- benchmark MySQL\\-protocol servers\n" +
		".SH SYNOPSIS\n.B mysweep\n.I COMMAND\n.RI [ FLAGS ]\n.RI [ ARGUMENTS ]\n" +
		".SH DESCRIPTION\n" +
		"mysweep sweeps thread and query counts over one or more configurations of a MySQL\\-protocol server, " +
		"archives the results, and reports what was reached and what limited it. " +
		"Without a named server it starts a private one and removes it at the end.\n" +
		".SH COMMANDS\n")
	var options cli.Command // of workloads, which several commands share
	for _, c := range commands {
		fmt.Fprintf(&b, ".SS mysweep %s\n%s\n", roff(strings.TrimSpace(c.Name+" "+c.ArgsUsage)), roff(strings.TrimSpace(sentence(c.Usage)+" "+c.Description)))
		for _, f := range c.Flags {
			switch {
			case groupOf(f) != optionsHeading:
				manualFlag(&b, f)
			case c.Name == "run":
				options.Flags = append(options.Flags, f)
			}
		}
	}
	b.WriteString(".SH OPTIONS OF WORKLOADS\nrun, plan, prepare and cleanup take the options of their workloads as flags.\n")
	for _, f := range options.Flags {
		manualFlag(&b, f)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, s := range exitStatuses() {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(s.status), roff(s.meaning))
	}
	b.WriteString(".SH FILES\n.TP\n.I /var/lib/mysweep\nThe archive, if it is writable; else mysweep\\-archive in the current folder.\n" +
		".TP\n.I ~/.my.cnf\nAn option file; its groups [client] and [mysweep] are read.\n" +
		".SH SEE ALSO\n.BR mysql (1)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func manualFlag(b *strings.Builder, f cli.Flag) {
	documented, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return
	}
	arg, _ := splitUsage(documented.GetUsage())
	if arg == "" && documented.TakesValue() {
		arg = "VALUE"
	}
	if arg != "" {
		arg = " " + arg
	}
	fmt.Fprintf(b, ".TP\n\\fB%s\\fR%s\n%s\n", roff(strings.Join(spelled(f), ", ")), roff(arg), roff(helpOf(f)))
}
