package command

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mysweep/charts"
	"mysweep/runner/plan"
	"mysweep/runner/server"
	"mysweep/runner/workload"
	"mysweep/runner/workload/smack"
	"mysweep/runner/workload/sqlfile"
)

// endpointOf is the existing server that the flags, the plan and the option
// files name, with its password; nil when a private one is meant.
func endpointOf(w World, p *plan.Plan) (*server.Endpoint, error) {
	s := p.Server
	if !s.Existing() && s.DSN == "" && (p.Private.Wanted || s.DefaultsFile == "") {
		return nil, nil
	}
	e := server.Endpoint{Host: s.Host, Port: s.Port, Socket: s.Socket, User: s.User, DSN: s.DSN}
	mode, err := server.ParseTLSMode(s.SSLMode)
	if err != nil {
		return nil, usage("--ssl-mode: %w", err)
	}
	e.TLS = server.TLS{Mode: mode, CA: s.SSLCA, Cert: s.SSLCert, Key: s.SSLKey}
	if e.Password, err = password(s.PasswordFile, w); err != nil {
		return nil, err
	}
	if e, err = fromOptionFiles(s.DefaultsFile, w, e); err != nil {
		return nil, usage("%w", err)
	}
	if e.User == "" && e.DSN == "" {
		e.User = w.Getenv("USER")
	}
	if err := e.Validate(); err != nil {
		return nil, usage("%w", err)
	}
	if err := e.TLS.Check(); err != nil {
		return nil, usage("%w", err)
	}
	e.Database = "" // mysweep makes its schema when it is missing
	rememberServer(&p.Server, e)
	return &e, nil
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

// password is the first line of --password-file, else MYSQL_PWD.
func password(file string, w World) (string, error) {
	if file == "" {
		return w.Getenv("MYSQL_PWD"), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", usage("--password-file: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	if err := lines.Err(); err != nil {
		return "", usage("--password-file %s: %w", file, err)
	}
	return lines.Text(), nil
}

// fromOptionFiles fills what flags did not say from --defaults-file, else from
// ~/.my.cnf.
func fromOptionFiles(named string, w World, e server.Endpoint) (server.Endpoint, error) {
	path := named
	if path == "" {
		path = filepath.Join(w.Getenv("HOME"), ".my.cnf")
	}
	file, err := server.ReadOptionFile(path)
	if errors.Is(err, fs.ErrNotExist) && named == "" {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	for _, note := range file.Notes {
		fmt.Fprintln(w.Stderr, "mysweep:", charts.Line(note.Text))
	}
	return e.ClientOptions(file.Options("client", "mysweep"))
}

// serverHost is the name under which the server's results are archived: its
// host, or this one for a private server and for loopback addresses.
func serverHost(e *server.Endpoint, own string) string {
	if e == nil {
		return own
	}
	host, _, err := net.SplitHostPort(e.Name())
	if err != nil || strings.HasPrefix(e.Name(), "/") || host == "localhost" {
		return own
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return own
	}
	return host
}

// makeWorkloads makes the plan's workloads with their options.
func makeWorkloads(p *plan.Plan) (map[string]workload.Workload, error) {
	made := map[string]workload.Workload{}
	for _, w := range p.Workloads {
		one, err := makeWorkload(w, p.Threads.Max())
		if err != nil {
			return nil, usage("workload %s: %w", w.Label(), err)
		}
		made[w.Label()] = one
	}
	return made, nil
}

func makeWorkload(w plan.Workload, threads int) (workload.Workload, error) {
	spec, err := specOf(w)
	if err != nil {
		return nil, err
	}
	values, err := workload.NewValues(spec.Options, w.Options)
	if err != nil {
		return nil, err
	}
	return spec.New(values.ForThreads(threads))
}

// specOf finds a workload by its name, reads it from its file, or takes it as
// the plan writes it down.
func specOf(w plan.Workload) (workload.Spec, error) {
	switch {
	case w.Smack != "":
		return smack.Open(w.Smack)
	case w.SQL != "":
		return sqlfile.Open(w.SQL)
	case w.WrittenDown():
		return sqlfile.FromPlan(w, "")
	}
	spec, ok := workload.Find(w.Name)
	if !ok {
		return spec, fmt.Errorf("there is no workload %q", w.Name)
	}
	return spec, nil
}
