package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	loopback            = "127.0.0.1"
	defaultStartTimeout = 2 * time.Minute
	defaultParent       = "/var/tmp"
	errorLog            = "error.log"
	bootstrapLog        = "bootstrap.log"
)

// Private is what a private server shall be. The zero value is the first server
// program found, with its own defaults, reachable by a socket.
type Private struct {
	Mysqld          string   // server program or wrapper script; empty: look for one
	DatadirParent   string   // the private folder is made below it; empty: /var/tmp
	AllowMemory     bool     // the parent may be a tmpfs
	ServerUser      string   // system account when we are root; empty: mysql, else nobody
	Options         []Option // as in my.cnf; they win over DefaultsFile
	DefaultsFile    string   // a my.cnf to take options from; empty: none, this machine's is never read
	MaxConnections  int      // 0: the server's default; an option max_connections wins
	TCP             bool     // also listen on 127.0.0.1, on a free port
	TLS             bool     // with a certificate, made for it where the server makes none
	Wrap            []string // command in front of the server, such as numactl --interleave=all
	Env             []string // NAME=value, added to our environment
	CPUs            []int    // CPUs that the server may use; empty: all of ours
	CopyDatadirFrom string   // a prepared datadir, copied
	KeepFiles       bool     // Stop leaves the folder
	StartTimeout    time.Duration
}

// Validate returns every mistake that can be seen without touching the machine.
func (p Private) Validate() error {
	var mistakes []error
	for _, option := range p.Options {
		if !plainOptionName(option.Name) {
			mistakes = append(mistakes, fmt.Errorf("server option %q: no such name is possible", option.Name))
		}
		if isOneOf(option, reserved) {
			mistakes = append(mistakes, fmt.Errorf("server option %s: mysweep sets this itself for a private server, leave it out", option.Name))
		}
	}
	for _, setting := range p.Env {
		if name, _, ok := strings.Cut(setting, "="); !ok || name == "" {
			mistakes = append(mistakes, fmt.Errorf("environment %q: write NAME=value", setting))
		}
	}
	for _, cpu := range p.CPUs {
		if cpu < 0 {
			mistakes = append(mistakes, fmt.Errorf("CPU %d: there is no such number", cpu))
		}
	}
	if p.MaxConnections < 0 {
		mistakes = append(mistakes, fmt.Errorf("max_connections %d: it cannot be negative", p.MaxConnections))
	}
	return errors.Join(mistakes...)
}

// Server is a private server. Everything that both kinds of servers can do is
// in its Target. Its methods are for one goroutine; those of the Target, but for
// the time of a Restart, for any.
type Server struct {
	*Target
	Binary            Binary
	Copied            *Copied // nil when the datadir was not copied
	InitializeSeconds float64 // what making an empty datadir took; 0 when copied
	StartSeconds      float64 // from the fork to the first answer, of the last start

	private  Private
	folder   *folder
	defaults []Option // of DefaultsFile, without what was left out
	password string
	port     int
	process  *process
}

// StartPrivate makes a folder and a datadir, starts a server and waits until it
// answers. When that fails, or ctx ends, nothing is left of it.
func StartPrivate(ctx context.Context, p Private) (*Server, error) {
	s, err := newPrivate(ctx, p)
	if err != nil {
		return nil, err
	}
	err = s.makeDatadir(ctx)
	if err == nil {
		err = s.launch(ctx)
	}
	if err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

// newPrivate looks at all that can be wrong before a process is started.
func newPrivate(ctx context.Context, p Private) (*Server, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	binary, err := FindBinary(ctx, p.Mysqld)
	if err != nil {
		return nil, err
	}
	if err := binary.supported(); err != nil {
		return nil, err
	}
	owner, err := serverAccount(p.ServerUser)
	if err != nil {
		return nil, err
	}
	if err := owner.reach(binary.Path); err != nil {
		return nil, fmt.Errorf("mysqld %s: %w: move it, or name another account (--server-user)", binary.Path, err)
	}
	s := &Server{private: p, Binary: binary, Target: &Target{}}
	if p.DefaultsFile != "" {
		if s.defaults, s.Notes, err = readDefaults(p.DefaultsFile, binary); err != nil {
			return nil, err
		}
	}
	if s.password, err = newPassword(); err != nil {
		return nil, err
	}
	return s, s.makeFolder(owner)
}

func (s *Server) makeFolder(owner account) error {
	parent := s.private.DatadirParent
	if parent == "" {
		parent = defaultParent
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return fmt.Errorf("datadir parent %s: %w", s.private.DatadirParent, err)
	}
	if !s.private.AllowMemory {
		if err := refuseMemory(parent); err != nil {
			return err
		}
	}
	s.folder, err = newFolder(parent, owner)
	return err
}

// bounded is ctx with the limit for one start.
func (s *Server) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := s.private.StartTimeout
	if limit <= 0 {
		limit = defaultStartTimeout
	}
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("it was not ready within %v", limit))
}

// launch starts the process on the datadir that is there and logs in.
func (s *Server) launch(ctx context.Context) error {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	if err := s.writeFiles(); err != nil {
		return fmt.Errorf("private server: %w", err)
	}
	s.Target.Endpoint = s.endpoint()
	began := time.Now()
	if err := s.fork(); err != nil {
		return s.startError("start", errorLog, err)
	}
	if err := s.awaitLogin(ctx); err != nil {
		s.process.kill()
		return s.startError("start", errorLog, err)
	}
	s.StartSeconds = time.Since(began).Seconds()
	os.Remove(s.folder.file("init.sql"))
	return s.checkLimits(ctx)
}

func (s *Server) writeFiles() error {
	if s.private.TCP && s.port == 0 {
		port, err := freePort()
		if err != nil {
			return err
		}
		s.port = port
	}
	if s.private.TLS {
		if err := s.makeCertificate(); err != nil {
			return err
		}
	}
	if err := s.folder.write("my.cnf", formatMyCnf(s.effectiveOptions())); err != nil {
		return err
	}
	if err := s.folder.write("client.cnf", s.clientCnf()); err != nil {
		return err
	}
	return s.folder.write("init.sql", s.initSQL())
}

// fork starts the server program behind its wrapper command, if any.
func (s *Server) fork() error {
	argv := append(append([]string{}, s.private.Wrap...), s.Binary.Path, "--defaults-file="+s.folder.file("my.cnf"))
	log, err := s.openLog(errorLog)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir = s.folder.file("data")
	cmd.Env = s.environment()
	s.process, err = startProcess(cmd, s.folder.owner, s.private.CPUs)
	if err != nil {
		return err
	}
	return s.recordProcess(s.process.pid)
}

func (s *Server) recordProcess(pid int) error {
	s.folder.record.PID = pid
	s.folder.record.StartTime, _ = startTime(pid) // 0: it has ended already, which waiting will tell
	return s.folder.writeRecord()
}

// environment is ours without what the client libraries and the server would
// take as settings or secrets.
func (s *Server) environment() []string {
	var kept []string
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "MYSQL") && !strings.HasPrefix(setting, "MARIADB") {
			kept = append(kept, setting)
		}
	}
	return append(kept, s.private.Env...)
}

// awaitLogin asks again and again until the server answers, ends, or time is up.
func (s *Server) awaitLogin(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func(p *process) {
		select {
		case <-p.done:
			cancel(errors.New(p.exitText()))
		case <-ctx.Done():
		}
	}(s.process)
	for {
		err := s.Target.open(ctx)
		if err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
		if denied(err) { // it answers, so waiting does not help
			return err
		}
	}
	if pid := s.pidFromFile(); pid != 0 && pid != s.process.pid {
		return s.recordProcess(pid) // behind a wrapper that stayed
	}
	return nil
}

// endpoint is how the load reaches the server: over TCP when that was asked for.
func (s *Server) endpoint() Endpoint {
	e := Endpoint{Socket: s.folder.socket, User: privateUser, Password: s.password, TLS: TLS{Mode: TLSDisabled}}
	if s.private.TCP {
		e.Host, e.Port, e.Socket = loopback, s.port, ""
	}
	if s.private.TLS {
		e.TLS = TLS{Mode: TLSRequired}
	}
	return e
}

// checkLimits tells when the server lowered max_connections for want of files.
func (s *Server) checkLimits(ctx context.Context) error {
	got, err := s.MaxConnections(ctx)
	if err != nil {
		return err
	}
	if want := s.private.MaxConnections; got < want {
		if _, set := findOption(append(s.defaults, s.private.Options...), "max_connections"); !set {
			return fmt.Errorf("private server: max_connections is %d where %d are needed: the limit of open files is too low (ulimit -n)", got, want)
		}
	}
	return nil
}

// PID is that of the server itself, also behind a wrapper; 0 when it does not run.
func (s *Server) PID() int {
	if !s.Running() {
		return 0
	}
	return s.folder.record.PID
}

// Running says whether the process is there.
func (s *Server) Running() bool { return s.process != nil && !s.process.ended() }

// Done is closed when the process has ended, whoever ended it. Restart makes a new one.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Death says how a server ended that nobody stopped, with the end of its error log.
func (s *Server) Death() error {
	if s.Running() {
		return nil
	}
	return fmt.Errorf("private server %s: %s; its error log says:\n%s", s.Binary.Path, s.process.exitText(), errorLogTail(s.ErrorLog()))
}

// Folder is the private folder; Datadir lies in it.
func (s *Server) Folder() string  { return s.folder.path }
func (s *Server) Datadir() string { return s.folder.file("data") }

// ErrorLog is the path of the server's error log.
func (s *Server) ErrorLog() string { return s.folder.file(errorLog) }

// ClientFile is an option file (mode 0600) with which the mysql client logs in.
func (s *Server) ClientFile() string { return s.folder.file("client.cnf") }

// Options are the options that the server was started with, in the order of
// its my.cnf; the last one of a name counts.
func (s *Server) Options() []Option { return s.effectiveOptions() }

func (s *Server) pidFromFile() int {
	text, err := os.ReadFile(s.folder.file("mysqld.pid"))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

// startError carries the end of the log, which is gone with the folder.
func (s *Server) startError(what, log string, cause error) error {
	text := fmt.Sprintf("private server %s %s: could not %s", s.Binary.Path, s.Binary.Version, what)
	tail := errorLogTail(s.folder.file(log))
	if tail == "" {
		return fmt.Errorf("%s: %w", text, cause)
	}
	return fmt.Errorf("%s: %w; its error log says:\n%s%s", text, cause, tail, logHint(tail))
}

func logHint(tail string) string {
	switch {
	case strings.Contains(tail, "ermission denied"):
		return "\n(AppArmor or SELinux may forbid this program to use the folder: see dmesg, or name another place with --datadir-parent)"
	case strings.Contains(tail, "No space left"):
		return "\n(name a place with more room: --datadir-parent)"
	case strings.Contains(tail, "Address already in use"):
		return "\n(another program took the port in the meantime: try again)"
	}
	return ""
}
