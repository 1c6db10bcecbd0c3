package command

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/sweep"
)

// No line of the progress is as wide as the terminal, so that none is broken; without a terminal
// there is none.
func TestProgressFits(t *testing.T) {
	trial := &result.Trial{Status: result.OK}
	trial.Threads, trial.Queries = 100000, 1000000
	for _, width := range []int{40, 80, 143, 200} {
		for _, terminal := range []bool{true, false} {
			var b bytes.Buffer
			p := newProgress(Env{Stderr: &b, ErrTerminal: terminal, Width: width}, false)
			p.watch(sweep.Event{Total: 12345, Doing: "loading the tables of " + strings.Repeat("a workload with a name, ", 9)})
			for done := range 3 {
				p.watch(sweep.Event{Total: 12345, Done: 12343 + done, Trial: trial})
			}
			p.end()
			if terminal != (b.Len() > 0) {
				t.Errorf("terminal %t: %d bytes", terminal, b.Len())
			}
			for _, line := range strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
				if n := utf8.RuneCountInString(line); n >= width {
					t.Errorf("%d columns at a terminal of %d: %q", n, width, line)
				}
			}
		}
	}
}

// What is printed at terminals and in locales of several kinds.
func TestColorsAndASCII(t *testing.T) {
	for _, c := range []struct {
		environment map[string]string
		terminal    bool
		want        string
	}{
		{nil, false, "db3 · x × 2 PASS"},
		{map[string]string{"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, false, "db3 - x x 2 PASS"},
		{map[string]string{"LANG": "POSIX"}, false, "db3 - x x 2 PASS"},
		{map[string]string{"LANG": "en_GB.utf8"}, false, "db3 · x × 2 PASS"},
		{nil, true, "db3 · x × 2 \x1b[1;32mPASS\x1b[0m"},
		{map[string]string{"NO_COLOR": "1"}, true, "db3 · x × 2 PASS"},
		{map[string]string{"TERM": "dumb"}, true, "db3 · x × 2 PASS"},
		{map[string]string{"LC_ALL": "C"}, true, "db3 - x x 2 \x1b[1;32mPASS\x1b[0m"},
	} {
		var b bytes.Buffer
		w := Env{Stdout: &b, OutTerminal: c.terminal, Getenv: func(name string) string { return c.environment[name] }}
		if asciiOnly(w) {
			w.Stdout = asciiWriter{w.Stdout}
		}
		out := &stdout{to: w.Stdout, terminal: w.OutTerminal, color: colored(w)}
		if n, err := out.Write([]byte("db3 · x × 2 PASS")); err != nil || n != len("db3 · x × 2 PASS") || b.String() != c.want {
			t.Errorf("%v, terminal %t: %q, want %q (%d, %v)", c.environment, c.terminal, b.String(), c.want, n, err)
		}
	}
}
