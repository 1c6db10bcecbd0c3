package hwinfo

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// memory is a file system in memory, by path.
type memory map[string]*memoryFile

type memoryFile struct {
	name    string
	mode    fs.FileMode
	data    []byte
	entries []string // paths of a directory's files
}

func (m memory) add(name string, f *memoryFile) {
	if name == "." {
		return
	}
	f.name = path.Base(name)
	if _, ok := m[name]; !ok {
		dir := m.directory(path.Dir(name))
		dir.entries = append(dir.entries, name)
	}
	m[name] = f
}

// directory makes a directory and those above it.
func (m memory) directory(name string) *memoryFile {
	if f := m[name]; f != nil && f.mode.IsDir() {
		return f
	}
	f := &memoryFile{mode: fs.ModeDir | 0o755}
	m.add(name, f)
	return f
}

func (m memory) get(op, name string) (*memoryFile, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if f := m[name]; f != nil {
		return f, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file or directory. It follows no links: who reads a machine
// below a root follows them from the root.
func (m memory) Open(name string) (fs.File, error) {
	f, err := m.get("open", name)
	if err != nil {
		return nil, err
	}
	return &openFile{memoryFile: f, fsys: m, Reader: bytes.NewReader(f.data)}, nil
}

// Lstat describes a file or link itself.
func (m memory) Lstat(name string) (fs.FileInfo, error) {
	f, err := m.get("lstat", name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadLink gives the target of a link.
func (m memory) ReadLink(name string) (string, error) {
	f, err := m.get("readlink", name)
	if err != nil {
		return "", err
	}
	if f.mode&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return string(f.data), nil
}

// ReadDir lists a directory by name.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := m.get("readdir", name)
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, path := range f.entries {
		entries = append(entries, fs.FileInfoToDirEntry(m[path]))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Name, Size, Mode, ModTime, IsDir and Sys make a memoryFile its own fs.FileInfo.
func (f *memoryFile) Name() string       { return f.name }
func (f *memoryFile) Size() int64        { return int64(len(f.data)) }
func (f *memoryFile) Mode() fs.FileMode  { return f.mode }
func (f *memoryFile) ModTime() time.Time { return time.Time{} }
func (f *memoryFile) IsDir() bool        { return f.mode.IsDir() }
func (f *memoryFile) Sys() any           { return nil }

type openFile struct {
	*memoryFile
	*bytes.Reader
	fsys memory
}

func (f *openFile) Size() int64                { return f.memoryFile.Size() }
func (f *openFile) Stat() (fs.FileInfo, error) { return f.memoryFile, nil }
func (f *openFile) Close() error               { return nil }

// Memory makes a root of files and links by absolute path.
func Memory(files map[string][]byte, links map[string]string) fs.FS {
	m := memory{".": &memoryFile{name: ".", mode: fs.ModeDir | 0o755}}
	for p, target := range links {
		m.add(rel(path.Clean("/"+p)), &memoryFile{mode: fs.ModeSymlink | 0o777, data: []byte(target)})
	}
	for p, data := range files {
		m.add(rel(path.Clean("/"+p)), &memoryFile{mode: 0o444, data: data})
	}
	return m
}
