package loop

import (
	"time"

	"golang.org/x/sys/unix"
)

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
