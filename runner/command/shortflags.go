package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// separateValues separates the values of short flags that are attached to them,
// as in -uroot and -P3307: the mysql client takes them like that, the flag
// package does not. A name of a flag as a whole comes first: -user is --user.
func separateValues(args []string, commands []*cli.Command) []string {
	at := commandIndex(args)
	if at < 0 {
		return args
	}
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.Name == args[at] })
	if i < 0 {
		return args
	}
	takesValue := map[string]bool{} // by name, the short ones among them
	for _, f := range commands[i].Flags {
		documented, ok := f.(cli.DocGenerationFlag)
		for _, name := range f.Names() {
			takesValue[name] = ok && documented.TakesValue()
		}
	}
	separated := slices.Clone(args[:at+1])
	for rest := args[at+1:]; len(rest) > 0; {
		n, words := separate(rest, takesValue)
		if n == 0 { // the first argument, or --
			return append(separated, rest...)
		}
		separated, rest = append(separated, words...), rest[n:]
	}
	return separated
}

// commandIndex is the place of the command's name, -1 without one.
func commandIndex(args []string) int {
	for i, arg := range args {
		if i > 0 && !strings.HasPrefix(arg, "-") {
			return i
		}
	}
	return -1
}

// separate returns the words of the flag at the beginning of args, and how many
// of args it takes up: 0 where no flag begins.
func separate(args []string, takesValue map[string]bool) (n int, words []string) {
	arg := args[0]
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if !strings.HasPrefix(arg, "-") || name == "" {
		return 0, nil
	}
	name, _, attached := strings.Cut(name, "=")
	value, known := takesValue[name]
	switch {
	case known && value && !attached && len(args) > 1:
		return 2, args[:2]
	case known || strings.HasPrefix(arg, "--"):
		return 1, args[:1]
	case takesValue[arg[1:2]]:
		return 1, []string{arg[:2], arg[2:]}
	}
	return 1, args[:1]
}
