package hwinfo

import "golang.org/x/sys/unix"

// liveArchitecture asks the kernel, when the root is this very machine.
func liveArchitecture(o Options) string {
	var u unix.Utsname
	if !o.Live || unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Machine[:])
}
