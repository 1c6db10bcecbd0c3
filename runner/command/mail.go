package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts"
	message "github.com/mysweep/mysweep/charts/mail"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func mailCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "mail",
		Usage:     "mail a run: summary, charts and files",
		ArgsUsage: "DIR",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "to", Usage: "mail to `ADDRESS`, or to a comma-separated list [repeatable]"},
			&cli.StringFlag{Name: "from", Usage: "send the mail from `ADDRESS` (default: mysweep at this host)"},
			&cli.BoolFlag{Name: "latest", Usage: "DIR is an archive: mail its newest run", DisableDefaultText: true},
			&cli.StringFlag{Name: "max-size", Usage: "limit the mail to `SIZE`: attachments are zipped, then left out, the largest first (default: 8MB)"},
		}, localFlags(transportFlags()...)...),
		Action: func(c *cli.Context) error {
			m, err := mailing(c, "to")
			if err != nil {
				return err
			}
			dir, err := mailedRun(c)
			if err != nil {
				return err
			}
			text, from, err := makeMail(c, dir, m)
			if err != nil {
				return err
			}
			if err := m.send(c.Context, env, text, from); err != nil {
				return &exit{exitMail, fmt.Errorf("mail of %s: %w", dir, err)}
			}
			return nil
		},
	}
}

// delivery is where a mail goes, and how: by a program, by a server, or to standard output.
type delivery struct {
	to       []string
	maxSize  int
	sendmail string
	relay    *relay
}

// defaultMailSize is what most servers take.
const defaultMailSize = 8_000_000

// transportFlags say how a mail is delivered.
func transportFlags() []plan.Flag {
	const group = plan.GroupOutput
	return []plan.Flag{
		{Name: "sendmail", Group: group, Arg: "PROGRAM", Help: "pass the mail to this program, e.g. /usr/sbin/sendmail"},
		{Name: "smtp", Group: group, Arg: "HOST:PORT", Help: "send the mail through this SMTP server"},
		{Name: "smtp-tls", Group: group, Arg: "POLICY", Choices: []string{tlsOpportunistic, tlsRequired, tlsUnverified, tlsNever},
			Help: "TLS with the SMTP server; opportunistic takes any certificate", Unset: "opportunistic; required with --smtp-user"},
		{Name: "smtp-user", Group: group, Arg: "USER", Help: "log in to the SMTP server as this user"},
		{Name: "smtp-password-file", Group: group, Arg: "FILE", Help: "read the password of --smtp-user from the first line of a file"},
	}
}

// mailing reads the flags that say how a mail is delivered, to names the flag of the recipients.
func mailing(c *cli.Context, to string) (d delivery, err error) {
	if d.to, err = recipients(to, c.StringSlice(to)); err != nil {
		return d, err
	}
	if c.IsSet("sendmail") && c.IsSet("smtp") {
		return d, usage("--sendmail and --smtp are mutually exclusive")
	}
	if d.maxSize = defaultMailSize; c.IsSet("max-size") {
		if d.maxSize, err = parseSize(c.String("max-size")); err != nil {
			return d, usage("--max-size: %w", err)
		}
	}
	d.sendmail = c.String("sendmail")
	for _, name := range []string{"smtp-tls", "smtp-user", "smtp-password-file"} {
		if c.IsSet(name) && !c.IsSet("smtp") {
			return d, usage("--%s requires --smtp", name)
		}
	}
	if !c.IsSet("smtp") {
		return d, nil
	}
	for _, address := range d.to {
		if !strings.Contains(address, "@") {
			return d, usage("--%s %s: an SMTP server needs an address with a domain; mail to local users goes through --sendmail /usr/sbin/sendmail", to, address)
		}
	}
	d.relay, err = relayOf(c)
	return d, err
}

func relayOf(c *cli.Context) (*relay, error) {
	r := &relay{address: c.String("smtp"), tls: c.String("smtp-tls"), user: c.String("smtp-user"), stage: mailStage}
	if _, _, err := net.SplitHostPort(r.address); err != nil {
		return nil, usage("invalid --smtp %q: expected HOST:PORT, e.g. mail.example.org:25", r.address)
	}
	if (r.user == "") != !c.IsSet("smtp-password-file") {
		return nil, usage("--smtp-user and --smtp-password-file go together")
	}
	switch r.tls {
	case "":
		if r.tls = tlsOpportunistic; r.user != "" {
			r.tls = tlsRequired // no login to somebody who may be anybody
		}
	case tlsOpportunistic:
		if r.user != "" {
			return nil, usage("--smtp-tls opportunistic could send the password in the clear: use required, unverified or never")
		}
	case tlsRequired, tlsUnverified, tlsNever:
	default:
		return nil, usage("invalid --smtp-tls %q: expected opportunistic, required, unverified or never", r.tls)
	}
	var err error
	r.password, err = passwordFile("--smtp-password-file", c.String("smtp-password-file"))
	return r, err
}

// recipients reads the addresses of a flag, each text being one or a list; a local user is a name
// without a domain.
func recipients(flag string, texts []string) (to []string, err error) {
	for _, text := range texts {
		words := []string{text}
		if !strings.ContainsAny(text, `<"`) { // else a comma may be part of a name
			words = strings.Split(text, ",")
		}
		for _, word := range words {
			if word = strings.TrimSpace(word); word != "" && !strings.ContainsFunc(word, notLocalUser) {
				to = append(to, word)
				continue
			}
			list, err := mail.ParseAddressList(word)
			if err != nil {
				return nil, usage("invalid --%s %q: %s: expected addresses such as dba@example.org, or names of local users", flag, word, strings.TrimPrefix(err.Error(), "mail: "))
			}
			if len(list) == 1 {
				to = append(to, word)
				continue
			}
			for _, a := range list {
				to = append(to, a.String())
			}
		}
	}
	if len(to) == 0 {
		return nil, usage("name a recipient: --%s dba@example.org", flag)
	}
	return to, nil
}

func notLocalUser(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_')
}

// parseSize reads a size in bytes, e.g. 500kB, 8MB or 16MiB.
func parseSize(text string) (int, error) {
	number := strings.TrimRight(text, "kKMGiB ")
	n, err := strconv.Atoi(number)
	scale, ok := map[string]int{"": 1, "B": 1, "K": 1000, "KB": 1000, "M": 1e6, "MB": 1e6, "G": 1e9, "GB": 1e9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}[strings.ToUpper(strings.TrimSpace(text[len(number):]))]
	if err != nil || !ok || n < 1 || n > 1e9 {
		return 0, fmt.Errorf("invalid size %q: expected bytes with a unit, e.g. 8MB", text)
	}
	return n * scale, nil
}

// mailedRun is the folder of the run that is meant.
func mailedRun(c *cli.Context) (string, error) {
	if c.Args().Len() != 1 {
		return "", usage("name one run: mysweep mail --to ADDR DIR")
	}
	dir := c.Args().First()
	if !c.Bool("latest") {
		return dir, nil
	}
	runs, err := findRuns(dir)
	if err != nil {
		return "", err
	}
	if len(runs) == 0 {
		return "", usage("--latest: no run found in %s", dir)
	}
	newest := runs[0]
	for _, run := range runs {
		if run.StartedAt.After(newest.StartedAt) {
			newest = run
		}
	}
	return newest.Dir, nil
}

func makeMail(c *cli.Context, dir string, d delivery) (text []byte, from string, err error) {
	a, err := result.Read(dir)
	if err != nil {
		return nil, "", usage("%w", err)
	}
	if a.Dir, err = filepath.Abs(dir); err != nil {
		return nil, "", err
	}
	if from = c.String("from"); from == "" {
		from = "mysweep@" + a.Run.ClientHost
	}
	text, err = mailText(a, from, d)
	return text, from, err
}

// mailText is the message about an archive.
func mailText(a *result.Archive, from string, d delivery) ([]byte, error) {
	v := verdict.Of(a)
	m, err := message.New(&charts.Data{Archive: a, Verdict: &v}, from, d.to, time.Now())
	if err != nil {
		return nil, err
	}
	return m.Fit(d.maxSize, a.Dir)
}

// send hands the message over.
func (d delivery) send(ctx context.Context, env Env, text []byte, from string) error {
	switch {
	case d.relay != nil:
		return d.relay.deliver(ctx, bare([]string{from})[0], bare(d.to), text)
	case d.sendmail != "":
		return runSendmail(ctx, d.sendmail, bare(d.to), text)
	}
	_, err := env.Stdout.Write(text)
	return err
}

// sendmailWait is how long a program that has ended may leave its output open to a child.
const sendmailWait = 5 * time.Second

func runSendmail(ctx context.Context, program string, to []string, text []byte) error {
	ctx, cancel := context.WithTimeoutCause(ctx, mailTime, fmt.Errorf("not done within %s", mailTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append([]string{"-i", "--"}, to...)...)
	cmd.Stdin = bytes.NewReader(text)
	cmd.WaitDelay = sendmailWait
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success() {
		return nil
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// bare takes the names off addresses: DBA <dba@example.org>.
func bare(addresses []string) []string {
	list := make([]string, len(addresses))
	for i, text := range addresses {
		list[i] = text
		if a, err := mail.ParseAddress(text); err == nil {
			list[i] = a.Address
		}
	}
	return list
}
