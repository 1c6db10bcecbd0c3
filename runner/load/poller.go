package load

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/plan"
)

// ChoosePoller returns the poller of the event loops for all trials of a plan, "" where it has
// none, and why: a switch in the middle of a sweep would put a kink into its curve. With auto,
// io_uring is taken wherever the process may use it: with 1, 8, 64 and 400 threads it was at least
// as fast as epoll and cost less CPU (bench/RESULTS.md). It is an error when the plan demands
// io_uring in vain.
func ChoosePoller(p *plan.Plan) (poller loop.Poller, reason string, err error) {
	switch {
	case p.LoadGen == "goroutine":
		return "", "", nil
	case p.Poller == "uring":
		return loop.Uring, "chosen by --poller", CheckPoller(p.Poller)
	case p.Poller == "epoll":
		return loop.Epoll, "chosen by --poller", nil
	}
	if err := loop.ProbeUring(); err != nil {
		return loop.Epoll, fmt.Sprintf("io_uring is not available: %v", err), nil
	}
	return loop.Uring, "io_uring is available", nil
}

// CheckPoller returns why this process cannot use a poller, nil when it can.
func CheckPoller(poller string) error {
	if poller != string(loop.Uring) {
		return nil
	}
	if err := loop.ProbeUring(); err != nil {
		return fmt.Errorf("io_uring is not available (%w): it needs Linux 6.1 or newer, kernel.io_uring_disabled=0"+
			" and a container that allows it; --poller auto takes epoll instead", err)
	}
	return nil
}
