package loop

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// recv and send never wait (the descriptors do not block), so the Go scheduler need not know of
// them.

func recv(fd int, p []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)), 0, 0, 0)
	return int(n), errno
}

func send(fd int, p []byte) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)), unix.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}

// pollNow returns the events that are there.
func pollNow(epoll int, events []unix.EpollEvent) (int, unix.Errno) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), 0, 0, 0)
	return count(n, errno), errno
}

// pollWait sleeps until there are events, at most for timeout (negative: for ever), with the
// precision of the kernel's timers: epoll_pwait2 of Linux 5.11, before that ppoll on the epoll
// descriptor.
//
// The Go scheduler is not told of the sleep: leaving and entering its books costs an eighth of a
// query's CPU and lets other threads take the P away. A garbage collection that wants this thread
// sends it a signal, which ends the call with EINTR.
func pollWait(epoll int, events []unix.EpollEvent, timeout time.Duration) (int, unix.Errno) {
	var limit *unix.Timespec
	if timeout >= 0 {
		spec := unix.NsecToTimespec(int64(timeout))
		limit = &spec
	}
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(epoll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), uintptr(unsafe.Pointer(limit)), 0, 0)
	if errno != unix.ENOSYS {
		return count(n, errno), errno
	}
	watched := []unix.PollFd{{Fd: int32(epoll), Events: unix.POLLIN}}
	if _, err := unix.Ppoll(watched, limit, nil); err != nil {
		return 0, err.(unix.Errno)
	}
	return pollNow(epoll, events)
}

// newHeartbeat makes a descriptor that is readable once in every period; edge-triggered, it need
// not be read.
func newHeartbeat(period time.Duration) (int, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return -1, os.NewSyscallError("timerfd_create", err)
	}
	spec := unix.NsecToTimespec(int64(period))
	if err := unix.TimerfdSettime(fd, 0, &unix.ItimerSpec{Interval: spec, Value: spec}, nil); err != nil {
		unix.Close(fd)
		return -1, os.NewSyscallError("timerfd_settime", err)
	}
	return fd, nil
}

func count(n uintptr, errno unix.Errno) int {
	if errno != 0 {
		return 0
	}
	return int(n)
}
