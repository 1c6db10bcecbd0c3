package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"syscall"

	"github.com/mysweep/mysweep/charts"
)

// exitPipe is the status of a program whose reader has gone, as of any other
// program in a shell's pipe.
const exitPipe = exitSignals + int(syscall.SIGPIPE)

// stdout is standard output that remembers that it could not be written, so
// that a full disk is not taken for a good end. To a terminal it shows control
// characters instead of passing them on.
type stdout struct {
	to       io.Writer
	terminal bool
	color    bool  // PASS, FAIL and UNDECIDED are coloured
	err      error // the first
}

func (o *stdout) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	text := b
	if o.terminal {
		text = []byte(charts.Plain(string(b)))
	}
	if o.color {
		text = outcomeWord.ReplaceAllFunc(text, func(word []byte) []byte {
			return fmt.Appendf(nil, "\x1b[1;%sm%s\x1b[0m", outcomeColor(string(word)), word)
		})
	}
	if _, err := o.to.Write(text); err != nil {
		o.err = fmt.Errorf("standard output: %w", cause(err))
		return 0, o.err
	}
	return len(b), nil
}

// fault is what is left to say of standard output when a command has ended
// with err: nothing when err says it already.
func (o *stdout) fault(err error) error {
	switch {
	case o.err == nil:
		return err
	case errors.Is(o.err, syscall.EPIPE) && (err == nil || errors.Is(err, o.err)):
		return &exit{exitPipe, nil}
	case errors.Is(o.err, syscall.EPIPE), errors.Is(err, o.err):
		return err
	case err == nil:
		return o.err
	}
	var e *exit
	if errors.As(err, &e) && e.cause == nil { // what was printed would have told why
		return &exit{e.status, o.err}
	}
	return errors.Join(err, o.err)
}

// outcomeWord finds the answers that have a colour.
var outcomeWord = regexp.MustCompile(`\b(PASS|FAIL|UNDECIDED)\b`)

// outcomeColor is the ANSI colour of an answer.
func outcomeColor(word string) string {
	switch word {
	case "PASS":
		return "32" // green
	case "FAIL":
		return "31" // red
	}
	return "33" // yellow
}

// colored reports whether a terminal wants colours, see no-color.org.
func colored(env Env) bool {
	return env.OutTerminal && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
}

// asciiOnly reports whether the locale has a character set other than UTF-8. Without any locale the
// reader is not known, and gets UTF-8.
func asciiOnly(env Env) bool {
	locale := strings.ToLower(cmp.Or(env.Getenv("LC_ALL"), env.Getenv("LC_CTYPE"), env.Getenv("LANG")))
	return locale != "" && !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
}

// asciiWriter writes the signs that mysweep's own texts have in ASCII; names of the user's stay as
// they are.
type asciiWriter struct{ to io.Writer }

var asciiSigns = strings.NewReplacer("×", "x", "·", "-", "…", "...", "–", "-", "−", "-", "µ", "u", "±", "+-", "→", "->", "≥", ">=", "≤", "<=")

func (a asciiWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(a.to, asciiSigns.Replace(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
