package testbed

import (
	"context"
	"fmt"
	"os"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/remote"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// Locations are the machines that existing servers are on, by the names of their
// endpoints. One that is missing was not asked.
type Locations map[string]server.Location

// MachineOf is the name of the machine that an existing server is on; own is this
// machine's.
func (l Locations) MachineOf(e *server.Endpoint, own string) string {
	if location, ok := l[e.Name()]; ok {
		return location.Machine(*e, own)
	}
	return e.Machine(own)
}

// ownHost is the name of this machine.
func ownHost() string {
	if own, err := os.Hostname(); err == nil {
		return own
	}
	return "localhost"
}

// machineOf is the name of the machine that a case's server is on.
func (s *Site) machineOf(c plan.Case) string {
	if e := s.endpoint(c); e != nil {
		return s.locations.MachineOf(e, ownHost())
	}
	return ownHost()
}

// locate asks the server of the bed on which machine it is. What is not known is
// a note.
func (b *Bed) locate(ctx context.Context) error {
	e := b.site.endpoint(b.Case)
	if e == nil {
		return nil
	}
	location, err := b.target.Locate(ctx, ownHost())
	if err != nil {
		return err
	}
	b.site.locations[e.Name()] = location
	if location.Place == server.Unsure && b.site.sshOf(b.Case) == "" {
		b.site.report.Note("server-unseen", "on which machine the server of case %s is, is not known: %s; --server-ssh names it", b.Name, location.Why)
	}
	return nil
}

// shared reports whether a case's server is on this machine. Where the plan names another way to
// the server's machine, its process must have been seen here.
func (s *Site) shared(c plan.Case) bool {
	e := s.endpoint(c)
	if e == nil {
		return true
	}
	location := s.locations[e.Name()]
	return location.Place == server.Here && (location.Seen || s.plannedSSH(c) == "")
}

// sshOf is how the machine of a case's server is reached, "" for not at all.
func (s *Site) sshOf(c plan.Case) string {
	if s.shared(c) {
		return ""
	}
	return s.plannedSSH(c)
}

// plannedSSH is the way to the machine of a case's server that the plan names.
func (s *Site) plannedSSH(c plan.Case) string {
	if c.Server != nil {
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
	if facts != nil {
		c.Datadir = new(facts.Storage())
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
