package loop

import (
	"net"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxQueuedWrite is the largest write that is copied and submitted with the turn; larger ones are
// sent by system calls at once.
const maxQueuedWrite = 16 << 10

// write queues small writes for the next submission: those of one turn make one request. Larger
// ones, and all outside of Run, are sent at once.
func (u *uring) write(c *Conn, p []byte) (int, error) {
	r := &c.ring
	if r.sending && !u.ring.pending(r.sendAt) {
		if err := u.waitSent(c); err != nil {
			return 0, err
		}
	}
	switch {
	case c.closed:
		return 0, net.ErrClosed
	case r.fault != 0:
		return 0, r.fault
	case u.loop.cur == nil || len(r.out)+len(p) > maxQueuedWrite:
		return u.writeAtOnce(c, p)
	}
	r.out = append(r.out, p...)
	if r.sending {
		entry := &u.ring.sqes[r.sendAt&u.ring.sqMask]
		entry.addr, entry.length = uint64(uintptr(unsafe.Pointer(&r.out[0]))), uint32(len(r.out))
		return len(p), nil
	}
	u.send(c)
	return len(p), nil
}

// writeAtOnce sends what is queued, and then p, by system calls.
func (u *uring) writeAtOnce(c *Conn, p []byte) (int, error) {
	if c.ring.sending {
		u.ring.enter(0, 0)
		if err := u.waitSent(c); err != nil {
			return 0, err
		}
	}
	return c.sendAll(p)
}

// waitSent parks the current task until the kernel has sent what was written before.
func (u *uring) waitSent(c *Conn) error {
	c.writable = false
	for c.ring.sending {
		if err := c.parkWriter(c.writeLimit); err != nil {
			return err
		}
		c.writable = false
	}
	return nil
}

// send queues c's out. It is not to wait in the kernel: a socket whose buffer is full is polled
// instead, so that every send has its completion when it is submitted.
func (u *uring) send(c *Conn) {
	r := &c.ring
	entry, at := u.ring.next()
	entry.opcode, entry.fd = opSend, int32(c.fd)
	entry.addr, entry.length = uint64(uintptr(unsafe.Pointer(&r.out[0]))), uint32(len(r.out))
	entry.opFlags = unix.MSG_NOSIGNAL | unix.MSG_DONTWAIT
	entry.userData = userData(forSend, c)
	r.sending, r.sendAt = true, at
	u.sends++
}

// onSend learns what became of a send of c, which is nil when it was closed meanwhile.
func (u *uring) onSend(c *Conn, e *cqe) {
	if c == nil {
		u.forget(e.userData)
		return
	}
	r := &c.ring
	n := int(e.result)
	switch errno := unix.Errno(max(0, -n)); {
	case n == len(r.out):
		r.out = r.out[:0]
	case n >= 0 || errno == unix.EAGAIN || errno == unix.EINTR:
		r.out = r.out[:copy(r.out, r.out[max(0, n):])]
		r.blocked = true
		u.poll(c, forPoll, unix.POLLOUT)
		return
	default:
		r.out = r.out[:0]
		r.fail(errno)
	}
	r.sending = false
	if r.fault != 0 && c.resumeReader() {
		return
	}
	c.writable = true
	c.resumeWriter()
}

// onWritable sends what was left over, or resumes the task that waits.
func (u *uring) onWritable(c *Conn) {
	switch {
	case c == nil:
	case c.ring.blocked:
		c.ring.blocked = false
		u.send(c)
	default:
		c.writable = true
		c.resumeWriter()
	}
}
