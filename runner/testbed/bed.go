package testbed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/observe"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// Bed is a server, running or paused, with its tables and the case that it is
// set up for. Cases that share the server take turns on one bed.
type Bed struct {
	plan.Case
	site       *Site
	key        serverKey
	target     *server.Target
	private    *server.Server  // nil when the server exists without us
	started    plan.Options    // with which the private server was started
	cpus       []int           // that the private server may use, nil for all
	clientCPUs unix.CPUSet     // of the load generator before it made room; empty when it did not
	undo       []server.Change // global variables that were set for the case
	loaded     map[string]bool // workloads
	warm       map[string]bool // workloads, since the server was started
	written    map[string]bool // tables that trials have written to since they were loaded
	prepared   map[string]bool // tables of an existing server that were there and stay
	unmarked   []string        // tables of ours on a server that does not keep the mark
	data       data

	replicas []*replica
	shared   bool   // the server is on this machine
	ssh      string // host name for ssh of the server's machine, "" when it is not sampled

	// Of an existing server:
	endpoint    *server.Endpoint // by which target logged in
	identity    string
	lock        *server.Lock
	process     server.Running // on this machine; the zero value when unknown
	untouched   bool           // nothing has used it since its restart
	restartedBy string         // the case whose commands restarted it last
}

// data is what the tables of a server came to, which all its cases have.
type data struct {
	tables      []result.TableFact
	loadSeconds *float64
	notes       []result.Note
	fsync       map[string][]hwinfo.Fsync // by directory: appends of 4 KiB and of 512 bytes
}

func (s *Site) newBed(c plan.Case) *Bed {
	return &Bed{Case: c, site: s, key: s.keyOf(c), loaded: map[string]bool{}, warm: map[string]bool{}, written: map[string]bool{}, prepared: map[string]bool{}, data: data{fsync: map[string][]hwinfo.Fsync{}}}
}

// LoadTarget is how the load reaches the server.
func (b *Bed) LoadTarget() load.Target {
	return load.Target{Config: b.schemaConfig(), SQLMode: b.site.report.Case(b.Name).Variables["sql_mode"]}
}

// Subject is the bed as the observer sees it.
func (b *Bed) Subject() observe.Subject {
	subject := observe.Subject{Target: b.target, CPUs: b.cpus, Shared: b.shared, SSH: b.ssh}
	subject.PID, _ = b.serverPID() // 0 when unknown
	for _, r := range b.replicas {
		subject.Replicas = append(subject.Replicas, observe.Replica{Name: r.name, Target: r.target})
	}
	return subject
}

// Used records what a run of the load did to the tables.
func (b *Bed) Used(made workload.Workload, m *result.Measure) {
	if m.Writes == 0 {
		return
	}
	for _, t := range made.Tables() {
		b.written[t.Name] = true
	}
}

// Hold makes sure that an existing server is still ours: it renews the lock.
func (b *Bed) Hold(ctx context.Context) error {
	if b.lock == nil {
		return nil
	}
	if err := b.lock.Keep(ctx); err != nil {
		return fmt.Errorf("the lock on the server was lost: %w", err)
	}
	return nil
}

// Alive reports whether the server answers within 5 s.
func (b *Bed) Alive(ctx context.Context) bool { return ping(ctx, b.target, 5*time.Second) == nil }

// ping says why a server did not answer within a time.
func ping(ctx context.Context, t *server.Target, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return t.Ping(ctx)
}

// prepare makes a server that was just started or reached ready to load tables,
// and records what it is.
func (b *Bed) prepare(ctx context.Context) error {
	if err := b.bindClient(); err != nil {
		return err
	}
	if err := b.shape(ctx); err != nil {
		return err
	}
	if err := b.cloneTables(ctx); err != nil {
		return err
	}
	if err := b.describe(ctx); err != nil {
		return err
	}
	return b.site.report.Save()
}

// makeWay pauses the bed for another one. An existing server whose variables
// cannot be put back is let go of.
func (b *Bed) makeWay(ctx context.Context) {
	if b.private == nil && b.restore(ctx) != nil { // noted
		b.Close()
		return
	}
	b.pause()
}

// pause sets the bed aside. A private server is stopped and keeps its datadir,
// so that resuming it costs a restart and no load; an existing one keeps the
// tables, and we the lock.
func (b *Bed) pause() {
	b.site.bed = nil
	b.unbindClient()
	b.site.paused[b.key] = b
	if b.private == nil {
		return
	}
	for _, r := range b.replicas {
		r.pause()
	}
	b.private.Pause()
	b.warm, b.undo = map[string]bool{}, nil
}

// Close undoes what was made for the bed, in reverse order: the load generator
// gets its CPUs back; a private server is removed with its replicas; on an
// existing one the variables are put back, our tables dropped and the lock
// released. It works after the run was cut off, each step within its own limit.
// What could not be undone is a note.
func (b *Bed) Close() {
	b.site.bed = nil
	b.unbindClient()
	b.end()
}

// end ends what was begun with the server.
func (b *Bed) end() {
	if b.private == nil {
		b.release()
		return
	}
	if err := errors.Join(b.closeReplicas(), b.private.Stop()); err != nil {
		b.site.report.Note("left-behind", "%v", err)
	}
}
