package load

import (
	"errors"
	"net"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// errAborted is the root of every reason for which a trial is cut off.
var errAborted = errors.New("the trial was cut off")

// engine runs the threads of one burst.
type engine interface {
	// run gives every thread a place and calls work for each, all at once; it returns when all
	// calls have.
	run(threads int, work func(thread int, p place)) error
	// abort ends all waits, present and future, with a cause. It may be called at any time, by
	// anyone.
	abort(cause error)
	// clockStarts and clockStops are called when the burst's clock does.
	clockStarts()
	clockStops()
	// cost adds what the engine knows of its own work between the two.
	cost(c *result.ClientCost)
}

// place is where one thread runs: how it waits, and how it reaches the network. But for wake it is
// the thread's own.
type place interface {
	// shard numbers the group of threads that share tallies, from 0.
	shard() int
	// dial connects to the trial's target until limit; retries says how often the listen queue
	// refused.
	dial(limit time.Time) (conn net.Conn, retries int, err error)
	// wait waits for wake, which anyone may call. A wake that comes just before the wait is not
	// lost.
	wait() error
	wake()
	// sleepUntil waits for a point in time.
	sleepUntil(time.Time) error
}
