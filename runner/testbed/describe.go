package testbed

import (
	"context"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// describe puts into the run what the server says of itself.
func (b *Bed) describe(ctx context.Context) error {
	session, err := b.target.ReadSession(ctx)
	if err != nil {
		return err
	}
	facts, err := b.target.Facts(ctx)
	if err != nil {
		return err
	}
	c := b.site.report.Case(b.Name)
	*c = result.Case{
		Name: b.Name, Status: result.OK, Private: b.private != nil,
		Version: facts.Version, Flavour: facts.Flavour, Comment: facts.Comment, Variables: facts.Variables, Set: facts.Set,
		Transport: b.target.Transport, TLSCipher: b.target.Cipher, AuthPlugin: b.target.AuthPlugin,
		Session: session.Found, SessionSet: session.Set,
		UnknownOptions: c.UnknownOptions, Replicas: c.Replicas, Traces: c.Traces, Reloads: c.Reloads,
	}
	b.data.into(c)
	for _, v := range facts.Changed {
		c.Changed = append(c.Changed, result.Changed(v))
	}
	for _, notes := range [][]server.Note{facts.Notes, b.target.Notes} {
		for _, n := range notes {
			c.Notes = append(c.Notes, result.Note(n))
		}
	}
	c.CPUs = cpuText(b.cpus)
	if b.private != nil {
		c.StartSeconds = &b.private.StartSeconds
		for _, option := range b.private.Options() {
			c.Options = append(c.Options, option.String())
		}
	}
	if err := b.locate(ctx); err != nil {
		return err
	}
	b.readMachine(ctx, c, facts.Variables["datadir"])
	b.findProcess(ctx, c)
	b.describeStorage(ctx, c, facts.Variables["datadir"])
	return nil
}
