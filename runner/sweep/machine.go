package sweep

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
func (s *sweep) machineOf(c plan.Case) string {
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
func (s *sweep) shared(c plan.Case) bool { return s.machineOf(c) == s.machineOf(plan.Case{}) }

// sshOf is how the machine of a case's server is reached, "" for not at all.
func (s *sweep) sshOf(c plan.Case) string {
	switch {
	case s.shared(c):
		return ""
	case c.Server != nil:
		return c.Server.SSH
	}
	return s.Plan.Server.SSH
}

// lookAtMachine reads the facts of the open server's machine, now that the
// server has said where its datadir is, and begins to watch it. What cannot be
// reached stays unknown: it is never the client's.
func (s *sweep) lookAtMachine(ctx context.Context, o *opened, c *result.Case, datadir string) {
	o.shared, o.ssh = s.shared(o.Case), ""
	options := hwinfo.Options{Datadir: datadir}
	ssh := s.sshOf(o.Case)
	var facts *hwinfo.Facts
	switch {
	case o.shared:
		read := hwinfo.Read(ctx, options)
		facts = &read
	case ssh != "":
		read, err := remote.Facts(ctx, remote.Host{Name: ssh}, options)
		if err != nil {
			s.note("server-unseen", "the machine of case %s could not be read: %v", o.Name, err)
			break
		}
		facts = &read
		if err := s.observer.Reach(ctx, ssh, facts); err != nil {
			s.note("server-unseen", "the load of the machine of case %s cannot be watched: %v", o.Name, err)
			break
		}
		o.ssh = ssh
	}
	first := s.machineOf(s.Plan.Cases[0])
	if name := s.machineOf(o.Case); name != first {
		c.ServerHost = name
		c.Notes = append(c.Notes, result.Note{Code: "other-machine", Text: fmt.Sprintf(
			"its server is on %s; the archive has the facts of one server's machine, %s", name, first)})
		return
	}
	if facts != nil {
		s.Run.Server = facts
	}
}
