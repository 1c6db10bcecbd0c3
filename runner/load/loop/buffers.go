package loop

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// bufferCount and bufferSize are what a loop can receive before its tasks have read. A size that is
// no power of two spreads the beginnings of the buffers over the sets of the CPU's caches.
const (
	bufferCount = 4096
	bufferSize  = 4096 + 64
)

// buffers are those that the kernel receives into: a provided buffer ring of io_uring. The kernel
// takes buffers in the order in which they were provided; only as many are in the ring as the
// connections need, and the last one given back is the next one provided, so that few are warm
// rather than many cold.
type buffers struct {
	ringMemory []byte
	entries    []bufferEntry
	memory     []byte
	free       []uint16
	provided   int    // how many the kernel has
	tail       uint16 // of the ring, not yet shown to the kernel
}

// bufferEntry is struct io_uring_buf. The last field of the first entry is the ring's tail.
type bufferEntry struct {
	addr   uint64
	length uint32
	id     uint16
	tail   uint16
}

// bufferRegistration is struct io_uring_buf_reg.
type bufferRegistration struct {
	addr    uint64
	entries uint32
	group   uint16
	flags   uint16
	_       [3]uint64
}

// newBuffers registers buffer group 0 of a ring.
func newBuffers(r *ring) (*buffers, error) {
	b := &buffers{}
	var err error
	if b.ringMemory, err = anonymous(bufferCount * int(unsafe.Sizeof(bufferEntry{}))); err == nil {
		b.memory, err = anonymous(bufferCount * bufferSize)
	}
	if err != nil {
		b.close()
		return nil, fmt.Errorf("memory for receiving: %w", err)
	}
	b.entries = unsafe.Slice((*bufferEntry)(unsafe.Pointer(&b.ringMemory[0])), bufferCount)
	for id := bufferCount - 1; id >= 0; id-- {
		b.free = append(b.free, uint16(id))
	}
	registration := &bufferRegistration{addr: uint64(uintptr(unsafe.Pointer(&b.ringMemory[0]))), entries: bufferCount}
	if err := r.register(ringRegisterBufferRing, unsafe.Pointer(registration), 1); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// anonymous returns zeroed memory that takes no room before it is written to.
func anonymous(size int) ([]byte, error) {
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	return memory, os.NewSyscallError("mmap", err)
}

// close gives the memory back. The ring must have been closed before.
func (b *buffers) close() {
	for _, memory := range [][]byte{b.ringMemory, b.memory} {
		if memory != nil {
			unix.Munmap(memory)
		}
	}
}

// provide gives the kernel buffers until it has want of them, as far as there are any.
func (b *buffers) provide(want int) {
	n := min(want-b.provided, len(b.free))
	if n <= 0 {
		return
	}
	for range n {
		id := b.free[len(b.free)-1]
		b.free = b.free[:len(b.free)-1]
		entry := &b.entries[b.tail%bufferCount]
		entry.addr = uint64(uintptr(unsafe.Pointer(&b.memory[int(id)*bufferSize])))
		entry.length = bufferSize
		entry.id = id
		b.tail++
	}
	b.provided += n
	// The tail must not be seen before the entries. sync/atomic knows no 16 bits, so the field
	// before it, which only we write, is written with it.
	first := &b.entries[0]
	word := uint32(first.id) | uint32(b.tail)<<16
	if bigEndian {
		word = uint32(first.id)<<16 | uint32(b.tail)
	}
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&first.id)), word)
}

// bigEndian tells how two 16-bit fields are laid out in a 32-bit word of this machine.
var bigEndian = *(*uint16)(unsafe.Pointer(&[2]byte{0, 1})) == 1

// received returns the first n bytes of a buffer that the kernel has filled.
func (b *buffers) received(id uint16, n int) []byte {
	return b.memory[int(id)*bufferSize:][:n:n]
}

// taken records that the kernel has used a buffer; giveBack makes it free again.
func (b *buffers) taken()             { b.provided-- }
func (b *buffers) giveBack(id uint16) { b.free = append(b.free, id) }
