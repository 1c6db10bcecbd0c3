package loop

import (
	"io"
	"net"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxQueuedWrite is the largest write that is copied and submitted with the turn; larger ones are
// sent by system calls at once.
const maxQueuedWrite = 16 << 10

// spareBuffers is how many buffers the kernel has beside one for each connection.
const spareBuffers = 64

// uring is the poller over io_uring: the sends of a turn are submitted by the call that waits for
// the next answers, and the kernel receives into buffers of its choice as answers come (multishot
// receive), so that a query costs a fraction of one system call instead of three.
type uring struct {
	loop    *Loop
	ring    *ring
	buffers *buffers
	beatFD  int
	events  []cqe
	n       int     // how many of events were gathered
	conns   int     // connections that receive
	sends   int     // sends whose completion has not been gathered
	rearm   []*Conn // their receive has ended for want of buffers
	running bool
	// closing holds connections that were closed while the kernel was sending from their memory.
	closing map[*Conn]struct{}
}

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

// kind says what a completion is about; it is part of the entry's user data.
type kind uint64

const (
	forReceive kind = iota + 1
	forSend
	forPoll
	forHangUp
	forWakeFD
	forBeat
	forClose
)

// userData packs the kind, the serial of the connection and its descriptor (below 2^24).
func userData(k kind, c *Conn) uint64 {
	return uint64(k)<<56 | uint64(c.fd)<<32 | uint64(c.serial)
}

func kindOf(userData uint64) kind { return kind(userData >> 56) }

func newUring(l *Loop) (poller, error) {
	r, err := newRing()
	if err != nil {
		return nil, err
	}
	u := &uring{loop: l, ring: r, beatFD: -1, events: make([]cqe, 256), closing: map[*Conn]struct{}{}}
	if u.buffers, err = newBuffers(r); err == nil {
		u.beatFD, err = newHeartbeat(heartbeat)
	}
	if err != nil {
		u.close()
		return nil, err
	}
	return u, nil
}

// begin enables the ring on the loop's thread and watches the two descriptors that wake it.
func (u *uring) begin() error {
	if err := u.ring.enable(); err != nil {
		return err
	}
	u.running = true
	u.watch(u.loop.wakeFD, forWakeFD)
	u.watch(u.beatFD, forBeat)
	return nil
}

func (u *uring) watch(fd int, k kind) {
	entry, _ := u.ring.next()
	entry.opcode, entry.fd, entry.length, entry.opFlags = opPollAdd, int32(fd), pollMultishot, pollEvents(unix.POLLIN)
	entry.userData = uint64(k) << 56
}

// end submits what was written and closed last.
func (u *uring) end() {
	u.ring.submitAndWait(0, 0)
	u.running = false
}

func (u *uring) close() error {
	err := u.ring.close()
	if u.buffers != nil {
		u.buffers.close()
	}
	if u.beatFD >= 0 {
		unix.Close(u.beatFD)
	}
	return err
}

func (u *uring) look() (int, unix.Errno) { return u.gather(0, 0) }

func (u *uring) wait(timeout time.Duration) (int, unix.Errno) {
	if u.ring.ready() > 0 {
		return u.gather(0, 0)
	}
	// Sends complete as they are submitted. What ends the sleep is the first completion beside
	// theirs.
	return u.gather(uint32(u.sends)+1, timeout)
}

// gather submits what is queued, waits for want completions, and adds those that are there to the
// ones not yet dispatched. It counts those that are no sends.
func (u *uring) gather(want uint32, timeout time.Duration) (news int, errno unix.Errno) {
	u.buffers.provide(u.conns + spareBuffers)
	errno = u.ring.submitAndWait(want, timeout)
	if errno == unix.EBUSY || errno == unix.EAGAIN { // completions must be taken first
		errno = 0
	}
	taken := u.events[u.n:]
	taken = taken[:u.ring.take(taken)]
	for i := range taken {
		if kindOf(taken[i].userData) == forSend {
			u.sends--
		} else {
			news++
		}
	}
	u.n += len(taken)
	return news, errno
}

func (u *uring) dispatch() {
	for i := range u.events[:u.n] {
		u.completed(&u.events[i])
	}
	u.n = 0
	if len(u.rearm) > 0 && len(u.buffers.free) > 0 {
		list := u.rearm
		u.rearm = nil
		for _, c := range list {
			if !c.closed && !c.ring.direct {
				u.receive(c)
			}
		}
	}
}

func (u *uring) completed(e *cqe) {
	l := u.loop
	c := l.conn(int(e.userData>>32&(1<<24-1)), uint32(e.userData))
	switch kindOf(e.userData) {
	case forReceive:
		l.meter.handed(l)
		u.onReceive(c, e)
	case forSend:
		u.onSend(c, e)
	case forPoll:
		u.onWritable(c)
	case forHangUp:
		u.onHangUp(c)
	case forWakeFD:
		if e.flags&cqeMore == 0 {
			u.watch(l.wakeFD, forWakeFD)
		}
		l.runPosted()
	case forBeat:
		if e.flags&cqeMore == 0 {
			u.watch(u.beatFD, forBeat)
		}
	}
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

// waitWritable polls for writability once.
func (u *uring) waitWritable(c *Conn, limit time.Duration) error {
	if u.loop.cur == nil {
		return errNoTask
	}
	c.writable = false
	u.poll(c, forPoll, unix.POLLOUT)
	return c.parkWriter(limit)
}

// poll asks for one completion when events come, or an error or hang-up of both sides.
func (u *uring) poll(c *Conn, k kind, events uint32) {
	entry, _ := u.ring.next()
	entry.opcode, entry.fd, entry.opFlags = opPollAdd, int32(c.fd), pollEvents(events)
	entry.userData = userData(k, c)
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

// closeConn ends what the ring has under way for c and closes the descriptor, in this order and
// after what was written.
func (u *uring) closeConn(c *Conn) error {
	r := &c.ring
	for _, part := range r.received {
		u.buffers.giveBack(part.id)
	}
	r.received = nil
	if r.attached {
		u.conns--
	}
	if !u.running {
		// The ring still holds the socket: only shutdown tells the peer.
		unix.Shutdown(c.fd, unix.SHUT_RDWR)
		return unix.Close(c.fd)
	}
	if r.sending && !r.blocked {
		u.closing[c] = struct{}{}
	}
	entry, _ := u.ring.next()
	entry.opcode, entry.fd, entry.opFlags, entry.flags = opAsyncCancel, int32(c.fd), cancelFD|cancelAll, sqeSkipSuccess
	entry.userData = uint64(forClose) << 56
	entry, _ = u.ring.next()
	entry.opcode, entry.fd, entry.flags = opClose, int32(c.fd), sqeSkipSuccess
	entry.userData = uint64(forClose) << 56
	return nil
}

// forget lets go of a closed connection whose send has ended.
func (u *uring) forget(data uint64) {
	for c := range u.closing {
		if userData(forSend, c) == data {
			delete(u.closing, c)
		}
	}
}

// pollEvents is what an entry takes as poll32_events: 16-bit halves swapped on big-endian machines.
func pollEvents(events uint32) uint32 {
	if bigEndian {
		return events<<16 | events>>16
	}
	return events
}

// ProbeUring returns why this process cannot use the poller Uring, nil when it can. It makes a loop
// and lets it sleep once: a kernel or a filter of system calls may refuse any of the steps.
func ProbeUring() error {
	l, err := New(Config{Poller: Uring})
	if err != nil {
		return err
	}
	defer l.Close()
	l.Go(func(t *Task) { t.SleepUntil(time.Now().Add(time.Millisecond)) })
	return l.Run()
}
