package sweep

import (
	"context"
	"slices"
	"time"

	"mysweep/hwinfo"
	"mysweep/hwinfo/remote"
	"mysweep/runner/result"
	"mysweep/runner/server"
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
		UnknownOptions: c.UnknownOptions, Replicas: c.Replicas, Traces: c.Traces,
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
	s.describeMachine(ctx, facts.Variables["datadir"])
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

// describeMachine reads the facts of the server's machine, now that the server
// has said where its datadir is. What cannot be reached stays unknown: it is
// never the client's.
func (s *sweep) describeMachine(ctx context.Context, datadir string) {
	o := hwinfo.Options{Datadir: datadir}
	switch {
	case s.Run.SharedHost:
		facts := hwinfo.Read(ctx, o)
		s.Run.Server = &facts
	case s.Plan.Server.SSH != "":
		facts, err := remote.Facts(ctx, remote.Host{Name: s.Plan.Server.SSH}, o)
		if err != nil {
			s.note("server-unseen", "the server's machine could not be read: %v", err)
			return
		}
		s.Run.Server = &facts
	}
}
