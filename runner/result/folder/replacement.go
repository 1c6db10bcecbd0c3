package folder

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacement is a file that is being written and takes its name when it is whole, see Replace.
type Replacement struct {
	folder          *Folder
	name, temporary string
	file            *os.File
	buffered        *bufio.Writer
	err             error // the first one
}

// Replacing begins what Replace does.
func (f *Folder) Replacing(name string, mode fs.FileMode) (*Replacement, error) {
	if now, ok := f.Mode(name); ok {
		mode = now
	}
	return f.Writing(name, mode)
}

// Writing begins what Write does.
func (f *Folder) Writing(name string, mode fs.FileMode) (*Replacement, error) {
	file, temporary, err := f.temporary(filepath.Dir(name), mode)
	if err != nil {
		return nil, err
	}
	return &Replacement{folder: f, name: name, temporary: temporary, file: file, buffered: bufio.NewWriterSize(file, 64<<10)}, nil
}

// Write writes the next part of the file.
func (r *Replacement) Write(data []byte) (int, error) {
	n, err := r.buffered.Write(data)
	r.Fail(err)
	return n, err
}

// Fail lets Close drop the file, unless err is nil.
func (r *Replacement) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Close syncs the file and gives it its name, or drops it after the first error, which it returns.
func (r *Replacement) Close() error {
	if r.err == nil {
		r.err = r.buffered.Flush()
	}
	if r.err == nil {
		r.err = r.file.Sync()
	}
	r.Fail(r.file.Close())
	if r.err == nil {
		r.err = r.folder.root.Rename(r.temporary, r.name)
	}
	if r.err != nil {
		r.folder.root.Remove(r.temporary)
		return fmt.Errorf("write %s: %w", filepath.Join(r.folder.root.Name(), r.name), r.err)
	}
	return nil
}
