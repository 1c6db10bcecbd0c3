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

// Limits on the size of one file. Attributes of /sys are a page at most; tables
// of /proc grow with the machine (cpuinfo: about 2 KB per CPU, and 4,096 CPUs are
// possible).
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
// dump never points out of its folder.
type tree struct {
	fsys fs.FS
	dirs map[string]place // directories by the path they were requested with
	buf  [4096]byte
}

// place is the target of a path: the path without symbolic links, and nil info
// if it does not exist.
type place struct {
	path string
	info fs.FileInfo
	err  error
}

func newTree(fsys fs.FS) *tree {
	t := &tree{fsys: fsys, dirs: map[string]place{}}
	info, err := fs.Stat(fsys, ".")
	t.dirs["/"] = place{"/", info, err}
	return t
}

// find resolves p. A path that does not exist keeps its name below the last
// directory that does.
func (t *tree) find(p string) place { return t.walk(path.Clean("/"+p), 0) }

func (t *tree) walk(p string, links int) place {
	if found, ok := t.dirs[p]; ok {
		return found
	}
	if links > linksMax {
		return place{path: p, err: errLinks}
	}
	dir, base := path.Split(p)
	above := t.walk(path.Clean(dir), links)
	at := place{path: path.Join(above.path, base), err: above.err}
	if above.info == nil || !above.info.IsDir() {
		if at.err == nil {
			at.err = fs.ErrNotExist
		}
		t.dirs[p] = at
		return at
	}
	at.info, at.err = fs.Lstat(t.fsys, rel(at.path))
	if at.err != nil {
		at.info, at.err = nil, cause(at.err)
		return at
	}
	if at.info.Mode()&fs.ModeSymlink != 0 {
		at = t.follow(above.path, at, links)
		t.dirs[p] = at
	} else if at.info.IsDir() {
		t.dirs[p] = at
	}
	return at
}

func (t *tree) follow(dir string, at place, links int) place {
	target, err := fs.ReadLink(t.fsys, rel(at.path))
	if err != nil {
		return place{path: at.path, err: cause(err)}
	}
	if !path.IsAbs(target) {
		target = path.Join(dir, target)
	}
	return t.walk(path.Clean("/"+target), links+1)
}

// target returns the target of a link.
func (t *tree) target(p string) (string, bool) {
	dir := t.find(path.Dir(p))
	if dir.info == nil {
		return "", false
	}
	target, err := fs.ReadLink(t.fsys, rel(path.Join(dir.path, path.Base(p))))
	return target, err == nil
}

// rel converts an absolute path to one for an fs.FS.
func rel(p string) string {
	if p = strings.TrimPrefix(p, "/"); p == "" {
		return "."
	}
	return p
}

// read returns at most max bytes of a regular file. Pipes and devices are refused
// before they are opened, because opening them may block.
func (t *tree) read(p string, max int64) ([]byte, error) {
	at := t.find(p)
	if at.err != nil {
		return nil, at.err
	}
	if !at.info.Mode().IsRegular() {
		return nil, errNotFile
	}
	f, err := t.fsys.Open(rel(at.path))
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

// smallReader is a file system that reads small files with few system calls.
type smallReader interface {
	readSmall(name string, buf []byte) (int, error)
}

// attribute reads a file of /sys, which returns all its content at the first read.
func (t *tree) attribute(p string) ([]byte, error) {
	small, ok := t.fsys.(smallReader)
	if !ok {
		return t.read(p, attributeMax)
	}
	at := t.find(p)
	if at.err != nil {
		return nil, at.err
	}
	if !at.info.Mode().IsRegular() {
		return nil, errNotFile
	}
	n, err := small.readSmall(rel(at.path), t.buf[:])
	if err != nil {
		return nil, cause(err)
	}
	if n == len(t.buf) {
		return t.read(p, attributeMax)
	}
	return t.buf[:n], nil
}

// text returns the trimmed content of a small file; an empty file is an error.
func (t *tree) text(p string) (string, error) {
	read := t.attribute
	if !strings.HasPrefix(p, "/sys/") {
		read = func(p string) ([]byte, error) { return t.read(p, attributeMax) }
	}
	data, err := read(p)
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

// list returns the names in a directory, sorted; none if it cannot be read.
func (t *tree) list(dir string) []string {
	entries := t.entries(dir)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (t *tree) entries(dir string) []fs.DirEntry {
	at := t.find(dir)
	if at.info == nil {
		return nil
	}
	entries, _ := fs.ReadDir(t.fsys, rel(at.path))
	return entries
}

// exists follows links; a dangling link does not exist.
func (t *tree) exists(p string) bool { return t.find(p).info != nil }

// linkBase returns the last component of a link's target, which need not exist:
// the name of a driver or subsystem in /sys.
func (t *tree) linkBase(p string) (string, bool) {
	target, ok := t.target(p)
	if !ok {
		return "", false
	}
	return path.Base(target), true
}

// cause removes operation and path from a file error: notes name the path already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// clean trims blanks and NUL bytes, and replaces control characters by blanks.
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
