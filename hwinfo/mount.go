package hwinfo

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// mount is one line of the mount table.
type mount struct {
	id, parent   int    // 0 in tables without ids
	device       string // major:minor; empty in tables without
	root         string // directory of the file system that is mounted
	point        string
	filesystem   string
	source       string
	options      string // of the mount
	superOptions string // of the file system
}

var errNoMount = errors.New("no mount holds the directory")

// mounts reads the first mount table that is there: what this process sees,
// else what init sees.
func (r *reader) mounts() ([]mount, string, error) {
	var first error
	for _, p := range []string{"/proc/self/mountinfo", "/proc/1/mountinfo", "/proc/self/mounts", "/proc/mounts", "/proc/1/mounts", "/etc/mtab"} {
		data, err := r.table(p)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		var table []mount
		if strings.HasSuffix(p, "info") {
			table = parseMountinfo(data)
		} else {
			table = parseMounts(data)
		}
		if len(table) > 0 {
			return table, p, nil
		}
	}
	return nil, "/proc/self/mountinfo", cmp.Or(first, errEmpty)
}

// parseMountinfo reads "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3
// /dev/root rw,errors=continue"; optional fields end at the dash.
// https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo
func parseMountinfo(r io.Reader) []mount {
	var table []mount
	lines(r, func(line string) {
		f := strings.Split(line, " ")
		dash := slices.Index(f, "-")
		if dash < 6 || len(f) < dash+3 {
			return
		}
		m := mount{device: f[2], root: unescape(f[3]), point: unescape(f[4]), options: f[5],
			filesystem: f[dash+1], source: unescape(f[dash+2])}
		m.id, _ = strconv.Atoi(f[0])
		m.parent, _ = strconv.Atoi(f[1])
		if len(f) > dash+3 {
			m.superOptions = unescape(f[dash+3])
		}
		table = append(table, m)
	})
	return table
}

// parseMounts reads "/dev/sda1 / ext4 rw,relatime 0 0", fstab(5).
func parseMounts(r io.Reader) []mount {
	var table []mount
	lines(r, func(line string) {
		f := strings.Split(strings.TrimSpace(line), " ")
		if len(f) < 4 || strings.HasPrefix(f[0], "#") {
			return
		}
		table = append(table, mount{source: unescape(f[0]), point: unescape(f[1]), filesystem: f[2], options: unescape(f[3])})
	})
	return table
}

// unescape decodes octal escapes such as \040.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// mountOf finds the mount that holds a path: the longest mount point that is
// the path or a directory above it, the last of equals, unless a later mount
// hides it.
func mountOf(table []mount, path string) (mount, bool) {
	var best *mount
	for i := range table {
		m := &table[i]
		if !below(path, m.point) || hidden(table, *m, 0) {
			continue
		}
		if best == nil || len(m.point) >= len(best.point) {
			best = m
		}
	}
	if best == nil {
		return mount{}, false
	}
	return *best, true
}

// below reports whether path is dir or in it; /a/bc is not below /a/b.
func below(path, dir string) bool {
	return path == dir || dir == "/" && strings.HasPrefix(path, "/") || strings.HasPrefix(path, dir+"/")
}

// hidden reports whether a later mount covers m: one over the mount point of a
// parent of m, or over a directory on the way to m.
func hidden(table []mount, m mount, depth int) bool {
	if m.id == 0 || depth > 32 {
		return false
	}
	i := slices.IndexFunc(table, func(p mount) bool { return p.id == m.parent && p.id != m.id })
	if i < 0 {
		return false
	}
	parent := table[i]
	for j, over := range table {
		onTheWay := over.parent == parent.id && over.id != m.id && over.point != m.point && below(m.point, over.point)
		if onTheWay && j > slices.IndexFunc(table, func(o mount) bool { return o.id == m.id }) {
			return true
		}
	}
	return hidden(table, parent, depth+1)
}
