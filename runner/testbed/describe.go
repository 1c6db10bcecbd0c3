package testbed

import (
	"context"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
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
	b.probeFsync(ctx)
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
	return nil
}

// probeTime is how long appends with fsync are measured below the datadir.
const probeTime = 200 * time.Millisecond

// probeFsync measures once how long a flush takes on the disk of the datadir.
func (b *Bed) probeFsync(ctx context.Context) {
	if b.private == nil || b.data.fsync.Count > 0 {
		return
	}
	probes, err := hwinfo.FsyncProbe(ctx, b.private.Folder(), probeTime)
	if err != nil || len(probes) == 0 {
		return // then it is not known
	}
	b.data.fsync = probes[0]
}
