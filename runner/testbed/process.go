package testbed

import (
	"context"
	"fmt"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// findProcess finds the process of an existing server on this machine. Why it
// is unknown is a note of the case.
func (b *Bed) findProcess(ctx context.Context, c *result.Case) {
	if b.process = (server.Running{}); b.private != nil || !b.shared {
		return
	}
	process, err := b.target.Process(ctx)
	if err != nil {
		c.Notes = append(c.Notes, result.Note{Code: "server-process-unknown", Text: fmt.Sprintf(
			"the CPU use of the server of case %s is unknown: %v", b.Name, err)})
	}
	b.process = process
}

// processAgain finds the process again when the one that was known has ended: the
// server was restarted.
func (b *Bed) processAgain(ctx context.Context) {
	if b.process.PID == 0 || b.process.Alive() {
		return
	}
	b.process, _ = b.target.Process(ctx) // unknown again: its CPU use is missing from the evidence
}

// serverPID is the process of the server, if it is known and on this machine.
func (b *Bed) serverPID() (int, error) {
	switch {
	case b.private != nil:
		return b.private.PID(), nil
	case !b.shared:
		return 0, fmt.Errorf("%w: the server runs on another machine", server.ErrNoTrace)
	case b.process.PID == 0:
		return 0, fmt.Errorf("%w: the server's process is unknown", server.ErrNoTrace)
	}
	return b.process.PID, nil
}
