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
	if s.private.listens() && s.port == 0 {
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
	// 0 when the process has ended already: waiting for it reports that.
	s.folder.record.StartTime, _ = startTime(pid)
	return s.folder.writeRecord()
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
		s.Target.Endpoint = s.endpoint() // the server may have made its RSA key meanwhile
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
	key := filepath.Join(s.Datadir(), publicKeyFile)
	if _, err := os.Stat(key); err == nil && s.private.TCP { // MariaDB has none
		e.PublicKey = key
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
			return fmt.Errorf("private server: max_connections is %d, but %d are needed: raise the limit of open files (ulimit -n)", got, want)
		}
	}
	return nil
}

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
