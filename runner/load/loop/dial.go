package loop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// errNoTask is returned by what would have to wait, but was not called by a task of the loop.
var errNoTask = errors.New("would have to wait outside of the loop's tasks")

// firstRetry and lastRetry bound the pauses between attempts at a socket file whose listen queue is
// full.
const (
	firstRetry = time.Millisecond
	lastRetry  = 20 * time.Millisecond
)

// Address is a resolved place to connect to, so that dialling does no look-ups.
type Address struct {
	net.Addr
	family   int
	sockaddr func() unix.Sockaddr // a new one for each call: connecting writes into it
}

// Resolve looks an address up: network "unix" with a path, or "tcp", "tcp4", "tcp6" with host:port.
// It may wait for the name service and so belongs before the loop.
func Resolve(ctx context.Context, network, address string) (*Address, error) {
	if network == "unix" {
		return &Address{&net.UnixAddr{Net: network, Name: address}, unix.AF_UNIX,
			func() unix.Sockaddr { return &unix.SockaddrUnix{Name: address} }}, nil
	}
	host, portName, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, network, portName)
	if err != nil {
		return nil, err
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip"+network[len("tcp"):], host)
	if err != nil {
		return nil, err
	}
	if len(ips) == 0 {
		return nil, fmt.Errorf("%s has no address", host)
	}
	ip := ips[0].Unmap()
	addr := &net.TCPAddr{IP: ip.AsSlice(), Port: port, Zone: ip.Zone()}
	if ip.Is4() {
		return &Address{addr, unix.AF_INET, func() unix.Sockaddr { return &unix.SockaddrInet4{Port: port, Addr: ip.As4()} }}, nil
	}
	zone := 0
	if nic, err := net.InterfaceByName(ip.Zone()); err == nil {
		zone = nic.Index
	}
	return &Address{addr, unix.AF_INET6,
		func() unix.Sockaddr { return &unix.SockaddrInet6{Port: port, Addr: ip.As16(), ZoneId: uint32(zone)} }}, nil
}

// Dial connects the current task to addr, until limit (the zero time: for ever). Only a full listen
// queue of a socket file is retried: retries says how often.
func (l *Loop) Dial(limit time.Time, addr *Address) (conn *Conn, retries int, err error) {
	if l.cur == nil {
		return nil, 0, dialError(addr, errNoTask)
	}
	fd, err := unix.Socket(addr.family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, 0, dialError(addr, os.NewSyscallError("socket", err))
	}
	if addr.family != unix.AF_UNIX {
		// As net does it: no waiting for more to send, and notice of a peer that has gone without a
		// word.
		unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
	}
	l.serial++
	c := &Conn{loop: l, fd: fd, serial: l.serial, local: &net.UnixAddr{Net: "unix"}, remote: addr.Addr}
	for len(l.conns) <= fd {
		l.conns = append(l.conns, make([]*Conn, 256)...)
	}
	l.conns[fd] = c
	if retries, err = c.connect(l.at(limit), addr); err != nil {
		c.Close()
		return nil, retries, dialError(addr, err)
	}
	if addr.family != unix.AF_UNIX {
		if name, err := unix.Getsockname(fd); err == nil {
			c.local = tcpAddr(name)
		}
	}
	return c, retries, nil
}

// connect carries out connect(2) for a descriptor that does not block.
func (c *Conn) connect(limit time.Duration, addr *Address) (retries int, err error) {
	err = unix.Connect(c.fd, addr.sockaddr())
	for pause := firstRetry; err == unix.EAGAIN; pause = min(2*pause, lastRetry) {
		// No event tells when a socket file's listen queue has room again.
		if limit > 0 && c.loop.Now() > limit {
			return retries, fmt.Errorf("listen queue full: %w", os.ErrDeadlineExceeded)
		}
		if err := c.loop.cur.SleepUntil(time.Now().Add(pause)); err != nil {
			return retries, err
		}
		retries++
		err = unix.Connect(c.fd, addr.sockaddr())
	}
	switch err {
	case nil:
		return retries, c.loop.poller.attach(c)
	case unix.EINPROGRESS, unix.EINTR:
		return retries, c.finishConnect(limit)
	}
	return retries, os.NewSyscallError("connect", err)
}

// finishConnect waits for the outcome of a connect under way.
func (c *Conn) finishConnect(limit time.Duration) error {
	if err := c.loop.poller.waitWritable(c, limit); err != nil {
		return err
	}
	if code, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR); err != nil {
		return os.NewSyscallError("getsockopt", err)
	} else if code != 0 {
		return os.NewSyscallError("connect", unix.Errno(code))
	}
	return c.loop.poller.attach(c)
}

func dialError(addr *Address, cause error) error {
	return &net.OpError{Op: "dial", Net: addr.Network(), Addr: addr.Addr, Err: cause}
}

func tcpAddr(name unix.Sockaddr) net.Addr {
	switch a := name.(type) {
	case *unix.SockaddrInet4:
		return &net.TCPAddr{IP: a.Addr[:], Port: a.Port}
	case *unix.SockaddrInet6:
		return &net.TCPAddr{IP: a.Addr[:], Port: a.Port}
	}
	return &net.TCPAddr{}
}
