// Package observe watches both machines, the server and its replicas around a
// trial and returns what it saw as evidence. It knows no plan and no case: a
// Subject says which server is under test. Counters are read when a trial
// begins and when it ends, and also at the edges of the measured window if the
// load generator reports them; rates and shares refer to that window.
package observe

import (
	"context"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/remote"
	"github.com/mysweep/mysweep/hwinfo/series"
	"github.com/mysweep/mysweep/runner/server"
)

// Subject is the server that a trial puts load on.
type Subject struct {
	Target *server.Target
	PID    int   // process of the server on this machine, 0 when it is unknown or elsewhere
	CPUs   []int // CPUs that the server has to itself, nil when it shares all
	Shared bool  // client and server are one machine
	// SSH is the ssh host of the server's machine, "" when that is this one or cannot be reached.
	SSH      string
	Replicas []Replica
}

// Replica is a server that follows the one under test.
type Replica struct {
	Name   string
	Target *server.Target
}

// Observer samples this machine, and those of remote servers, for a whole run.
// It is for one goroutine.
type Observer struct {
	clock  time.Time // samples count from here
	own    *machine
	remote map[string]*machine // by host name for ssh
}

// New starts to sample this machine, which client describes. Samples carry the
// seconds since clock.
func New(clock time.Time, client *hwinfo.Facts) *Observer {
	o := &Observer{clock: clock, remote: map[string]*machine{}}
	source := series.NewLocal("/")
	o.own = sample(source, client)
	stop := o.own.stop
	o.own.stop = func() { stop(); source.Close() }
	return o
}

// Reach starts to sample a server's machine over ssh, unless that has been done
// before. It goes on until Close: a server that is paused comes back.
func (o *Observer) Reach(ctx context.Context, host string, facts *hwinfo.Facts) error {
	if o.remote[host] != nil {
		return nil
	}
	source, err := remote.Open(ctx, remote.Host{Name: host})
	if err != nil {
		return err
	}
	m := sample(source, facts)
	stop := m.stop
	m.stop = func() { stop(); source.Close() }
	o.remote[host] = m
	return nil
}

// Close stops all sampling.
func (o *Observer) Close() {
	o.own.stop()
	for _, m := range o.remote {
		m.stop()
	}
}
