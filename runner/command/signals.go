package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// impatience is how long after a first signal a SIGINT means that somebody does not want to wait.
// What comes sooner is one event told twice: GNU timeout signals its child and then the whole
// group.
const impatience = time.Second

// cleanupTime is how long an impatient user waits for servers to be left as they were.
const cleanupTime = time.Minute

// signals ends a context at the first SIGINT, SIGTERM or SIGHUP; the archive is then completed. A
// later SIGINT ends the process as soon as no server holds anything of ours, after cleanupTime in
// any case.
type signals struct {
	stderr io.Writer
	exit   func(status int)

	first   atomic.Pointer[os.Signal]
	servers sync.Mutex // locked while a run holds servers
	arrived chan os.Signal
	cancel  context.CancelCauseFunc
}

// catchSignals catches the signals that this process does not ignore: nohup, and shells for
// commands in the background, have some ignored, and that stays so.
func catchSignals(parent context.Context, stderr io.Writer) (context.Context, *signals) {
	ctx, cancel := context.WithCancelCause(parent)
	s := &signals{stderr: stderr, exit: os.Exit, arrived: make(chan os.Signal, 8), cancel: cancel}
	for _, caught := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(caught) {
			signal.Notify(s.arrived, caught)
		}
	}
	// A reader that has gone (mysweep run | head) must not end a run half way,
	// with its server and tables left: writes fail instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go s.watch()
	return ctx, s
}

func (s *signals) watch() {
	first, ok := <-s.arrived
	if !ok {
		return
	}
	began := time.Now()
	s.first.Store(&first)
	s.cancel(fmt.Errorf("interrupted by %s", unix.SignalName(first.(syscall.Signal))))
	if first == os.Interrupt {
		fmt.Fprintln(s.stderr, "mysweep: interrupted: finishing the archive; press Ctrl-C again to stop at once")
	}
	for later := range s.arrived {
		if later == os.Interrupt && time.Since(began) >= impatience {
			s.leave(later.(syscall.Signal))
			return
		}
	}
}

// leave ends the process once servers are as they were.
func (s *signals) leave(why syscall.Signal) {
	free := make(chan struct{})
	go func() {
		s.servers.Lock()
		close(free)
	}()
	select {
	case <-free:
	case <-time.After(cleanupTime):
	}
	s.exit(exitSignals + int(why))
}

// holdServers says that servers are not as they were until the function that it returns is called.
func (s *signals) holdServers() (release func()) {
	s.servers.Lock()
	return s.servers.Unlock
}

// caught is the first signal, nil when none came.
func (s *signals) caught() os.Signal {
	if first := s.first.Load(); first != nil {
		return *first
	}
	return nil
}

func (s *signals) stop() {
	signal.Stop(s.arrived)
	close(s.arrived)
	s.cancel(nil)
}
