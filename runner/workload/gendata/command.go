package gendata

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Command is a parsed gen-data command line.
type Command struct {
	Rows   int64
	Format string
	Seed   uint64
}

// ParseCommand parses a gen-data command line of a .smack file, such as
// "gen-data -n 90000 -f %12-12s%n,%25-25s,%n,%d". It supports the quotes and
// backslashes of a shell, the long option names of the original, and --seed.
// Anything else, such as a pipe or another command, is an error: no shell runs.
func ParseCommand(line string) (Command, error) {
	c := Command{Seed: DefaultSeed}
	words, err := split(line)
	if err != nil {
		return c, err
	}
	if words, err = afterProgram(words); err != nil {
		return c, err
	}
	for len(words) > 0 {
		name, value, n, err := option(words)
		if err != nil {
			return c, err
		}
		if err := c.set(name, value); err != nil {
			return c, err
		}
		words = words[n:]
	}
	switch {
	case c.Rows < 1:
		return c, fmt.Errorf("%q: missing number of rows: add e.g. -n 90000", line)
	case c.Format == "":
		return c, fmt.Errorf("%q has no format: add e.g. -f %%12-12s%%n,%%d", line)
	}
	_, err = Parse(c.Format)
	return c, err
}

// afterProgram returns the words after "gen-data" or "mysweep gen-data".
func afterProgram(words []string) ([]string, error) {
	if len(words) > 1 && path.Base(words[0]) == "mysweep" {
		words = words[1:]
	}
	if len(words) == 0 || path.Base(words[0]) != "gen-data" {
		name := ""
		if len(words) > 0 {
			name = words[0]
		}
		return nil, fmt.Errorf("command %q is not gen-data, and no other command is run: run it yourself and name its output as data_file", name)
	}
	return words[1:], nil
}

// option parses the first option of words: -n 5, -n5, --num-rows 5 or
// --num-rows=5. n is the number of words it takes.
func option(words []string) (name, value string, n int, err error) {
	word := words[0]
	switch {
	case strings.HasPrefix(word, "--"):
		name, value, found := strings.Cut(word[2:], "=")
		if found {
			return name, value, 1, nil
		}
		return withNext(name, words)
	case len(word) == 2 && word[0] == '-':
		return withNext(word[1:], words)
	case len(word) > 2 && word[0] == '-':
		return word[1:2], word[2:], 1, nil
	}
	return "", "", 0, fmt.Errorf("gen-data: unexpected argument %q", word)
}

func withNext(name string, words []string) (string, string, int, error) {
	if len(words) < 2 {
		return "", "", 0, fmt.Errorf("gen-data: %s needs a value", words[0])
	}
	return name, words[1], 2, nil
}

func (c *Command) set(name, value string) error {
	var err error
	switch name {
	case "n", "num-rows":
		c.Rows, err = strconv.ParseInt(value, 10, 64)
	case "f", "format":
		c.Format = value
	case "seed":
		c.Seed, err = strconv.ParseUint(value, 10, 64)
	default:
		return fmt.Errorf("gen-data: unknown option %q: expected -n, -f or --seed", name)
	}
	if err != nil {
		return fmt.Errorf("gen-data: option %s: invalid number %q", name, value)
	}
	return nil
}

// split splits a line into words. Single and double quotes group characters, a
// backslash escapes the next character except in single quotes. Characters with
// a meaning to a shell are refused.
func split(line string) ([]string, error) {
	var words []string
	var word []byte
	var quote byte
	begun := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word, begun = append(word, line[i]), true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				words = append(words, string(word))
			}
			word, begun = nil, false
		case quote == 0 && strings.IndexByte("|&;<>`$()", c) >= 0:
			return nil, fmt.Errorf("%q needs a shell because of %q, and none is run: run it yourself and name its output as data_file", line, c)
		default:
			word, begun = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q: unclosed %c", line, quote)
	}
	if begun {
		words = append(words, string(word))
	}
	return words, nil
}
