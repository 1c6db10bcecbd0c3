package load

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/plan"
)

// ChoosePoller returns the poller of the event loops of all trials of a plan. A switch in the middle
// of a sweep would put a kink into its curve. It is an error when the plan asks for io_uring and
// this process may not use it.
func ChoosePoller(p *plan.Plan) (loop.Poller, error) {
	if p.LoadGen == "goroutine" {
		return "", nil
	}
	switch p.Poller {
	case "uring":
		if err := loop.ProbeUring(); err != nil {
			return "", fmt.Errorf("--poller uring: this process cannot use io_uring (%w): it needs Linux 6.1 or newer,"+
				" kernel.io_uring_disabled=0 and a container that allows it; leave the choice to --poller auto", err)
		}
		return loop.Uring, nil
	case "auto":
		if loop.ProbeUring() == nil {
			return loop.Uring, nil
		}
	}
	return loop.Epoll, nil
}
