package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	Mysqld        string   // server program or wrapper script; empty: look for one
	DatadirParent string   // the private folder is made below it; empty: /var/tmp
	AllowMemory   bool     // the parent may be a tmpfs
	ServerUser    string   // system account when we are root; empty: mysql, else nobody
	Options       []Option // as in my.cnf; they win over DefaultsFile
	// DefaultsFile is a my.cnf to take options from. The machine's own is never read.
	DefaultsFile string
	// IfKnown leaves out what the server does not know of DefaultsFile.
	IfKnown         bool
	MaxConnections  int      // 0: the server's default; an option max_connections wins
	TCP             bool     // listen on 127.0.0.1, on a free port, and let clients come there
	Listen          bool     // listen there for replicas; clients come over the socket all the same
	TLS             bool     // with a certificate, made for it where the server makes none
	Wrap            []string // command in front of the server, such as numactl --interleave=all
	Env             []string // NAME=value, added to our environment
	CPUs            []int    // CPUs that the server may use; empty: those that we may use ourselves
	CopyDatadirFrom string   // a prepared datadir, copied
	KeepFiles       bool     // Stop leaves the folder
	// ForgetPages starts with an empty buffer pool, unless Options or DefaultsFile say otherwise.
	ForgetPages  bool
	StartTimeout time.Duration
}

// Validate returns every mistake that can be seen without touching the machine.
func (p Private) Validate() error {
	var mistakes []error
	for _, option := range p.Options {
		if !plainOptionName(option.Name) {
			mistakes = append(mistakes, fmt.Errorf("server option %q: invalid name", option.Name))
		}
		if isOneOf(option, reserved) {
			mistakes = append(mistakes, fmt.Errorf("server option %s: set by mysweep for private servers: remove it", option.Name))
		}
	}
	for _, setting := range p.Env {
		if name, _, ok := strings.Cut(setting, "="); !ok || name == "" {
			mistakes = append(mistakes, fmt.Errorf("environment %q: expected NAME=value", setting))
		}
	}
	for _, cpu := range p.CPUs {
		if cpu < 0 {
			mistakes = append(mistakes, fmt.Errorf("invalid CPU number %d", cpu))
		}
	}
	if p.MaxConnections < 0 {
		mistakes = append(mistakes, fmt.Errorf("max_connections %d: must not be negative", p.MaxConnections))
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

// PreparePrivate makes a folder and a datadir as StartPrivate does, and starts
// nothing: Resume does, as after a Pause.
func PreparePrivate(ctx context.Context, p Private) (*Server, error) {
	s, err := newPrivate(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := s.makeDatadir(ctx); err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

// Check looks at all on this machine that can be wrong before anything is made:
// the program, the account, the CPUs, the folder and the option file.
func (p Private) Check(ctx context.Context) error {
	binary, _, err := p.look(ctx)
	if err == nil && p.DefaultsFile != "" {
		_, _, err = readDefaults(p.DefaultsFile, binary)
	}
	return err
}

func (p Private) look(ctx context.Context) (binary Binary, owner account, err error) {
	if err := p.Validate(); err != nil {
		return binary, owner, err
	}
	if binary, err = FindBinary(ctx, p.Mysqld); err != nil {
		return binary, owner, err
	}
	if err := binary.supported(); err != nil {
		return binary, owner, err
	}
	if owner, err = serverAccount(p.ServerUser); err != nil {
		return binary, owner, err
	}
	if err := owner.reach(binary.Path); err != nil {
		return binary, owner, fmt.Errorf("mysqld %s: %w: move it, or name another account (--server-user)", binary.Path, err)
	}
	if err := checkCPUs(p.CPUs); err != nil {
		return binary, owner, fmt.Errorf("private server: %w", err)
	}
	if len(p.Wrap) > 0 {
		if _, err := exec.LookPath(p.Wrap[0]); err != nil {
			return binary, owner, fmt.Errorf("private server: wrapper command: %w", err)
		}
	}
	return binary, owner, p.checkParent()
}

// listens reports whether the server can be reached over TCP.
func (p Private) listens() bool { return p.TCP || p.Listen }

// parent is the folder below which the private folder is made.
func (p Private) parent() (string, error) {
	if p.DatadirParent == "" {
		return defaultParent, nil
	}
	parent, err := filepath.Abs(p.DatadirParent)
	if err != nil {
		return "", fmt.Errorf("datadir parent %s: %w", p.DatadirParent, err)
	}
	return parent, nil
}

func (p Private) checkParent() error {
	parent, err := p.parent()
	if err != nil {
		return err
	}
	if !p.AllowMemory {
		if err := refuseMemory(parent); err != nil {
			return err
		}
	}
	probe, err := os.MkdirTemp(parent, folderPrefix)
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	if err == nil {
		err = os.Remove(probe)
	}
	if err != nil {
		return fmt.Errorf("datadir parent %s: cannot create a folder: %w: choose another one (--datadir-parent)", parent, err)
	}
	return nil
}

// newPrivate looks at all that can be wrong before a process is started.
func newPrivate(ctx context.Context, p Private) (*Server, error) {
	binary, owner, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{private: p, Binary: binary, Target: &Target{}}
	if p.DefaultsFile != "" {
		if s.defaults, s.Notes, err = readDefaults(p.DefaultsFile, binary); err != nil {
			return nil, err
		}
	}
	if p.IfKnown {
		s.leaveOutUnknown(ctx)
	}
	if s.password, err = newPassword(); err != nil {
		return nil, err
	}
	return s, s.makeFolder(owner)
}

// leaveOutUnknown takes the options out of the defaults that the server does not know. A program
// that does not list its options is left to its start.
func (s *Server) leaveOutUnknown(ctx context.Context) {
	unknown, err := s.Binary.Unknown(ctx, s.defaults)
	if err != nil {
		return
	}
	s.defaults = slices.DeleteFunc(s.defaults, func(o Option) bool { return slices.Contains(unknown, o.Name) })
	for _, name := range unknown {
		s.Notes = append(s.Notes, Note{"option-dropped", fmt.Sprintf("%s of %s is unknown to this server and was left out (if_known)", name, s.private.DefaultsFile)})
	}
}

func (s *Server) makeFolder(owner account) error {
	parent, err := s.private.parent()
	if err != nil {
		return err
	}
	s.folder, err = newFolder(parent, owner)
	return err
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

// Folder is the private folder; Datadir lies in it.
func (s *Server) Folder() string  { return s.folder.path }
func (s *Server) Datadir() string { return s.folder.file("data") }

// ClientFile is an option file (mode 0600) with which the mysql client logs in.
func (s *Server) ClientFile() string { return s.folder.file("client.cnf") }

// Options are the options that the server was started with, in the order of
// its my.cnf; the last one of a name counts.
func (s *Server) Options() []Option { return s.effectiveOptions() }
