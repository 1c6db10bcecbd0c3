package command

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/mysweep/mysweep/charts"
)

// exitPipe is the status of a program whose reader has gone, as of any other
// program in a shell's pipe.
const exitPipe = exitSignals + int(syscall.SIGPIPE)

// stdout is standard output that remembers that it could not be written, so
// that a full disk is not taken for a good end. To a terminal it shows control
// characters instead of passing them on.
type stdout struct {
	to       io.Writer
	terminal bool
	err      error // the first
}

func (o *stdout) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	text := b
	if o.terminal {
		text = []byte(charts.Plain(string(b)))
	}
	if _, err := o.to.Write(text); err != nil {
		o.err = fmt.Errorf("standard output: %w", cause(err))
		return 0, o.err
	}
	return len(b), nil
}

// fault is what is left to say of standard output when a command has ended
// with err: nothing when err says it already.
func (o *stdout) fault(err error) error {
	switch {
	case o.err == nil:
		return err
	case errors.Is(o.err, syscall.EPIPE) && (err == nil || errors.Is(err, o.err)):
		return &exit{exitPipe, nil}
	case errors.Is(o.err, syscall.EPIPE), errors.Is(err, o.err):
		return err
	case err == nil:
		return o.err
	}
	var e *exit
	if errors.As(err, &e) && e.cause == nil { // what was printed would have told why
		return &exit{e.status, o.err}
	}
	return errors.Join(err, o.err)
}
