package testbed

import (
	"context"
	"fmt"
	"os"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/remote"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// machineOf is the name of the machine that a case's server is on.
func (s *Site) machineOf(c plan.Case) string {
	own, err := os.Hostname()
	if err != nil {
		own = "localhost"
	}
	if e := s.endpoint(c); e != nil {
		return e.Machine(own)
	}
	return own
}

// shared reports whether a case's server is on this machine.
func (s *Site) shared(c plan.Case) bool { return s.machineOf(c) == s.machineOf(plan.Case{}) }

// sshOf is how the machine of a case's server is reached, "" for not at all.
func (s *Site) sshOf(c plan.Case) string {
	switch {
	case s.shared(c):
		return ""
	case c.Server != nil:
		return c.Server.SSH
	}
	return s.plan.Server.SSH
}

// readMachine reads the facts of the server's machine, now that the server has
// said where its datadir is, and has it sampled. What cannot be reached stays
// unknown: it is never the client's.
func (b *Bed) readMachine(ctx context.Context, c *result.Case, datadir string) {
	b.shared, b.ssh = b.site.shared(b.Case), ""
	options := hwinfo.Options{Datadir: datadir}
	ssh := b.site.sshOf(b.Case)
	var facts *hwinfo.Facts
	switch {
	case b.shared:
		read := hwinfo.Read(ctx, options)
		facts = &read
	case ssh != "":
		read, err := remote.Facts(ctx, remote.Host{Name: ssh}, options)
		if err != nil {
			b.site.report.Note("server-unseen", "the machine of case %s could not be read: %v", b.Name, err)
			break
		}
		facts = &read
		if err := b.site.observer.Reach(ctx, ssh, facts); err != nil {
			b.site.report.Note("server-unseen", "the load of the machine of case %s cannot be watched: %v", b.Name, err)
			break
		}
		b.ssh = ssh
	}
	first := b.site.machineOf(b.site.plan.Cases[0])
	if name := b.site.machineOf(b.Case); name != first {
		c.ServerHost = name
		c.Notes = append(c.Notes, result.Note{Code: "other-machine", Text: fmt.Sprintf(
			"its server is on %s; the archive has the facts of one server's machine, %s", name, first)})
		return
	}
	if facts != nil {
		b.site.report.Machine(facts)
	}
}
