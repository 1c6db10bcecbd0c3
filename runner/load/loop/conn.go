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
//
// A Write may return before the bytes are sent: an error of the socket is then returned by the next
// Read or Write.
type Conn struct {
	loop          *Loop
	fd            int
	serial        uint32 // tells this connection from others that had the same descriptor
	watched       bool   // epoll knows the descriptor
	readable      bool   // as far as epoll has told; a read may still come back empty
	writable      bool
	hungUp        bool // the peer has closed: readable for ever, and no further event will say so
	closed        bool
	unparked      int // reads and writes since the last park
	reader        *Task
	writer        *Task
	readLimit     time.Duration // on the loop's clock, 0 = none
	writeLimit    time.Duration
	local, remote net.Addr
	ring          ringConn // what the poller of io_uring keeps of it
}

// Read waits until there is something to read, or the read deadline.
func (c *Conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := c.takeTurns(c.readLimit); err != nil {
		return 0, c.failure("read", err)
	}
	n, err := c.loop.poller.read(c, p)
	if err != nil && err != io.EOF {
		err = c.failure("read", err)
	}
	return n, err
}

// Write hands over all of p. It waits, at most until the write deadline, only when the socket's
// buffer is full.
func (c *Conn) Write(p []byte) (int, error) {
	if err := c.takeTurns(c.writeLimit); err != nil {
		return 0, c.failure("write", err)
	}
	n, err := c.loop.poller.write(c, p)
	if err != nil {
		err = c.failure("write", err)
	}
	return n, err
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

// parkReader parks the current task until the poller resumes it or the read deadline passes.
func (c *Conn) parkReader() error {
	if c.loop.cur == nil {
		return errNoTask
	}
	c.unparked = 0
	c.reader = c.loop.cur
	return c.reader.park(forRead, c.readLimit)
}

// parkWriter parks the current task until the connection is writable, at most until limit.
func (c *Conn) parkWriter(limit time.Duration) error {
	if c.loop.cur == nil {
		return errNoTask
	}
	c.unparked = 0
	c.writer = c.loop.cur
	for !c.writable {
		if err := c.writer.park(forWrite, limit); err != nil {
			return err
		}
		if c.closed {
			return net.ErrClosed
		}
	}
	return nil
}

// resumeReader resumes the task that waits in Read; it returns false when there is none.
func (c *Conn) resumeReader() bool {
	t := c.reader
	if t == nil || t.state != forRead {
		return false
	}
	c.loop.resume(t)
	return true
}

// resumeWriter resumes the task that waits in Write or for the connect.
func (c *Conn) resumeWriter() {
	if t := c.writer; t != nil && t.state == forWrite {
		c.loop.resume(t)
	}
}

// sendAll sends p by system calls and waits when the socket's buffer is full.
func (c *Conn) sendAll(p []byte) (int, error) {
	sent := 0
	for sent < len(p) {
		if c.closed {
			return sent, net.ErrClosed
		}
		n, errno := send(c.fd, p[sent:])
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			if err := c.loop.poller.waitWritable(c, c.writeLimit); err != nil {
				return sent, err
			}
		case errno != 0:
			return sent, errno
		default:
			sent += n
		}
	}
	return sent, nil
}

// Close closes the socket after what was written. A task that waits on it gets net.ErrClosed.
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
	if err := c.loop.poller.closeConn(c); err != nil {
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
