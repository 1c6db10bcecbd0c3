package loop

import (
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// maxUnparked is how many reads or writes in a row a task may do without parking, so that one long
// answer does not hold up the rest, nor last beyond its limit.
const maxUnparked = 64

// Conn is a net.Conn whose Read and Write park the calling task. It must be used by tasks of its
// own loop, one at a time for each direction; Close may also be called between tasks, on the loop's
// thread or after Run has returned.
type Conn struct {
	loop          *Loop
	fd            int
	serial        uint32 // tells this connection from others that had the same descriptor
	readable      bool   // as far as we know; a read may still come back empty
	writable      bool
	hungUp        bool // the peer has closed: readable for ever, and no further event will say so
	closed        bool
	unparked      int // reads and writes since the last park
	reader        *Task
	writer        *Task
	readLimit     time.Duration // on the loop's clock, 0 = none
	writeLimit    time.Duration
	local, remote net.Addr
}

// event takes note of what epoll says and resumes who waits for it.
func (c *Conn) event(flags uint32) {
	const gone = unix.EPOLLHUP | unix.EPOLLERR | unix.EPOLLRDHUP
	if flags&gone != 0 {
		c.hungUp = true
	}
	if flags&(unix.EPOLLIN|gone) != 0 {
		c.readable = true
		if t := c.reader; t != nil && t.state == forRead {
			c.loop.resume(t)
			return
		}
	}
	if flags&(unix.EPOLLOUT|unix.EPOLLHUP|unix.EPOLLERR) != 0 {
		c.writable = true
		if t := c.writer; t != nil && t.state == forWrite {
			c.loop.resume(t)
		}
	}
}

// Read waits until there is something to read, or the read deadline.
func (c *Conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if err := c.readiness(); err != nil {
			return 0, err
		}
		n, errno := recv(c.fd, p)
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			c.readable = false
		case errno != 0:
			return 0, c.failure("read", errno)
		case n == 0:
			return 0, io.EOF
		default:
			c.readable = c.hungUp || n == len(p)
			return n, nil
		}
	}
}

// readiness parks the current task until the connection is readable.
func (c *Conn) readiness() error {
	if err := c.takeTurns(c.readLimit); err != nil {
		return c.failure("read", err)
	}
	for {
		switch {
		case c.closed:
			return c.failure("read", net.ErrClosed)
		case c.readable:
			return nil
		case c.loop.cur == nil:
			return c.failure("read", errNoTask)
		}
		c.unparked = 0
		c.reader = c.loop.cur
		if err := c.reader.park(forRead, c.readLimit); err != nil {
			return c.failure("read", err)
		}
	}
}

// takeTurns lets the other tasks run, and looks at the time limit, once the current task has gone
// on for long.
func (c *Conn) takeTurns(limit time.Duration) error {
	if c.unparked++; c.unparked <= maxUnparked || c.loop.cur == nil {
		return nil
	}
	c.unparked = 0
	if limit > 0 && c.loop.Now() >= limit {
		return os.ErrDeadlineExceeded
	}
	return c.loop.cur.Yield()
}

// Write sends all of p. It waits, at most until the write deadline, only when the socket's buffer
// is full.
func (c *Conn) Write(p []byte) (int, error) {
	if err := c.takeTurns(c.writeLimit); err != nil {
		return 0, c.failure("write", err)
	}
	sent := 0
	for sent < len(p) {
		if c.closed {
			return sent, c.failure("write", net.ErrClosed)
		}
		n, errno := send(c.fd, p[sent:])
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			if err := c.waitWritable(c.writeLimit); err != nil {
				return sent, err
			}
		case errno != 0:
			return sent, c.failure("write", errno)
		default:
			sent += n
		}
	}
	return sent, nil
}

// waitWritable asks for writability, which is otherwise not watched: on a socket file every answer
// would bring one more wake-up.
func (c *Conn) waitWritable(limit time.Duration) error {
	if c.loop.cur == nil {
		return c.failure("write", errNoTask)
	}
	c.writable = false
	if err := c.watch(unix.EPOLL_CTL_MOD, unix.EPOLLOUT); err != nil {
		return c.failure("write", err)
	}
	c.writer = c.loop.cur
	for !c.writable {
		if err := c.writer.park(forWrite, limit); err != nil {
			return c.failure("write", err)
		}
		if c.closed {
			return c.failure("write", net.ErrClosed)
		}
	}
	if err := c.watch(unix.EPOLL_CTL_MOD, 0); err != nil {
		return c.failure("write", err)
	}
	return nil
}

// watch tells epoll what to report, edge-triggered.
func (c *Conn) watch(operation int, more uint32) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET | more, Fd: int32(c.fd), Pad: int32(c.serial)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(c.loop.epoll, operation, c.fd, &event))
}

// Close closes the socket at once. A task that waits on it gets net.ErrClosed.
func (c *Conn) Close() error {
	if c.closed {
		return c.failure("close", net.ErrClosed)
	}
	c.closed = true
	c.loop.conns[c.fd] = nil
	for _, t := range [2]*Task{c.reader, c.writer} {
		if t != nil && (t.state == forRead || t.state == forWrite) {
			t.makeReady()
		}
	}
	if err := unix.Close(c.fd); err != nil {
		return c.failure("close", err)
	}
	return nil
}

// SetDeadline, SetReadDeadline and SetWriteDeadline hold for waits that begin after the call; the
// zero time means no limit.
func (c *Conn) SetDeadline(t time.Time) error {
	c.readLimit = c.loop.at(t)
	c.writeLimit = c.readLimit
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.readLimit = c.loop.at(t)
	return nil
}

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.writeLimit = c.loop.at(t)
	return nil
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// failure dresses a cause as net does it, so that callers need not know which kind of connection
// they have.
func (c *Conn) failure(operation string, cause error) error {
	if errno, ok := cause.(unix.Errno); ok {
		cause = os.NewSyscallError(operation, errno)
	}
	return &net.OpError{Op: operation, Net: c.remote.Network(), Addr: c.remote, Err: cause}
}
