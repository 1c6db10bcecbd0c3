package loop

import (
	"io"
	"net"

	"golang.org/x/sys/unix"
)

// ringConn is what uring keeps of a connection.
type ringConn struct {
	received  []chunk // not yet read, oldest first
	attached  bool
	receiving bool // the kernel receives
	hungUp    bool // the peer sends no more than what is on its way
	direct    bool // it hung up, and what is left is read by system calls
	ended     bool // all has been received
	fault     unix.Errno

	out     []byte // written, and not known to be sent
	sending bool   // out is queued, or its completion has not been seen, or it is blocked
	sendAt  uint32 // the position of its entry in the submission queue
	blocked bool   // the socket's buffer is full: out is sent again when there is room
}

// chunk is a part of a buffer that is still to be read.
type chunk struct {
	id   uint16
	from int
	to   int
}

// attach has the kernel receive from now on. The hang-up of the peer is watched separately: when it
// comes together with the last bytes, the receive of a socket file was seen to deliver the bytes
// and then to wait for ever (Linux 6.18).
func (u *uring) attach(c *Conn) error {
	c.ring.attached = true
	u.conns++
	u.receive(c)
	u.poll(c, forHangUp, unix.POLLRDHUP)
	return nil
}

func (u *uring) receive(c *Conn) {
	entry, _ := u.ring.next()
	entry.opcode, entry.flags, entry.ioprio = opRecv, sqeBufferSelect, recvMultishot|recvPollFirst
	entry.fd, entry.userData = int32(c.fd), userData(forReceive, c)
	c.ring.receiving = true
}

// onHangUp ends the receive, whose last completion comes after all that was received before.
func (u *uring) onHangUp(c *Conn) {
	if c == nil || c.ring.ended {
		return
	}
	r := &c.ring
	r.hungUp = true
	if !r.receiving {
		r.direct = true
		c.resumeReader()
		return
	}
	entry, _ := u.ring.next()
	entry.opcode, entry.flags, entry.addr = opAsyncCancel, sqeSkipSuccess, userData(forReceive, c)
	entry.userData = uint64(forClose) << 56
}

// onReceive takes what the kernel has received for c, which is nil when it was closed meanwhile.
func (u *uring) onReceive(c *Conn, e *cqe) {
	if e.flags&cqeHasBuffer != 0 {
		id := uint16(e.flags >> cqeBufferShift)
		u.buffers.taken()
		if c == nil || e.result <= 0 {
			u.buffers.giveBack(id)
		} else {
			c.ring.received = append(c.ring.received, chunk{id: id, to: int(e.result)})
		}
	}
	if c == nil {
		return
	}
	r := &c.ring
	errno := unix.Errno(max(0, -e.result))
	switch {
	case e.result == 0:
		r.ended = true
	case errno != 0 && errno != unix.ENOBUFS && errno != unix.EINTR && errno != unix.EAGAIN && errno != unix.ECANCELED:
		r.ended = true
		r.fail(errno)
	}
	if e.flags&cqeMore == 0 {
		r.receiving = false
		switch {
		case r.ended:
		case r.hungUp:
			r.direct = true
		default:
			u.rearm = append(u.rearm, c)
		}
	}
	if len(r.received) > 0 || r.ended || r.direct {
		c.resumeReader()
	}
}

// fail keeps the first fault of a connection.
func (r *ringConn) fail(errno unix.Errno) {
	if r.fault == 0 {
		r.fault = errno
	}
}

func (u *uring) read(c *Conn, p []byte) (int, error) {
	r := &c.ring
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case len(r.received) > 0:
			return u.copyReceived(r, p), nil
		case r.fault != 0:
			return 0, r.fault
		case r.ended:
			return 0, io.EOF
		case r.direct:
			return u.readDirect(c, p)
		}
		if err := c.parkReader(); err != nil {
			return 0, err
		}
	}
}

// readDirect reads what a peer that hung up has left.
func (u *uring) readDirect(c *Conn, p []byte) (int, error) {
	for {
		switch n, errno := recv(c.fd, p); errno {
		case 0:
			if n == 0 {
				return 0, io.EOF
			}
			return n, nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

// copyReceived fills p with what has been received and gives read buffers back.
func (u *uring) copyReceived(r *ringConn, p []byte) (n int) {
	done := 0
	for i := range r.received {
		part := &r.received[i]
		k := copy(p[n:], u.buffers.received(part.id, part.to)[part.from:])
		n += k
		if part.from += k; part.from < part.to {
			break
		}
		u.buffers.giveBack(part.id)
		done++
	}
	r.received = r.received[:copy(r.received, r.received[done:])]
	return n
}
