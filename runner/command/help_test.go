package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mysweep/mysweep/runner/plan"
)

// said runs a command line that needs nothing but memory.
func said(t *testing.T, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	w := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Getenv: func(string) string { return "" }}
	if status := Main(append([]string{"mysweep"}, args...), w); status != 0 {
		t.Fatalf("%q: exit status %d: %s", args, status, errors.String())
	}
	return out.String()
}

// No help is wider than 80 columns, and the one of run fits a screen.
func TestHelpFits(t *testing.T) {
	for _, c := range newApp(Env{}).Commands {
		for _, flag := range []string{"--help", "--help-all"} {
			text := said(t, c.Name, flag)
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
					t.Errorf("%s %s: %d columns: %s", c.Name, flag, n, line)
				}
			}
			if n := strings.Count(text, "\n"); c.Name == "run" && flag == "--help" && n > 60 {
				t.Errorf("run --help has %d lines, more than 60", n)
			}
		}
		if help := said(t, "help", c.Name); help != said(t, c.Name, "--help") {
			t.Errorf("mysweep help %s differs from mysweep %s --help:\n%s", c.Name, c.Name, help)
		}
	}
	for line := range strings.Lines(said(t, "help")) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("help: %s", line)
		}
	}
}

// The help has the groups in their order, and each flag where it belongs.
func TestHelpGroups(t *testing.T) {
	all, common := said(t, "run", "--help-all"), said(t, "run", "--help")
	prepare := said(t, "prepare", "--help-all")
	var at []int
	for _, g := range plan.Groups() {
		at = append(at, strings.Index(all, "\n"+string(g)+":\n"))
	}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("groups at %v in\n%s", at, all)
	}
	has := func(help, flag string) bool {
		return strings.Contains(help, "--"+flag+" ") || strings.Contains(help, "--"+flag+"\n")
	}
	for _, f := range plan.Flags() {
		if !has(all, f.Name) {
			t.Errorf("run --help-all does not have --%s", f.Name)
		}
		if has(common, f.Name) != f.Common {
			t.Errorf("--%s in run --help: want %t", f.Name, f.Common)
		}
		if want := f.Tables&plan.Prepare != 0; has(prepare, f.Name) != want {
			t.Errorf("--%s in prepare --help-all: want %t", f.Name, want)
		}
	}
	for _, o := range workloadOptions() {
		if has(all, o.Name) {
			t.Errorf("run --help-all has the workload's option --%s", o.Name)
		}
	}
}

// Values may be attached to short flags, as with the mysql client; a whole name
// comes first, and values and arguments stay as they are.
func TestSeparateValues(t *testing.T) {
	commands := newApp(Env{}).Commands
	for _, c := range []struct{ args, want string }{
		{"run -uroot -P3307", "run -u root -P 3307"},
		{"run -hdb1 -S/run/x.sock -t1,2 -wtpcb", "run -h db1 -S /run/x.sock -t 1,2 -w tpcb"},
		{"run -user root -port 3307", "run -user root -port 3307"}, // exact names win
		{"run -user=root -h=db1", "run -user=root -h=db1"},
		{"run --name -uroot", "run --name -uroot"}, // the value of another flag
		{"run --name=x -uroot", "run --name=x -u root"},
		{"run --private -uroot", "run --private -u root"},
		{"run plan.yaml -uroot", "run plan.yaml -uroot"}, // after the arguments, refused later
		{"run -- -uroot", "run -- -uroot"},
		{"run - -uroot", "run - -uroot"}, // standard input
		{"run -xyz", "run -xyz"},         // no such flag: the parser says so
		{"run -u", "run -u"},
		{"gen-data -n20 -f%d", "gen-data -n 20 -f %d"},
		{"--version", "--version"},
		{"unknown -uroot", "unknown -uroot"},
	} {
		args := append([]string{"mysweep"}, strings.Fields(c.args)...)
		if got := strings.Join(separateValues(args, commands)[1:], " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	if got, want := wrap("one two three four", 12, 3), "   one two\n   three\n   four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := entry("--name", "some words here", 40), "  --name                    some words\n                            here\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
