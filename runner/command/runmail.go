package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	message "github.com/mysweep/mysweep/charts/mail"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// When --mail-on sends a mail.
const (
	mailProblem = "problem"
	mailAlways  = "always"
)

// runMailFlags are the flags of run that mail its outcome.
func runMailFlags() []plan.Flag {
	const group = plan.GroupOutput
	return append([]plan.Flag{
		{Name: "mail-to", Group: group, Common: true, Arg: "ADDRESS", Repeatable: true, Help: "mail the summary with charts and files"},
		{Name: "mail-on", Group: group, Common: true, Arg: "WHEN", Choices: []string{mailProblem, mailAlways}, Default: mailAlways,
			Help: "when to mail"},
		{Name: "mail-from", Group: group, Arg: "ADDRESS", Help: "sender of the mail", Unset: "mysweep at this host"},
	}, transportFlags()...)
}

// runMail mails the outcome of a run; nil without --mail-to.
type runMail struct {
	delivery
	from string
	on   string
}

// newRunMail reads the flags. Without --smtp the mail goes through sendmail, which must be there
// before anything is measured.
func newRunMail(c *cli.Context) (*runMail, error) {
	if !c.IsSet("mail-to") {
		for _, f := range runMailFlags() {
			if c.IsSet(f.Name) {
				return nil, usage("--%s requires --mail-to", f.Name)
			}
		}
		return nil, nil
	}
	d, err := mailing(c, "mail-to")
	if err != nil {
		return nil, err
	}
	m := &runMail{delivery: d, from: c.String("mail-from"), on: c.String("mail-on")}
	if m.on != mailProblem && m.on != mailAlways {
		return nil, usage("invalid --mail-on %q: expected problem or always", m.on)
	}
	if m.from == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "localhost"
		}
		m.from = "mysweep@" + host
	} else if _, err := mail.ParseAddress(m.from); err != nil {
		return nil, usage("invalid --mail-from %q: expected an address such as mysweep@example.org", m.from)
	}
	if m.relay == nil {
		m.sendmail, err = sendmailProgram(m.sendmail)
	}
	return m, err
}

// sendmailProgram finds the program that takes mail: the named one, or sendmail where systems
// have it, since cron's PATH has no sbin.
func sendmailProgram(named string) (string, error) {
	if named != "" {
		if _, err := exec.LookPath(named); err != nil {
			return "", usage("--sendmail %s: %w", named, cause(errors.Unwrap(err)))
		}
		return named, nil
	}
	for _, program := range []string{"sendmail", "/usr/sbin/sendmail", "/usr/lib/sendmail"} {
		if path, err := exec.LookPath(program); err == nil {
			return path, nil
		}
	}
	return "", usage("--mail-to: this machine has no sendmail program: install a mail server, or use --smtp HOST:PORT")
}

// outcome is what a run leaves.
type outcome struct {
	dir   string // its folder, "" when it ended before there was one
	text  []byte // what to print
	stuck bool   // the gate has been undecided too often: the user must be told
}

// report mails and prints the outcome of a run that ended with err, nil for a good end, and returns
// the error to exit with. What was mailed need not be printed with --quiet.
func (m *runMail) report(c *cli.Context, env Env, o outcome, err error) error {
	problem := err != nil || o.stuck
	sent, mailErr := m.send(c, env, o, err, problem)
	if !c.Bool("quiet") || problem && !sent {
		env.Stdout.Write(o.text)
	}
	switch status := statusIn(err); {
	case mailErr == nil:
		return err
	case err == nil:
		return &exit{exitMail, mailErr}
	case printed(err):
		return &exit{status, mailErr}
	default:
		return &exit{status, errors.Join(err, mailErr)}
	}
}

// send mails the outcome if it is to be mailed.
func (m *runMail) send(c *cli.Context, env Env, o outcome, err error, problem bool) (sent bool, _ error) {
	switch {
	case m == nil, m.on == mailProblem && !problem:
		return false, nil
	case o.dir == "" && env.ErrTerminal: // who has typed the command sees the mistake
		return false, nil
	}
	text, fault := m.message(c, o, err)
	if fault == nil {
		// That a run was interrupted is worth a mail too.
		fault = m.delivery.send(context.WithoutCancel(c.Context), env, text, m.from)
	}
	if fault != nil {
		return false, fmt.Errorf("mail of %s: %w", cmp.Or(o.dir, "the run"), fault)
	}
	return true, nil
}

// message is about the archive, or about the error of a run that has none.
func (m *runMail) message(c *cli.Context, o outcome, err error) ([]byte, error) {
	if o.dir == "" {
		return m.failure(c.String("name"), err)
	}
	a, err := result.Read(o.dir)
	if err != nil {
		return nil, err
	}
	if a.Dir, err = filepath.Abs(o.dir); err != nil {
		return nil, err
	}
	return mailText(a, m.from, m.delivery)
}

// failure is the message about a run that has no archive.
func (m *runMail) failure(name string, cause error) ([]byte, error) {
	now := time.Now()
	letter := message.Message{
		From: m.from, To: m.to, Date: now, ID: runID(now), Text: cause.Error() + "\n",
		Subject: fmt.Sprintf("%s: failed (exit status %d)", strings.TrimSpace("mysweep "+name), statusIn(cause)),
	}
	var b bytes.Buffer
	err := letter.Write(&b)
	return b.Bytes(), err
}
