// Package command is the command line: the only place that prints, reads the
// environment, handles signals and decides the exit status. It turns flags and
// files into a plan, hands it to the sweep, and writes what the archive says.
package command

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// version is set when a release is built.
var version = ""

// Env is what a command uses of the process: streams, terminal, environment, umask.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// OutTerminal and ErrTerminal say whether a person watches.
	OutTerminal, ErrTerminal bool
	// Umask is that of the process.
	Umask fs.FileMode
	// holdServers keeps an impatient user's signal from ending the process until what it returns is
	// called.
	holdServers func() (release func())
	// Width is the terminal's width in columns.
	Width int
}

// System is the world of this process.
func System() Env {
	env := Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Umask: umask(), Width: 80}
	env.OutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	env.ErrTerminal = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && width > 0 {
		env.Width = width
	}
	return env
}

// umask reads the process's umask, which the kernel only tells to those that set it.
func umask() fs.FileMode {
	old := unix.Umask(0o077)
	unix.Umask(old)
	return fs.FileMode(old)
}

// Main runs one command line and returns its exit status.
func Main(args []string, env Env) int {
	if asciiOnly(env) {
		env.Stdout, env.Stderr = asciiWriter{env.Stdout}, asciiWriter{env.Stderr}
	}
	ctx, signals := catchSignals(context.Background(), env.Stderr)
	defer signals.stop()
	env.holdServers = signals.holdServers
	out := &stdout{to: env.Stdout, terminal: env.OutTerminal, color: colored(env)}
	env.Stdout = out
	app := newApp(env)
	err := app.RunContext(ctx, separateValues(args, app.Commands))
	return finish(env, out.fault(err), signals.caught())
}

func newApp(env Env) *cli.App {
	cli.HelpFlag = nil // withHelp does it: -h is the host, as in MySQL's own programs
	app := &cli.App{
		Name:            "mysweep",
		Usage:           "benchmark MySQL-protocol servers",
		Version:         Version(),
		HideVersion:     true,
		Writer:          env.Stdout,
		ErrWriter:       env.Stderr,
		Reader:          env.Stdin,
		ExitErrHandler:  func(*cli.Context, error) {}, // finish decides, once
		OnUsageError:    usageError,
		HideHelp:        true,
		HideHelpCommand: true,
		// A value is one text: server options and names may hold commas.
		DisableSliceFlagSeparator: true,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true},
			&cli.BoolFlag{Name: "help", Usage: "show help", DisableDefaultText: true},
		},
		Action: noCommand(env),
		Commands: []*cli.Command{
			runCommand(env), planCommand(env), factsCommand(env), reportCommand(env), compareCommand(env),
			mailCommand(env), indexCommand(env), prepareCommand(env), cleanupCommand(env), workloadsCommand(env), genDataCommand(env),
			completionCommand(env), helpCommand(env), versionCommand(env), manualCommand(env),
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		withHelp(env, c)
	}
	return app
}

func noCommand(env Env) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Bool("version") {
			fmt.Fprintln(env.Stdout, "mysweep", Version())
			return nil
		}
		if name := c.Args().First(); name != "" {
			return usage("unknown command %q%s", name, hintCommand(c, name))
		}
		return writeAppHelp(env.Stdout, helpWidth(env), c.App.Commands)
	}
}

// refuseSlips finds mistakes that the flag package does not report.
func refuseSlips(c *cli.Context) error {
	if err := refuseLateFlags(c); err != nil {
		return err
	}
	return refuseEmpty(c)
}

// refuseEmpty refuses flags with an empty value. In a script that is a variable
// that is not set, and without the flag the run would use another folder or
// another server. Only a name may be empty.
func refuseEmpty(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		var values []string
		switch f.(type) {
		case *cli.StringFlag:
			values = []string{c.String(name)}
		case *cli.StringSliceFlag:
			values = c.StringSlice(name)
		}
		if c.IsSet(name) && name != "name" && slices.Contains(values, "") {
			return usage("--%s is empty: set a value or leave it out", name)
		}
	}
	return nil
}

// refuseLateFlags refuses flags after an argument: the flag package stops at the
// first argument and would ignore them.
func refuseLateFlags(c *cli.Context) error {
	if c.IsSet("lua") {
		return nil // options of the script follow --
	}
	args := c.Args().Slice()
	for i, arg := range args {
		if len(arg) > 1 && strings.HasPrefix(arg, "-") && i > 0 {
			if maybePassword(arg) {
				return usage("%s", passwordRefused(c, arg))
			}
			name, _, _ := strings.Cut(arg, "=") // the value may be a secret
			return usage("flag %s after argument %q: flags must come before arguments: mysweep %s %s ... %s",
				name, args[i-1], c.Command.Name, name, strings.Join(args[:i], " "))
		}
	}
	return nil
}

// Version is the version that was built in, else what the Go tool recorded.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "unknown"
}
