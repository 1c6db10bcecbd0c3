package sweep

import (
	"context"
	"slices"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// caseFacts is the run's entry for a case, made when there is none.
func (s *sweep) caseFacts(name string) *result.Case {
	i := slices.IndexFunc(s.Run.Cases, func(c result.Case) bool { return c.Name == name })
	if i < 0 {
		s.Run.Cases = append(s.Run.Cases, result.Case{Name: name})
		i = len(s.Run.Cases) - 1
	}
	return &s.Run.Cases[i]
}

// describe puts into the run what the open server says of itself.
func (s *sweep) describe(ctx context.Context, o *opened) error {
	facts, err := o.target.Facts(ctx)
	if err != nil {
		return err
	}
	c := s.caseFacts(o.Name)
	*c = result.Case{
		Name: o.Name, Status: result.OK, Private: o.private != nil,
		Version: facts.Version, Flavour: facts.Flavour, Comment: facts.Comment, Variables: facts.Variables,
		Transport: o.target.Transport, TLSCipher: o.target.Cipher, AuthPlugin: o.target.AuthPlugin,
		UnknownOptions: c.UnknownOptions, Replicas: c.Replicas, Traces: c.Traces, Reloads: c.Reloads,
	}
	s.probe(ctx, o)
	o.data.into(c)
	for _, v := range facts.Changed {
		c.Changed = append(c.Changed, result.Changed(v))
	}
	for _, notes := range [][]server.Note{facts.Notes, o.target.Notes} {
		for _, n := range notes {
			c.Notes = append(c.Notes, result.Note(n))
		}
	}
	c.CPUs = cpuText(o.cpus)
	if o.private != nil {
		c.StartSeconds = &o.private.StartSeconds
		for _, option := range o.private.Options() {
			c.Options = append(c.Options, option.String())
		}
	}
	s.lookAtMachine(ctx, o, c, facts.Variables["datadir"])
	return nil
}

// probeTime is how long appends with fsync are measured below the datadir.
const probeTime = 200 * time.Millisecond

// probe measures once what a flush to the disk takes where the datadir lies.
func (s *sweep) probe(ctx context.Context, o *opened) {
	if o.private == nil || o.data.fsync != nil {
		return
	}
	probes, err := hwinfo.FsyncProbe(ctx, o.private.Folder(), probeTime)
	if err != nil || len(probes) == 0 {
		return // then it is not known
	}
	o.data.fsync = probes[0].P50
}
