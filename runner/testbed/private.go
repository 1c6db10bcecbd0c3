package testbed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// morePrepared is what the limit of prepared statements is raised to on a
// private server with many threads: the most that every server takes.
const morePrepared = "1048576"

// stockConnections is max_connections of a server with default settings, and spareConnections is
// what max_connections is raised above the threads: for our own observation, the lock, and a user
// who looks at the server.
const (
	stockConnections = 151
	spareConnections = 20
)

// connectionRoom is the max_connections that a private server needs, 0 for the stock one. A server
// takes its time to notice that a connection has ended, so that threads that reconnect may hold
// two.
func connectionRoom(threads int, reconnect bool) int {
	if reconnect {
		threads *= 2
	}
	if most := threads + spareConnections; most > stockConnections {
		return most
	}
	return 0
}

// reconnects reports whether threads of any workload do.
func (s *Site) reconnects() bool {
	for _, w := range s.workloads {
		if when := load.Reconnects(w, s.plan.Reconnect); when != "never" && when != "" {
			return true
		}
	}
	return false
}

// privateServer is the private server of a case: the plan's, with what the
// case changes. A case's option replaces the plan's of the same name. reconnect
// says that threads reconnect.
func privateServer(p *plan.Plan, c plan.Case, reconnect bool, allowed unix.CPUSet) (server.Private, error) {
	s := server.Private{
		Mysqld:          first(c.Mysqld, p.Private.Mysqld),
		DatadirParent:   first(c.DatadirParent, p.Private.DatadirParent),
		AllowMemory:     p.Private.AllowTmpfs,
		ServerUser:      p.Private.ServerUser,
		DefaultsFile:    first(c.OptionsFile, p.Private.DefaultsFile),
		IfKnown:         c.IfKnown,
		CopyDatadirFrom: c.CopyDatadirFrom,
		KeepFiles:       p.Private.KeepFiles,
		ForgetPages:     c.FreshStart(),
		Wrap:            strings.Fields(c.Wrap),
		StartTimeout:    2 * time.Minute,
	}
	switch first(c.Transport, p.Private.Transport) {
	case "tcp":
		s.TCP = true
	case "tls":
		s.TCP, s.TLS = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		s.Env = append(s.Env, name+"="+c.Env[name])
	}
	var err error
	if s.Options, err = serverOptions(p, c); err != nil {
		return s, err
	}
	if c.Replicas > 0 { // they reach it over TCP, and read its binary log
		s.Listen = true
		s.Options = append(server.PrimaryOptions(), s.Options...)
	}
	s.MaxConnections = connectionRoom(p.Threads.Max(), reconnect)
	if s.MaxConnections > 0 && p.Protocol == "prepared" {
		s.Options = append([]server.Option{{Name: "max_prepared_stmt_count", Value: morePrepared}}, s.Options...)
	}
	s.CPUs, err = serverCPUs(c.CPUs, allowed)
	return s, err
}

// start starts the case's private server, with its replicas.
func (b *Bed) start(ctx context.Context) error {
	b.site.report.Progress("starting a private server")
	private, err := privateServer(&b.site.plan, b.Case, b.site.reconnects(), b.site.allowed)
	if err != nil {
		return err
	}
	b.private, err = server.StartPrivate(ctx, private)
	if err != nil {
		return err
	}
	b.target, b.started, b.cpus = b.private.Target, b.Options, private.CPUs
	if err := b.startReplicas(ctx); err != nil {
		return errors.Join(err, b.private.Stop())
	}
	return nil
}

// restart gives the private server the options of a case and starts it by how.
func (b *Bed) restart(ctx context.Context, c plan.Case, how func(context.Context) error) error {
	private, err := privateServer(&b.site.plan, c, b.site.reconnects(), b.site.allowed)
	if err != nil {
		return err
	}
	if err := b.private.SetOptions(private.Options); err != nil {
		return err
	}
	b.undo, b.warm = nil, map[string]bool{}
	b.Case, b.started = c, c.Options
	return how(ctx)
}

// resumePrivate starts a private server that was set aside, for a case.
func (s *Site) resumePrivate(ctx context.Context, b *Bed, c plan.Case) error {
	s.report.Progress("starting the server of case %s again", c.Name)
	delete(s.paused, b.key)
	if err := b.restart(ctx, c, b.private.Resume); err != nil {
		s.paused[b.key] = b // another case may still start on its data
		return err
	}
	for _, r := range b.replicas {
		if err := r.resume(ctx); err != nil {
			s.report.Note("replicas-unknown", "case %s: %s: %v", c.Name, r.name, err)
		}
	}
	return nil
}

func serverOptions(p *plan.Plan, c plan.Case) ([]server.Option, error) {
	var options []server.Option
	for _, text := range p.Private.Options {
		o, err := server.ParseOption(text)
		if err != nil {
			return nil, fmt.Errorf("--mysqld-option %s: %w", text, err)
		}
		options = append(options, o)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		// The last one of a name wins. An empty value is one, e.g. of sql_mode.
		options = append(options, server.Option{Name: name, Value: c.Options[name]})
	}
	return options, nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
