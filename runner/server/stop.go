package server

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// How long each way of ending a server is waited for. A datadir that is removed
// anyway needs no clean end.
const (
	shutdownWait      = 3 * time.Second
	shutdownWaitClean = 2 * time.Minute
	terminateWait     = time.Second
)

// Stop ends the server, by SHUTDOWN, else SIGTERM, else SIGKILL, and removes what
// was made for it, unless the files are to be kept. It works after ctx of the
// start has ended and may be called twice.
func (s *Server) Stop() error {
	if s.private.KeepFiles {
		s.end(true)
		return s.folder.keep()
	}
	s.end(false)
	return s.discard()
}

// Restart ends the server cleanly, calls between (nil: nothing) while it is
// down, and starts it again on the same datadir, with other options when given.
func (s *Server) Restart(ctx context.Context, between func() error) error {
	s.end(true)
	if between != nil {
		if err := between(); err != nil {
			return err
		}
	}
	return s.launch(ctx)
}

// Pause ends the server cleanly and keeps its datadir, for Resume or Stop.
func (s *Server) Pause() { s.end(true) }

// Resume starts a paused server again on its datadir.
func (s *Server) Resume(ctx context.Context) error { return s.launch(ctx) }

// SetOptions replaces the options of the next Restart.
func (s *Server) SetOptions(options []Option) error {
	changed := s.private
	changed.Options = options
	if err := changed.Validate(); err != nil {
		return err
	}
	s.private = changed
	return nil
}

// end stops the process. A clean end writes all changed pages to the datadir.
func (s *Server) end(clean bool) {
	if s.process == nil {
		return
	}
	wait := shutdownWait
	if clean {
		wait = shutdownWaitClean
	}
	if !s.process.ended() {
		s.shutdown(clean)
		if !s.process.wait(wait) {
			s.process.terminate(terminateWait)
		}
	}
	s.Target.Close()
}

// shutdown asks by SQL. Its errors do not matter: the signals follow.
func (s *Server) shutdown(clean bool) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownWait)
	defer cancel()
	if s.Target.observer == nil {
		return
	}
	if !clean {
		s.Target.observer.ExecContext(ctx, "SET GLOBAL innodb_fast_shutdown=2")
	}
	s.Target.observer.ExecContext(ctx, "SHUTDOWN")
}

// discard removes the folder of a server that does not run any more.
func (s *Server) discard() error {
	if s.process != nil {
		s.process.kill()
	}
	if err := s.folder.remove(); err != nil {
		return fmt.Errorf("private folder %s: could not be removed: %w", s.folder.path, err)
	}
	return nil
}

// DropCache takes the files of the datadir out of the kernel's page cache, and
// nothing else, so that the rest of the machine is not disturbed. The server
// must be down: give it to Restart.
func (s *Server) DropCache() error {
	return walkFiles(s.Datadir(), func(file *os.File) error {
		if err := file.Sync(); err != nil {
			return err
		}
		return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
}
