// Package folder reads and writes files of a folder in which somebody else may have put something
// under the names that mysweep uses: no symbolic link is followed in the last component of a name,
// no pipe or device is opened, and nothing outside of the folder is reached. The folder itself may
// be a link.
package folder

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Folder is an open folder.
type Folder struct{ root *os.Root }

// Open opens a folder whose files are to be read.
func Open(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// OpenToWrite opens a folder whose files are to be written. It refuses a world-writable one:
// anybody could replace the files there.
func OpenToWrite(dir string) (*Folder, error) {
	f, err := Open(dir)
	if err != nil {
		return nil, err
	}
	info, err := f.root.Stat(".")
	if err == nil && info.Mode()&0o002 != 0 {
		err = fmt.Errorf("folder %s is world-writable, so anybody could replace its files: chmod o-w %s, or name another folder", dir, dir)
	}
	if err == nil {
		err = fixed(dir)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// fixed refuses a folder that anybody could replace by another one, because it or a folder above it
// is in a world-writable folder without the sticky bit, as named or as links lead there.
func fixed(dir string) error {
	named, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(named)
	if err != nil {
		return err
	}
	for _, path := range []string{named, target} {
		for above := filepath.Dir(path); ; above = filepath.Dir(above) {
			info, err := os.Stat(above)
			if err != nil {
				return err
			}
			if info.Mode()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 {
				return fmt.Errorf("folder %s is in %s, which is world-writable without the sticky bit, so anybody could replace it: chmod +t %s, or name another folder", dir, above, above)
			}
			if above == filepath.Dir(above) {
				break
			}
		}
	}
	return nil
}

// Close closes the folder, not the files that were opened in it.
func (f *Folder) Close() error { return f.root.Close() }

// OpenFile is os.OpenFile for a regular file of the folder. A file that it creates has exactly the
// mode given, whatever the umask is.
func (f *Folder) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	full := filepath.Join(f.root.Name(), name)
	info, err := f.root.Lstat(name)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || flag&os.O_CREATE == 0) {
		return nil, atPath(err, full)
	}
	isNew := err != nil
	if !isNew {
		if err := regular(full, info.Mode()); err != nil {
			return nil, err
		}
	}
	file, err := f.openLast(name, full, flag)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = regular(full, info.Mode()) // it may have been replaced meanwhile
	}
	if err == nil && isNew {
		err = file.Chmod(mode)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// openLast opens name without following a link in its last component, which os.Root would do, and
// without waiting for the other end of a pipe.
func (f *Folder) openLast(name, full string, flag int) (*os.File, error) {
	parent, err := f.root.Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	for {
		fd, err := unix.Openat(int(parent.Fd()), filepath.Base(name), flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err == nil {
			err = unix.SetNonblock(fd, false)
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: full, Err: err}
		}
		return os.NewFile(uintptr(fd), full), nil
	}
}

// regular refuses what is no regular file.
func regular(path string, mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, which is not followed: remove it", path)
	case mode.IsDir():
		return fmt.Errorf("%s is a folder, not a file: remove it", path)
	}
	return fmt.Errorf("%s is not a regular file: remove it", path)
}

// atPath names the whole path in an error that names a part of it.
func atPath(err error, path string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: "open", Path: path, Err: p.Err}
	}
	return err
}

// ReadFile is os.ReadFile for a regular file of the folder.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	file, err := f.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// temporary is the form of the names of files that are being written.
const temporaryPrefix, temporarySuffix = ".mysweep-", ".tmp"

// stale is the age from which on a temporary file is an orphan.
const stale = time.Hour

// Replace writes a file under a temporary name beside it, syncs it and renames it, so that no other
// process ever sees half of it. A regular file that is replaced keeps its mode; anything else that
// has the name is replaced, not followed.
func (f *Folder) Replace(name string, data []byte, mode fs.FileMode) error {
	if now, ok := f.Mode(name); ok {
		mode = now
	}
	return f.Write(name, data, mode)
}

// Write is Replace with a mode that a file which is replaced gets too.
func (f *Folder) Write(name string, data []byte, mode fs.FileMode) error {
	r, err := f.Writing(name, mode)
	if err != nil {
		return err
	}
	r.Write(data) // Close has its error
	return r.Close()
}

// temporary makes a file with an unpredictable name.
func (f *Folder) temporary(dir string, mode fs.FileMode) (file *os.File, name string, err error) {
	var random [8]byte
	rand.Read(random[:]) // never fails, see crypto/rand
	name = filepath.Join(dir, temporaryPrefix+hex.EncodeToString(random[:])+temporarySuffix)
	file, err = f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return file, name, err
}

// Writable makes a file and removes it, and so says whether files can be made.
func (f *Folder) Writable() error {
	file, name, err := f.temporary(".", 0o600)
	if err != nil {
		return err
	}
	file.Close()
	return f.root.Remove(name)
}

// Mode is the mode of a regular file of the folder.
func (f *Folder) Mode(name string) (mode fs.FileMode, ok bool) {
	info, err := f.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Mode().Perm(), true
}

// MakeFolder makes a folder of the folder, and those above it that are missing, for files of the
// mode given.
func (f *Folder) MakeFolder(name string, mode fs.FileMode) error {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	for i := range parts {
		part := filepath.Join(parts[:i+1]...)
		err := f.root.Mkdir(part, 0o700)
		if err == nil {
			err = f.root.Chmod(part, folderMode(mode))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// SetModes sets the mode of all regular files in a folder of the folder.
func (f *Folder) SetModes(name string, mode fs.FileMode) error {
	entries, err := fs.ReadDir(f.root.FS(), filepath.ToSlash(name))
	for _, e := range entries {
		if err == nil && e.Type().IsRegular() {
			err = f.root.Chmod(filepath.Join(name, e.Name()), mode)
		}
	}
	return err
}

// folderMode lets those who may read files of the mode given enter their folder.
func folderMode(mode fs.FileMode) fs.FileMode { return mode | mode&0o444>>2 }

// RemoveStale removes temporary files that a killed mysweep left.
func (f *Folder) RemoveStale() {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return // then none can be removed either
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), temporaryPrefix) || !strings.HasSuffix(e.Name(), temporarySuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > stale {
			f.root.Remove(e.Name())
		}
	}
}

// Make makes a folder, and those above it that are missing, for files of the mode given: who may
// read the files may enter the folders.
func Make(dir string, mode fs.FileMode) error {
	var missing []string
	for path := filepath.Clean(dir); ; path = filepath.Dir(path) {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, path)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		err := os.Mkdir(missing[i], 0o700)
		if err == nil {
			err = os.Chmod(missing[i], folderMode(mode))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "mkdir", Path: dir, Err: unix.ENOTDIR}
	}
	return err
}
