package loop

import (
	"time"

	"golang.org/x/sys/unix"
)

// Poller names the kernel interface over which a loop sends, receives and waits.
type Poller string

const (
	// Epoll sends and receives by system calls of their own and waits in epoll(7).
	Epoll Poller = "epoll"
	// Uring hands all sends of a turn to io_uring(7) in the call that waits for the next answers.
	Uring Poller = "uring"
)

// poller moves bytes between tasks and sockets. Its methods belong to the loop's thread; close may
// also be called elsewhere once Run has returned.
type poller interface {
	// begin is called when the loop's thread is known; end when the last task has ended.
	begin() error
	end()
	// look gathers the events that have happened; wait also sleeps for the first one, at most for
	// timeout (negative: for ever). Both return how many there are.
	look() (int, unix.Errno)
	wait(timeout time.Duration) (int, unix.Errno)
	// dispatch hands the gathered events to their connections, which resumes tasks.
	dispatch()
	// attach starts to receive on a connection that is established.
	attach(c *Conn) error
	// waitWritable parks the current task until c is writable or established, or until limit.
	waitWritable(c *Conn, limit time.Duration) error
	read(c *Conn, p []byte) (int, error)
	write(c *Conn, p []byte) (int, error)
	// closeConn closes the descriptor after what was written before.
	closeConn(c *Conn) error
	close() error
}

// newPoller makes the poller of a loop. The zero name is Epoll.
func newPoller(l *Loop, name Poller) (poller, error) {
	if name == Uring {
		return newUring(l)
	}
	return newEpoll(l)
}
