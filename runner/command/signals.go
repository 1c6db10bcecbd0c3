package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// withSignals ends the context at the first SIGINT, SIGTERM or SIGHUP; the
// archive is then completed. A second one ends the process at once, as if it
// had not been caught. caught tells which came.
func withSignals(parent context.Context) (ctx context.Context, caught func() os.Signal, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	arrived := make(chan os.Signal, 2)
	signal.Notify(arrived, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that has gone (mysweep run | head) must not end a run half way,
	// with its server and tables left: writes fail instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	var first atomic.Pointer[os.Signal]
	go func() {
		s, ok := <-arrived
		if !ok {
			return
		}
		first.Store(&s)
		cancel(fmt.Errorf("interrupted by %s", unix.SignalName(s.(syscall.Signal))))
		if s, ok = <-arrived; ok {
			os.Exit(exitSignals + int(s.(syscall.Signal)))
		}
	}()
	caught = func() os.Signal {
		if s := first.Load(); s != nil {
			return *s
		}
		return nil
	}
	stop = func() {
		signal.Stop(arrived)
		close(arrived)
		cancel(nil)
	}
	return ctx, caught, stop
}
