package command

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/plan"
)

// The exit statuses: a contract.
const (
	exitFailed  = 1 // failed, or something could not be restored
	exitUsage   = 2 // bad input, nothing was started
	exitTrials  = 3 // finished, but some trials failed or are invalid
	exitAnswer  = 4 // a requirement is not met, or a regression
	exitLocked  = 5 // another run holds the lock
	exitMail    = 6 // done, but the mail could not be sent
	exitSignals = 128
)

// exit is an error with an exit status. Without a cause nothing is printed: the
// command has already done that.
type exit struct {
	status int
	cause  error
}

func (e *exit) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.cause.Error()
}

func (e *exit) Unwrap() error { return e.cause }

// usage is an error in the command line or in a plan.
func usage(format string, args ...any) error {
	return &exit{exitUsage, fmt.Errorf(format, args...)}
}

// printed reports whether an error needs no message, because the command has said it already.
func printed(err error) bool {
	var e *exit
	return errors.As(err, &e) && e.cause == nil
}

// statusIn is the exit status of an error, 0 for nil.
func statusIn(err error) int {
	var e *exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.status
	}
	return exitFailed
}

// finish prints the error, if there is one, and returns the exit status.
func finish(env Env, err error, caught os.Signal) int {
	if err != nil && !printed(err) {
		for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
			fmt.Fprintln(env.Stderr, "mysweep:", charts.Line(line))
		}
	}
	if caught != nil {
		return exitSignals + int(caught.(syscall.Signal))
	}
	return statusIn(err)
}

// usageError rewords the errors of the flag package.
func usageError(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		if maybePassword(name) {
			return usage("%s", passwordRefused(c, name))
		}
		return usage("unknown flag %s%s", dashed(name), hintFlag(c, strings.TrimLeft(name, "-")))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usage("flag %s needs a value", dashed(name))
	}
	if names, ok := strings.CutPrefix(text, "Cannot use two forms of the same flag: "); ok {
		return usage("flags -%s are the same flag: give it once", strings.Join(strings.Fields(names), " and --"))
	}
	if value, name, ok := strings.Cut(text, " for -"); ok && strings.HasPrefix(value, "invalid boolean value ") {
		name, _, _ = strings.Cut(name, ":")
		return usage("--%s: invalid value %s: expected true or false", name, strings.TrimPrefix(value, "invalid boolean value "))
	}
	return usage("%s", text)
}

// maybePassword reports whether an unknown flag may be the mysql client's -pSECRET.
func maybePassword(flag string) bool {
	for _, f := range plan.Flags() {
		if f.Name == strings.TrimLeft(flag, "-") { // of another command
			return false
		}
	}
	return strings.HasPrefix(flag, "-p") || strings.HasPrefix(flag, "--p")
}

// passwordRefused never repeats the flag: it may be a password.
func passwordRefused(c *cli.Context, flag string) string {
	text := "unknown flag -p...: a password is not taken from the command line, where all users of this machine can see it: " +
		"use --password-file, an option file or MYSQL_PWD"
	name := strings.TrimLeft(flag, "-")
	if near := plan.Nearest(name, flagNames(c)); near != "" && name != "p" {
		text += " (or did you mean --" + near + "?)"
	}
	return text
}

// dashed is a flag as it is typed.
func dashed(name string) string {
	name = strings.TrimLeft(name, "-")
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// flagNames are the names of all flags of a command.
func flagNames(c *cli.Context) []string {
	var names []string
	flags := c.App.Flags
	if c.Command != nil {
		flags = append(flags, c.Command.Flags...)
	}
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	return names
}

func hintFlag(c *cli.Context, name string) string {
	if near := plan.Nearest(name, flagNames(c)); near != "" && len(name) > 1 {
		return ", did you mean " + dashed(near) + "?"
	}
	return ": see mysweep " + strings.TrimSpace(strings.TrimPrefix(c.Command.Name, "mysweep")+" --help")
}

func hintCommand(c *cli.Context, name string) string {
	var names []string
	for _, command := range listed(c.App.Commands) {
		names = append(names, command.Name)
	}
	if near := plan.Nearest(name, names); near != "" {
		return ", did you mean mysweep " + near + "?"
	}
	return ": expected " + plan.Enumerate(names)
}
