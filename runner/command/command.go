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

// World is all that a command sees of the outside.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// OutTerminal and ErrTerminal say whether a person watches.
	OutTerminal, ErrTerminal bool
	// Umask is that of the process.
	Umask fs.FileMode
	// Width is the terminal's width in columns.
	Width int
}

// System is the world of this process.
func System() World {
	w := World{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Umask: umask(), Width: 80}
	w.OutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	w.ErrTerminal = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && width > 0 {
		w.Width = width
	}
	return w
}

// umask reads the process's umask, which the kernel only tells to those that set it.
func umask() fs.FileMode {
	old := unix.Umask(0o077)
	unix.Umask(old)
	return fs.FileMode(old)
}

// Main runs one command line and returns its exit status.
func Main(args []string, w World) int {
	ctx, caught, stop := withSignals(context.Background())
	defer stop()
	out := &stdout{to: w.Stdout, terminal: w.OutTerminal}
	w.Stdout = out
	err := newApp(w).RunContext(ctx, args)
	return finish(w, out.fault(err), caught())
}

func newApp(w World) *cli.App {
	// -h is the host, as in all of MySQL's own programs.
	cli.HelpFlag = &cli.BoolFlag{Name: "help", Usage: "show help", DisableDefaultText: true}
	app := &cli.App{
		Name:            "mysweep",
		Usage:           "benchmark MySQL-protocol servers and leave a result worth archiving",
		Version:         Version(),
		HideVersion:     true,
		Writer:          w.Stdout,
		ErrWriter:       w.Stderr,
		Reader:          w.Stdin,
		ExitErrHandler:  func(*cli.Context, error) {}, // finish decides, once
		OnUsageError:    usageError,
		HideHelpCommand: true,
		// A value is one text: server options and names may hold commas.
		DisableSliceFlagSeparator: true,
		Flags:                     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true}},
		Action:                    noCommand(w),
		Commands: []*cli.Command{
			runCommand(w), planCommand(w), factsCommand(w), reportCommand(w), compareCommand(w),
			mailCommand(w), indexCommand(w), prepareCommand(w), cleanupCommand(w), workloadsCommand(w), genDataCommand(w),
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
		c.Before = refuseSlips
	}
	app.CustomAppHelpTemplate = cli.AppHelpTemplate + exitHelp
	return app
}

const exitHelp = `
EXIT STATUS:
   0 done; 1 failed, or something could not be put back as it was;
   2 usage; 3 finished, but some trials failed or are invalid;
   4 requirement not met or regression; 5 another run holds the lock;
   6 done, but the mail could not be sent; 129, 130, 143 interrupted;
   141 the reader of its output has gone
`

func noCommand(w World) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Bool("version") {
			fmt.Fprintln(w.Stdout, "mysweep", Version())
			return nil
		}
		if name := c.Args().First(); name != "" {
			return usage("unknown command %q%s", name, hintCommand(c, name))
		}
		return cli.ShowAppHelp(c)
	}
}

// refuseSlips complains about what the flag package lets pass.
func refuseSlips(c *cli.Context) error {
	if err := refuseLateFlags(c); err != nil {
		return err
	}
	return refuseEmpty(c)
}

// refuseEmpty complains about a flag with an empty value: in a script that is
// a variable that nobody has set, and to go on without the flag would mean
// another folder or another server. Only a name may be empty.
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
			return usage("--%s is empty: give it a value or leave it out", name)
		}
	}
	return nil
}

// refuseLateFlags complains about flags behind an argument: the flag package
// stops at the first argument and would ignore them.
func refuseLateFlags(c *cli.Context) error {
	args := c.Args().Slice()
	for i, arg := range args {
		if len(arg) > 1 && strings.HasPrefix(arg, "-") && i > 0 {
			return usage("flag %s stands behind %q: flags come first: mysweep %s %s %s",
				arg, args[i-1], c.Command.Name, strings.Join(args[i:], " "), strings.Join(args[:i], " "))
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
