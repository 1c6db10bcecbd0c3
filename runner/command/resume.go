package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/sweep"
	"github.com/mysweep/mysweep/runner/testbed"
)

// resume continues the run of an archive and fills in its outcome.
func resume(c *cli.Context, env Env, o *outcome) error {
	dir := c.String("resume")
	if c.IsSet("mode") {
		return usage("--resume %s: the archive already has a mode: omit --mode", dir)
	}
	if c.IsSet("out") || c.IsSet("archive") {
		return usage("--resume %s already names the archive: omit --out and --archive", dir)
	}
	a, err := result.Read(dir)
	if err != nil {
		return usage("--resume: %w", err)
	}
	p := a.Run.Plan
	if a.Run.Redacted {
		if err := nameAgain(c, &p); err != nil {
			return err
		}
	}
	if err := unchanged(c, p); err != nil {
		return err
	}
	// Then the login flags name no server for the cases without one.
	ownServer := func(c plan.Case) bool { return c.Server != nil }
	p.Private.Wanted = p.Private.Wanted || !p.Server.Existing() && slices.ContainsFunc(p.Cases, ownServer)
	for _, f := range plan.Flags() {
		if !f.Secret {
			continue
		}
		if err := applyFlag(f, &p, given(c, f)); err != nil {
			return err
		}
	}
	if err := sameAccess(a, p); err != nil {
		return usage("--resume %s: %w", dir, err)
	}
	defer limitTime(c, p.MaxTime)()
	workloads, err := makeWorkloads(env, &p)
	if err != nil {
		return err
	}
	endpoints, err := endpointsOf(env, &p)
	if err != nil {
		return err
	}
	if was, is := serverText(a.Run.Plan.Server), serverText(p.Server); was != is && !a.Run.Redacted {
		return usage("--resume %s: the run measured %s, not %s: omit the flags that name another server, or start a new run", dir, was, is)
	}
	prepared := preparedStatements(&p, workloads)
	locations, notes, err := preflight(c.Context, &p, endpoints, workloads, prepared)
	if err != nil {
		return refused(c.Context, err)
	}
	if err := load.CheckPoller(a.Run.Poller); err != nil {
		return usage("--resume %s: its trials used io_uring: %w", dir, err)
	}
	if err := testbed.Comparable(c.Context, a, endpoints); err != nil {
		return usage("--resume %s: %w", dir, err)
	}
	job := sweep.Job{Plan: p, Dir: filepath.Clean(dir), Run: a.Run, Done: a.Trials, Endpoints: endpoints, Locations: locations, Workloads: workloads, Prepared: prepared}
	job.Run.Status = ""
	if job.Run.Notes, err = withIgnoredFile(notes, env, p.Server.DefaultsFile, endpoints); err != nil {
		return err
	}
	if job.Redact = a.Run.Redacted; job.Redact {
		if err := realNames(&job.Run, &p, endpoints, locations); err != nil {
			return err
		}
	}
	return locked(c, env, o, output{dir: job.Dir, mode: result.FileMode}, job)
}

// nameAgain takes the server's name from the flags: a redacted archive has its role
// instead.
func nameAgain(c *cli.Context, p *plan.Plan) error {
	switch s := &p.Server; {
	case !slices.Contains([]string{"host", "server", "client"}, s.Host):
	case c.IsSet("host"):
		s.Host = c.String("host")
	case c.IsSet("dsn"), c.IsSet("defaults-file"):
		s.Host, s.Port = "", 0
	default:
		return usage("--resume %s: the archive has no host names (--redact-host): name the server again with --host", c.String("resume"))
	}
	if p.Server.SSH != "" && c.IsSet("server-ssh") {
		p.Server.SSH = c.String("server-ssh")
	}
	return nil
}

// realNames restores the names of the hosts, which the run needs and redacts again.
func realNames(r *result.Run, p *plan.Plan, endpoints map[string]*server.Endpoint, locations testbed.Locations) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	r.ClientHost, r.ServerHost, r.Plan.Server = host, serverHost(p, endpoints, locations, host), p.Server
	return nil
}

// unchanged refuses flags that differ from the plan of the archive: all trials of
// a run belong to one plan.
func unchanged(c *cli.Context, p plan.Plan) error {
	if file := c.Args().First(); file != "" {
		return usage("--resume uses the plan of the archive: omit %s", file)
	}
	if c.IsSet("redact-host") {
		return usage("--resume uses the plan of the archive: omit --redact-host")
	}
	for _, o := range workloadOptions() {
		if c.IsSet(o.Name) {
			return usage("--resume uses the plan of the archive: omit --%s", o.Name)
		}
	}
	for _, f := range plan.Flags() {
		texts := given(c, f)
		if texts == nil || f.Secret {
			continue
		}
		asked, err := clone(p)
		if err != nil {
			return err
		}
		f.Reset(&asked)
		if err := applyFlag(f, &asked, texts); err != nil {
			return err
		}
		if !same(asked, p) {
			return usage("--resume: --%s %s differs from the plan of the archive: omit it, or start a new run", f.Name, texts[0])
		}
	}
	return nil
}

// sameAccess checks the settings that an archive does not have, because they may
// hold passwords, and that must therefore be repeated.
func sameAccess(a *result.Archive, p plan.Plan) error {
	if mistakes := p.Misplaced(); len(mistakes) > 0 {
		return errors.New(mistakes[0])
	}
	for _, c := range a.Run.Cases { // a case has its replicas when its trials are over
		private := slices.ContainsFunc(p.Cases, func(asked plan.Case) bool { return asked.Name == c.Name && asked.Replicas > 0 })
		if had := len(c.Replicas); !private && had > 0 && had != len(p.Replicas) {
			return fmt.Errorf("the run compared %d replicas, but --replica names %d: name the same ones (their DSNs are not archived)", had, len(p.Replicas))
		}
	}
	return nil
}

// serverText is the address of a run's server.
func serverText(s plan.Server) string {
	switch {
	case s.Socket != "":
		return s.Socket
	case s.Existing():
		return net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
	}
	return "a private server"
}

func clone(p plan.Plan) (plan.Plan, error) {
	var q plan.Plan
	raw, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(raw, &q)
	}
	return q, err
}

func same(a, b plan.Plan) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
