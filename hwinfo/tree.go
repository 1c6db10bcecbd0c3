package hwinfo

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Bounds on what is read of one file, so that a huge or endless file costs
// little. Attributes of /sys are a page at most; tables of /proc grow with the
// machine (cpuinfo: some 2 KB a CPU, and 4,096 CPUs are possible).
const (
	attributeMax = 64 << 10
	tableMax     = 32 << 20
	linksMax     = 40 // as the kernel's own limit on symbolic links in a path
)

var (
	errNotFile = errors.New("not a regular file")
	errLinks   = errors.New("too many levels of symbolic links")
	errEmpty   = errors.New("empty")
)

// tree reads files of a machine below its root. Paths are absolute, as on
// that machine. Symbolic links are followed here, component by component: an
// absolute target starts again at the root and ".." stops there, so that a
// dump can never point out of its folder.
type tree struct {
	fsys     fs.FS
	resolved map[string]string // directory, as asked for -> without links
}

func newTree(fsys fs.FS) *tree {
	return &tree{fsys: fsys, resolved: map[string]string{"/": "/"}}
}

// real gives p without symbolic links in its directories and, when it exists,
// in its last component. What does not exist is kept as it stands.
func (t *tree) real(p string) (string, error) {
	return t.walk(path.Clean("/"+p), 0)
}

func (t *tree) walk(p string, links int) (string, error) {
	if r, ok := t.resolved[p]; ok {
		return r, nil
	}
	if links > linksMax {
		return p, errLinks
	}
	dir, base := path.Split(p)
	dir, err := t.walk(path.Clean(dir), links)
	if err != nil {
		return p, err
	}
	r := path.Join(dir, base)
	target, isLink := t.target(r)
	if isLink {
		if !path.IsAbs(target) {
			target = path.Join(dir, target)
		}
		if r, err = t.walk(path.Clean("/"+target), links+1); err != nil {
			return p, err
		}
	}
	if isLink || t.isDir(r) {
		t.resolved[p] = r
	}
	return r, nil
}

// target reads one link, without following it.
func (t *tree) target(p string) (string, bool) {
	info, err := fs.Lstat(t.fsys, rel(p))
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	target, err := fs.ReadLink(t.fsys, rel(p))
	return target, err == nil
}

func (t *tree) isDir(p string) bool {
	info, err := fs.Lstat(t.fsys, rel(p))
	return err == nil && info.IsDir()
}

// rel turns an absolute path into one that fs.FS takes.
func rel(p string) string {
	if p = strings.TrimPrefix(p, "/"); p == "" {
		return "."
	}
	return p
}

// read gives at most max bytes of a regular file. Pipes and devices are
// refused before they are opened, as opening alone may block.
func (t *tree) read(p string, max int64) ([]byte, error) {
	r, err := t.real(p)
	if err != nil {
		return nil, err
	}
	info, err := fs.Lstat(t.fsys, rel(r))
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotFile
	}
	f, err := t.fsys.Open(rel(r))
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max))
	if err != nil {
		return nil, cause(err)
	}
	return data, nil
}

// text gives the trimmed content of a small file; an empty one is an error.
func (t *tree) text(p string) (string, error) {
	data, err := t.read(p, attributeMax)
	if err != nil {
		return "", err
	}
	s := clean(string(data))
	if s == "" {
		return "", errEmpty
	}
	return s, nil
}

// table opens a file of /proc for parsing, bounded in size.
func (t *tree) table(p string) (io.Reader, error) {
	data, err := t.read(p, tableMax)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(data), nil
}

// list gives the names in a directory, sorted; none when it cannot be read.
func (t *tree) list(dir string) []string {
	entries := t.entries(dir)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (t *tree) entries(dir string) []fs.DirEntry {
	r, err := t.real(dir)
	if err != nil {
		return nil
	}
	entries, _ := fs.ReadDir(t.fsys, rel(r))
	return entries
}

// exists follows links; a dangling link does not exist.
func (t *tree) exists(p string) bool {
	r, err := t.real(p)
	if err != nil {
		return false
	}
	_, err = fs.Lstat(t.fsys, rel(r))
	return err == nil
}

// linked tells whether p is there, be it as a dangling link.
func (t *tree) linked(p string) bool {
	dir, err := t.real(path.Dir(p))
	if err != nil {
		return false
	}
	_, err = fs.Lstat(t.fsys, rel(path.Join(dir, path.Base(p))))
	return err == nil
}

// linkBase gives the last component of a link's target, whether or not the
// target exists: the name of a driver or subsystem in /sys.
func (t *tree) linkBase(p string) (string, bool) {
	dir, err := t.real(path.Dir(p))
	if err != nil {
		return "", false
	}
	target, ok := t.target(path.Join(dir, path.Base(p)))
	if !ok {
		return "", false
	}
	return path.Base(target), true
}

// cause strips operation and path off a file error: notes name the path themselves.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// clean trims blanks and NUL bytes, and turns control characters into blanks.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == 0 || r == 0x7f || r < ' ' && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(strings.ToValidUTF8(s, "?"))
}

// lines calls f for each line of r; a line that is too long ends the reading.
func lines(r io.Reader, f func(line string)) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), 1<<20)
	for s.Scan() {
		f(s.Text())
	}
}
