package command

import (
	"bytes"
	"fmt"
	"net"
	"net/mail"
	"net/smtp"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts"
	message "github.com/mysweep/mysweep/charts/mail"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func mailCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "mail",
		Usage:     "mail a run: summary, charts and files",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "to", Usage: "recipient; may be given again"},
			&cli.StringFlag{Name: "from", Usage: "sender (default: mysweep at this host)"},
			&cli.BoolFlag{Name: "latest", Usage: "DIR is an archive: mail its newest run", DisableDefaultText: true},
			&cli.StringFlag{Name: "sendmail", Usage: "give it to this `PROGRAM`, e.g. /usr/sbin/sendmail"},
			&cli.StringFlag{Name: "smtp", Usage: "give it to the server at `HOST:PORT`, which must take it without a login"},
		},
		Action: func(c *cli.Context) error {
			to, err := recipients(c)
			if err != nil {
				return err
			}
			dir, err := mailedRun(c)
			if err != nil {
				return err
			}
			text, from, err := makeMail(c, w, dir, to)
			if err != nil {
				return err
			}
			if err := send(c, w, text, from, to); err != nil {
				return &exit{exitMail, fmt.Errorf("mail of %s: %w", dir, err)}
			}
			return nil
		},
	}
}

func recipients(c *cli.Context) ([]string, error) {
	to := c.StringSlice("to")
	if len(to) == 0 {
		return nil, usage("name a recipient: --to dba@example.org")
	}
	for _, address := range to {
		if _, err := mail.ParseAddress(address); err != nil {
			return nil, usage("--to %q: %w", address, err)
		}
	}
	if c.IsSet("sendmail") && c.IsSet("smtp") {
		return nil, usage("--sendmail and --smtp exclude each other")
	}
	return to, nil
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
		return "", usage("--latest: there is no run in %s", dir)
	}
	newest := runs[0]
	for _, run := range runs {
		if run.StartedAt.After(newest.StartedAt) {
			newest = run
		}
	}
	return newest.Dir, nil
}

func makeMail(c *cli.Context, w World, dir string, to []string) (text []byte, from string, err error) {
	a, err := result.Read(dir)
	if err != nil {
		return nil, "", usage("%w", err)
	}
	from = c.String("from")
	if from == "" {
		from = "mysweep@" + a.Run.ClientHost
	}
	v := verdict.Of(a)
	m, err := message.New(&charts.Data{Archive: a, Verdict: &v}, from, to, time.Now())
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	err = m.Write(&b)
	return b.Bytes(), from, err
}

// send hands the message over.
func send(c *cli.Context, w World, text []byte, from string, to []string) error {
	switch {
	case c.IsSet("smtp"):
		return sendSMTP(c.String("smtp"), text, from, to)
	case c.IsSet("sendmail"):
		cmd := exec.CommandContext(c.Context, c.String("sendmail"), append([]string{"-i", "--"}, bare(to)...)...)
		cmd.Stdin = bytes.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", c.String("sendmail"), err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	_, err := w.Stdout.Write(text)
	return err
}

func sendSMTP(server string, text []byte, from string, to []string) error {
	if _, _, err := net.SplitHostPort(server); err != nil {
		return fmt.Errorf("--smtp %q: write HOST:PORT", server)
	}
	if err := smtp.SendMail(server, nil, bare([]string{from})[0], bare(to), text); err != nil {
		return fmt.Errorf("smtp server %s: %w", server, err)
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
