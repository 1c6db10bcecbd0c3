package loop

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The names and numbers of linux/io_uring.h that the loop needs.
const (
	ringSetupCQSize       = 1 << 3
	ringSetupDisabled     = 1 << 6
	ringSetupSubmitAll    = 1 << 7
	ringSetupSingleIssuer = 1 << 12
	ringSetupDeferTaskrun = 1 << 13

	ringEnterGetEvents = 1 << 0
	ringEnterExtArg    = 1 << 3

	ringOffSQEs = 0x10000000

	ringRegisterEnable     = 12
	ringRegisterBufferRing = 22

	opPollAdd     = 6
	opAsyncCancel = 14
	opClose       = 19
	opSend        = 26
	opRecv        = 27

	sqeBufferSelect = 1 << 5
	sqeSkipSuccess  = 1 << 6

	pollMultishot = 1 << 0
	recvPollFirst = 1 << 0
	recvMultishot = 1 << 1
	cancelAll     = 1 << 0
	cancelFD      = 1 << 1

	cqeHasBuffer   = 1 << 0
	cqeMore        = 1 << 1
	cqeBufferShift = 16
)

// sqEntries and cqEntries are the sizes of a ring's queues. A full submission queue is submitted in
// the middle of a turn; what finds no place in the completion queue waits in the kernel.
const (
	sqEntries = 256
	cqEntries = 4096
)

// sqe is struct io_uring_sqe, cqe is struct io_uring_cqe.
type sqe struct {
	opcode, flags uint8
	ioprio        uint16
	fd            int32
	offset        uint64
	addr          uint64
	length        uint32
	opFlags       uint32 // msg_flags, poll32_events or cancel_flags
	userData      uint64
	bufferGroup   uint16
	_             [22]byte
}

type cqe struct {
	userData uint64
	result   int32
	flags    uint32
}

// ringParams is struct io_uring_params.
type ringParams struct {
	sqEntries, cqEntries, flags, sqThreadCPU, sqThreadIdle, features, wqFD uint32
	_                                                                      [3]uint32
	sq                                                                     struct {
		head, tail, ringMask, ringEntries, flags, dropped, array, _ uint32
		_                                                           uint64
	}
	cq struct {
		head, tail, ringMask, ringEntries, overflow, cqes, flags, _ uint32
		_                                                           uint64
	}
}

// enterArg is struct io_uring_getevents_arg.
type enterArg struct {
	sigmask     uint64
	sigmaskSize uint32
	_           uint32
	timespec    uint64
}

// ring is one io_uring: a submission queue that only the loop's thread fills and a completion queue
// that only it empties. The kernel works on both while it holds the thread in enter; in between,
// only its own indices (the submission queue's head, the completion queue's tail) move. They are
// read and ours are written with the ordering of sync/atomic, which is stronger than the
// acquire and release that io_uring(7) asks for.
type ring struct {
	fd        int
	memory    []byte // both queues' indices and the completion queue
	sqeMemory []byte
	sqHead    *uint32
	sqTail    *uint32
	cqHead    *uint32
	cqTail    *uint32
	sqMask    uint32
	cqMask    uint32
	sqes      []sqe
	cqes      []cqe
	tail      uint32 // of the submission queue, not yet shown to the kernel
	submitted uint32 // the tail up to which the kernel has taken entries

	arg     *enterArg // on the heap: the kernel is given its address
	timeout *unix.Timespec
}

// newRing makes a ring that is disabled until enable is called on the thread that will use it. It
// needs Linux 6.1; any refusal (kernel.io_uring_disabled, seccomp, limits) is an error.
func newRing() (*ring, error) {
	params := &ringParams{
		flags:     ringSetupCQSize | ringSetupDisabled | ringSetupSubmitAll | ringSetupSingleIssuer | ringSetupDeferTaskrun,
		cqEntries: cqEntries,
	}
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, sqEntries, uintptr(unsafe.Pointer(params)), 0)
	if errno != 0 {
		return nil, os.NewSyscallError("io_uring_setup", errno)
	}
	r := &ring{fd: int(fd), arg: new(enterArg), timeout: new(unix.Timespec)}
	if err := r.mapQueues(params); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// mapQueues maps the queues into memory. Since Linux 5.4 one mapping holds both.
func (r *ring) mapQueues(p *ringParams) (err error) {
	size := max(int(p.cq.cqes)+int(p.cqEntries)*int(unsafe.Sizeof(cqe{})), int(p.sq.array)+int(p.sqEntries)*4)
	if r.memory, err = unix.Mmap(r.fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return os.NewSyscallError("mmap of the ring", err)
	}
	size = int(p.sqEntries) * int(unsafe.Sizeof(sqe{}))
	if r.sqeMemory, err = unix.Mmap(r.fd, ringOffSQEs, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return os.NewSyscallError("mmap of the submission queue", err)
	}
	index := func(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.memory[offset])) }
	r.sqHead, r.sqTail, r.sqMask = index(p.sq.head), index(p.sq.tail), *index(p.sq.ringMask)
	r.cqHead, r.cqTail, r.cqMask = index(p.cq.head), index(p.cq.tail), *index(p.cq.ringMask)
	r.sqes = unsafe.Slice((*sqe)(unsafe.Pointer(&r.sqeMemory[0])), p.sqEntries)
	r.cqes = unsafe.Slice((*cqe)(unsafe.Pointer(&r.memory[p.cq.cqes])), p.cqEntries)
	// Entry i of the queue is always sqe i.
	for i, array := uint32(0), unsafe.Slice(index(p.sq.array), p.sqEntries); i < p.sqEntries; i++ {
		array[i] = i
	}
	return nil
}

// enable makes the calling thread the only one that may submit.
func (r *ring) enable() error { return r.register(ringRegisterEnable, nil, 0) }

func (r *ring) register(operation uintptr, what unsafe.Pointer, count uintptr) error {
	if _, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), operation, uintptr(what), count, 0, 0); errno != 0 {
		return os.NewSyscallError("io_uring_register", errno)
	}
	return nil
}

// close gives the ring back, which cancels what it has under way.
func (r *ring) close() error {
	var errs []error
	for _, memory := range [][]byte{r.sqeMemory, r.memory} {
		if memory != nil {
			errs = append(errs, unix.Munmap(memory))
		}
	}
	return errors.Join(append(errs, unix.Close(r.fd))...)
}

// next returns an empty entry of the submission queue and its position. A full queue is submitted
// first.
func (r *ring) next() (*sqe, uint32) {
	for r.tail-atomic.LoadUint32(r.sqHead) == uint32(len(r.sqes)) {
		r.enter(0, 0)
	}
	at := r.tail
	r.tail++
	entry := &r.sqes[at&r.sqMask]
	*entry = sqe{}
	return entry, at
}

// pending reports whether the kernel has yet to take the entry at a position.
func (r *ring) pending(at uint32) bool { return int32(at-r.submitted) >= 0 }

// submitAndWait submits what is queued and waits until at least want completions are there, at
// most for timeout (negative: for ever).
func (r *ring) submitAndWait(want uint32, timeout time.Duration) unix.Errno {
	if want == 0 {
		return r.enter(0, ringEnterGetEvents)
	}
	r.arg.timespec = 0
	if timeout >= 0 {
		*r.timeout = unix.NsecToTimespec(int64(timeout))
		r.arg.timespec = uint64(uintptr(unsafe.Pointer(r.timeout)))
	}
	errno := r.enter(want, ringEnterGetEvents|ringEnterExtArg)
	if errno == unix.ETIME {
		return 0
	}
	return errno
}

// enter is io_uring_enter(2). As with the other calls of the loop, the Go scheduler is not told.
func (r *ring) enter(want uint32, flags uintptr) unix.Errno {
	atomic.StoreUint32(r.sqTail, r.tail)
	var arg, size uintptr
	if flags&ringEnterExtArg != 0 {
		arg, size = uintptr(unsafe.Pointer(r.arg)), unsafe.Sizeof(*r.arg)
	}
	_, _, errno := unix.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(r.fd), uintptr(r.tail-r.submitted), uintptr(want), flags, arg, size)
	r.submitted = atomic.LoadUint32(r.sqHead)
	return errno
}

// ready returns how many completions can be taken.
func (r *ring) ready() uint32 { return atomic.LoadUint32(r.cqTail) - *r.cqHead }

// take moves completions into list and returns how many.
func (r *ring) take(list []cqe) int {
	head := *r.cqHead
	n := min(int(atomic.LoadUint32(r.cqTail)-head), len(list))
	for i := range n {
		list[i] = r.cqes[(head+uint32(i))&r.cqMask]
	}
	atomic.StoreUint32(r.cqHead, head+uint32(n))
	return n
}
