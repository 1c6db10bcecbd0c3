package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// repeatCommand is the command line that repeats the run, quoted for a shell. It has no folder,
// since that one holds this run, nothing about mail, and DSNs are without passwords.
func repeatCommand(c *cli.Context) string {
	words := []string{"mysweep", c.Command.Name}
	for _, name := range c.LocalFlagNames() {
		if len(name) == 1 || name == "resume" || name == "out" || isAlias(c, name) || isMailFlag(name) {
			continue
		}
		words = append(words, flagWords(c, name)...)
	}
	files, script := arguments(c)
	for _, arg := range files {
		words = append(words, quote(arg))
	}
	if len(script) > 0 {
		words = append(words, "--")
	}
	for _, arg := range script {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// isAlias reports whether a name is the second one of a flag, which LocalFlagNames
// lists as well.
func isAlias(c *cli.Context, name string) bool {
	for _, f := range c.Command.Flags {
		names := f.Names()
		for _, other := range names[1:] {
			if other == name {
				return true
			}
		}
	}
	return false
}

func isMailFlag(name string) bool {
	return slices.ContainsFunc(runMailFlags(), func(f plan.Flag) bool { return f.Name == name })
}

func flagWords(c *cli.Context, name string) []string {
	switch v := c.Value(name).(type) {
	case bool:
		if v {
			return []string{"--" + name}
		}
		return []string{"--" + name + "=false"}
	case cli.StringSlice:
		var words []string
		for _, text := range v.Value() {
			if name == "replica" {
				text = withoutPassword(text)
			}
			words = append(words, "--"+name, quote(text))
		}
		return words
	}
	text := c.String(name)
	if name == "dsn" {
		text = withoutPassword(text)
	}
	return []string{"--" + name, quote(text)}
}

// withoutPassword removes the password from user:password@net(addr)/schema.
func withoutPassword(dsn string) string {
	at := strings.LastIndex(dsn, "@")
	if at < 0 {
		return dsn
	}
	user, _, _ := strings.Cut(dsn[:at], ":")
	return user + dsn[at:]
}

// quote makes text a single word for a shell.
func quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,=@%+", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
