package command

import (
	"bufio"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/testbed"
)

// endpointsOf are the existing servers of the plan's cases, with their
// passwords, by the names of the cases; one that is not there has a private
// server.
func endpointsOf(env Env, p *plan.Plan) (map[string]*server.Endpoint, error) {
	common, err := endpointOf(env, p)
	if err != nil {
		return nil, err
	}
	endpoints := map[string]*server.Endpoint{}
	p.Cases = slices.Clone(p.Cases)
	for i := range p.Cases {
		c := &p.Cases[i]
		if c.Server == nil {
			if common != nil {
				endpoints[c.Name] = common
			}
			continue
		}
		asked := p.ServerOf(*c)
		e, err := resolveServer(env, &asked)
		if err != nil {
			return nil, usage("case %s: %w", c.Name, err)
		}
		own := *c.Server
		rememberServer(&own, e)
		c.Server, endpoints[c.Name] = &own, &e
	}
	return endpoints, nil
}

// endpointOf is the existing server that the flags, the plan and the option
// files name for all cases, with its password; nil when a private one is meant.
func endpointOf(env Env, p *plan.Plan) (*server.Endpoint, error) {
	if !p.Existing(plan.Case{}) {
		return nil, nil
	}
	e, err := resolveServer(env, &p.Server)
	if err != nil {
		return nil, err
	}
	rememberServer(&p.Server, e)
	return &e, nil
}

// resolveServer finds out all that it takes to log in. As with the mysql client, keys or flags
// come first, then the DSN, the option file and the environment.
func resolveServer(env Env, s *plan.Server) (e server.Endpoint, err error) {
	e = server.Endpoint{Host: s.Host, Port: s.Port, Socket: s.Socket, User: s.User, DSN: s.DSN}
	mode, err := server.ParseTLSMode(s.SSLMode)
	if err != nil {
		return e, usage("--ssl-mode: %w", err)
	}
	e.TLS = server.TLS{Mode: mode, CA: s.SSLCA, Cert: s.SSLCert, Key: s.SSLKey}
	e.PublicKey, e.GetPublicKey = s.PublicKeyPath, s.GetPublicKey
	if s.PasswordFile != "" {
		e.PasswordFrom = "--password-file " + s.PasswordFile
		if e.Password, err = passwordFile("--password-file", s.PasswordFile); err != nil {
			return e, err
		}
	}
	if e, err = e.WithLogin(); err != nil {
		return e, usage("%w", err)
	}
	if e, err = fromOptionFiles(s.DefaultsFile, env, e); err != nil {
		return e, usage("%w", err)
	}
	if err := e.Validate(); err != nil {
		return e, usage("%w", err)
	}
	if err := e.TLS.Check(); err != nil {
		return e, usage("%w", err)
	}
	e.Database = "" // mysweep makes its schema when it is missing
	return e, nil
}

// rememberServer puts into the plan where the server is, so that a run that is
// resumed finds it, whatever named it.
func rememberServer(s *plan.Server, e server.Endpoint) {
	if e.User != "" {
		s.User = e.User
	}
	address := e.Name()
	if strings.HasPrefix(address, "/") {
		s.Host, s.Port, s.Socket = "", 0, address
		return
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return
	}
	s.Host, s.Socket = host, ""
	s.Port, _ = strconv.Atoi(port)
}

// passwordFile is the first line of a file that keeps a password; flag names it, file is "" without
// one.
func passwordFile(flag, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	// A pipe without a writer is empty, not waited for.
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", usage("%s: %w", flag, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", usage("%s: %w", flag, err)
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return "", usage("%s %s: other users can access the file (mode %04o): run chmod 600 on it", flag, file, info.Mode().Perm())
	}
	lines := bufio.NewScanner(f)
	lines.Scan()
	if err := lines.Err(); err != nil {
		return "", usage("%s %s: %w", flag, file, err)
	}
	if lines.Text() == "" && !info.Mode().IsRegular() {
		return "", usage("%s %s is empty: no data from this pipe or device", flag, file)
	}
	return lines.Text(), nil
}

// serverHost is the name under which the results are archived: the machine of
// the first case's server, this one for a private server.
func serverHost(p *plan.Plan, endpoints map[string]*server.Endpoint, locations testbed.Locations, own string) string {
	if e := endpoints[p.Cases[0].Name]; e != nil {
		return locations.MachineOf(e, own)
	}
	return own
}
