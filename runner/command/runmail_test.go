package command

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// Which outcomes are mailed with --mail-on problem, and what is then printed.
func TestMailOnProblem(t *testing.T) {
	dir := t.TempDir()
	program, mail := filepath.Join(dir, "sendmail"), filepath.Join(dir, "mail")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat >"+mail+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "kept")
	keptRun(t, kept, 0o640)
	for _, c := range []struct {
		name          string
		quiet         bool
		terminal      bool
		outcome       outcome
		err           error
		mailed, print bool
	}{
		{name: "a good run", outcome: outcome{dir: kept}, print: true},
		{name: "a good run, quiet", quiet: true, outcome: outcome{dir: kept}},
		{name: "undecided the third time", quiet: true, outcome: outcome{dir: kept, stuck: true}, mailed: true},
		{name: "a regression", outcome: outcome{dir: kept}, err: &exit{exitAnswer, nil}, mailed: true, print: true},
		{name: "a server that does not respond", outcome: outcome{}, err: errors.New("refused"), mailed: true, print: true},
		{name: "a mistake at a terminal", terminal: true, outcome: outcome{}, err: usage("invalid"), print: true},
	} {
		os.Remove(mail)
		flags := flag.NewFlagSet("run", flag.ContinueOnError)
		flags.Bool("quiet", c.quiet, "")
		flags.String("name", "nightly", "")
		ctx := cli.NewContext(cli.NewApp(), flags, nil)
		ctx.Context = t.Context()
		var out bytes.Buffer
		c.outcome.text = []byte("summary\n")
		m := &runMail{delivery: delivery{to: []string{"dba"}, maxSize: defaultMailSize, sendmail: program}, from: "mysweep", on: mailProblem}
		err := m.report(ctx, Env{Stdout: &out, ErrTerminal: c.terminal}, c.outcome, c.err)
		if err != c.err {
			t.Errorf("%s: error %v, want %v", c.name, err, c.err)
		}
		text, _ := os.ReadFile(mail)
		if mailed := strings.Contains(string(text), "Subject: mysweep"); mailed != c.mailed {
			t.Errorf("%s: mailed %t, want %t: %.300s", c.name, mailed, c.mailed, text)
		}
		if printed := out.Len() > 0; printed != c.print {
			t.Errorf("%s: printed %t, want %t", c.name, printed, c.print)
		}
	}
}
