package hwinfo

import (
	"io/fs"
	"math/bits"
	"net"
	"os"
	"path"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// liveArchitecture is the architecture by uname(2), if the root is this machine.
func liveArchitecture(o Options) string {
	var u unix.Utsname
	if !o.Live || unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Machine[:])
}

// liveAffinity returns the CPUs that this process may run on.
func liveAffinity(o Options) ([]int, bool) {
	if !o.Live {
		return nil, false
	}
	var set [cpusMax / 64]uint64
	n, err := rawAffinity(set[:])
	if err != nil {
		return nil, false
	}
	var cpus []int
	for i, word := range set[:n/8] {
		for w := word; w != 0; w &= w - 1 {
			cpus = append(cpus, 64*i+bits.TrailingZeros64(w))
		}
	}
	return cpus, len(cpus) > 0
}

// rawAffinity takes a set of any size: that of package unix ends at 1,024 CPUs.
func rawAffinity(set []uint64) (bytes int, err error) {
	n, _, errno := unix.RawSyscall(unix.SYS_SCHED_GETAFFINITY, 0, uintptr(len(set)*8), uintptr(unsafe.Pointer(&set[0])))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

type driverInfo struct{ driver, firmware string }

// liveDriver asks the driver of an interface for its name, as ethtool -i does;
// virtual interfaces have one, too.
func liveDriver(o Options, name string) (driverInfo, bool) {
	if !o.Live {
		return driverInfo{}, false
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return driverInfo{}, false
	}
	defer unix.Close(fd)
	info, err := unix.IoctlGetEthtoolDrvinfo(fd, name)
	if err != nil {
		return driverInfo{}, false
	}
	d := driverInfo{clean(unix.ByteSliceToString(info.Driver[:])), clean(unix.ByteSliceToString(info.Fw_version[:]))}
	return d, d.driver != ""
}

// putSpace asks how large the data directory's file system is.
func putSpace(r *reader, dir string) {
	const source = "statfs(2)"
	keys := []string{"datadir.size_bytes", "datadir.free_bytes"}
	if r.opt.Live {
		for p := dir; ; p = path.Dir(p) {
			var s unix.Statfs_t
			if err := unix.Statfs(p, &s); err == nil && s.Bsize > 0 {
				r.put(keys[0], int64(s.Blocks)*int64(s.Bsize), source)
				r.put(keys[1], int64(s.Bavail)*int64(s.Bsize), source)
				return
			}
			if p == "/" {
				break
			}
		}
	}
	for _, k := range keys {
		r.absent(k, source)
	}
}

// putIPs lists the addresses of an interface; with Identify only.
func putIPs(r *reader, key, name string) {
	if !r.opt.Live {
		return
	}
	i, err := net.InterfaceByName(name)
	if err != nil {
		return
	}
	addresses, err := i.Addrs()
	if err != nil {
		return
	}
	var list []string
	for _, a := range addresses {
		list = append(list, a.String())
	}
	r.put(key+"ip_addresses", strings.Join(list, ";"), "rtnetlink(7)")
}

// liveTimeSync asks the kernel whether its clock is disciplined.
func liveTimeSync(o Options) (synchronized, ok bool) {
	if !o.Live {
		return false, false
	}
	const unsynchronized = 0x40 // STA_UNSYNC
	var t unix.Timex
	if _, err := unix.Adjtimex(&t); err != nil {
		return false, false
	}
	return t.Status&unsynchronized == 0, true
}

// dirFS is a directory as a file system that reads small files with the fewest
// possible system calls: a large machine has a hundred thousand.
type dirFS struct {
	fs.ReadLinkFS
	dir string
}

func newDirFS(dir string) fs.FS {
	links, ok := os.DirFS(dir).(fs.ReadLinkFS)
	if !ok {
		return os.DirFS(dir)
	}
	return dirFS{links, dir}
}

// readSmall reads the beginning of a file that is not a link. It never blocks: a
// pipe without writer is empty.
func (d dirFS) readSmall(name string, buf []byte) (int, error) {
	fd, err := unix.Open(d.dir+"/"+name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	return unix.Read(fd, buf)
}
