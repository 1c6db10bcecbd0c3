package loop

import (
	"errors"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// epoll is the poller of system calls: send(2), recv(2), and epoll(7) for the waits.
type epoll struct {
	loop   *Loop
	fd     int
	beatFD int // a timerfd: readable once in every heartbeat
	events []unix.EpollEvent
	n      int // how many of events were gathered
}

func newEpoll(l *Loop) (poller, error) {
	e := &epoll{loop: l, fd: -1, beatFD: -1, events: make([]unix.EpollEvent, 256)}
	if err := e.open(); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *epoll) open() (err error) {
	if e.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	if e.beatFD, err = newHeartbeat(heartbeat); err != nil {
		return err
	}
	for fd, events := range map[int]uint32{e.loop.wakeFD: unix.EPOLLIN, e.beatFD: unix.EPOLLIN | unix.EPOLLET} {
		event := unix.EpollEvent{Events: events, Fd: int32(fd)}
		if err := unix.EpollCtl(e.fd, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
			return os.NewSyscallError("epoll_ctl", err)
		}
	}
	return nil
}

func (e *epoll) begin() error { return nil }

func (e *epoll) end() {}

func (e *epoll) close() error {
	var errs []error
	for _, fd := range []int{e.fd, e.beatFD} {
		if fd >= 0 {
			errs = append(errs, unix.Close(fd))
		}
	}
	return errors.Join(errs...)
}

func (e *epoll) look() (int, unix.Errno) {
	n, errno := pollNow(e.fd, e.events)
	e.n = n
	return n, errno
}

func (e *epoll) wait(timeout time.Duration) (int, unix.Errno) {
	n, errno := pollWait(e.fd, e.events, timeout)
	e.n = n
	return n, errno
}

func (e *epoll) dispatch() {
	l := e.loop
	for i := range e.events[:e.n] {
		event := &e.events[i]
		fd := int(event.Fd)
		switch fd {
		case l.wakeFD:
			l.runPosted()
			continue
		case e.beatFD:
			continue
		}
		if c := l.conn(fd, uint32(event.Pad)); c != nil {
			l.meter.handed(l)
			c.event(event.Events)
		}
	}
	e.n = 0
}

// event records what epoll reports and resumes the task that waits for it.
func (c *Conn) event(flags uint32) {
	const gone = unix.EPOLLHUP | unix.EPOLLERR | unix.EPOLLRDHUP
	if flags&gone != 0 {
		c.hungUp = true
	}
	if flags&(unix.EPOLLIN|gone) != 0 {
		c.readable = true
		if c.resumeReader() {
			return
		}
	}
	if flags&(unix.EPOLLOUT|unix.EPOLLHUP|unix.EPOLLERR) != 0 {
		c.writable = true
		c.resumeWriter()
	}
}

func (e *epoll) attach(c *Conn) error {
	c.readable, c.hungUp = false, false // a socket that is not connected yet counts as hung up
	return e.watch(c, 0)
}

// waitWritable asks for writability, which is otherwise not watched: on a socket file every answer
// would bring one more wake-up.
func (e *epoll) waitWritable(c *Conn, limit time.Duration) error {
	c.writable = false
	if err := e.watch(c, unix.EPOLLOUT); err != nil {
		return err
	}
	if err := c.parkWriter(limit); err != nil {
		return err
	}
	return e.watch(c, 0)
}

// watch tells epoll what to report, edge-triggered.
func (e *epoll) watch(c *Conn, more uint32) error {
	operation := unix.EPOLL_CTL_MOD
	if !c.watched {
		operation, c.watched = unix.EPOLL_CTL_ADD, true
	}
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET | more, Fd: int32(c.fd), Pad: int32(c.serial)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(e.fd, operation, c.fd, &event))
}

func (e *epoll) read(c *Conn, p []byte) (int, error) {
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case !c.readable:
			if err := c.parkReader(); err != nil {
				return 0, err
			}
			continue
		}
		n, errno := recv(c.fd, p)
		switch {
		case errno == unix.EINTR:
		case errno == unix.EAGAIN:
			c.readable = false
		case errno != 0:
			return 0, errno
		case n == 0:
			return 0, io.EOF
		default:
			c.readable = c.hungUp || n == len(p)
			return n, nil
		}
	}
}

func (e *epoll) write(c *Conn, p []byte) (int, error) { return c.sendAll(p) }

func (e *epoll) closeConn(c *Conn) error { return unix.Close(c.fd) }
