package server

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Copied says what copying a datadir came to.
type Copied struct {
	Files    int     `json:"files"`
	Bytes    int64   `json:"bytes"`    // lengths of the files, holes included
	Reflinks int     `json:"reflinks"` // files that share their blocks with the source
	Seconds  float64 `json:"seconds"`
}

// notCopied are files of a datadir that belong to the server that ran there.
var notCopied = map[string]bool{"lost+found": true, "ibtmp1": true, "mysqld.sock": true, "mysqld.pid": true}

// copyTree copies folders and files; sockets and pipes are passed over. Files share their blocks
// with the source where the file system can.
func copyTree(ctx context.Context, source, target string, owner account) (Copied, error) {
	var copied Copied
	source, err := filepath.EvalSymlinks(source)
	if err != nil {
		return copied, err
	}
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return passOver(entry, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if notCopied[entry.Name()] {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		return copied.entry(path, filepath.Join(target, name), entry, owner)
	})
	return copied, err
}

func passOver(entry fs.DirEntry, err error) error {
	if entry != nil && notCopied[entry.Name()] {
		return fs.SkipDir
	}
	return err
}

func (c *Copied) entry(source, target string, entry fs.DirEntry, owner account) error {
	switch {
	case entry.IsDir():
		if err := os.Mkdir(target, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	case entry.Type()&fs.ModeSymlink != 0:
		// The link would lead the private server to files of another.
		return errors.New(source + " is a symbolic link: a tablespace elsewhere cannot be copied")
	case entry.Type().IsRegular():
		if err := c.file(source, target); err != nil {
			return err
		}
	default:
		return nil
	}
	return owner.own(target)
}

func (c *Copied) file(source, target string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	c.Files++
	c.Bytes += info.Size()
	if unix.IoctlFileClone(int(out.Fd()), int(in.Fd())) == nil {
		c.Reflinks++
	} else if _, err := io.Copy(out, in); err != nil { // copy_file_range, see os.File.ReadFrom
		out.Close()
		return err
	}
	return out.Close()
}

// datadirUser says which process holds the lock that InnoDB keeps on ibdata1.
func datadirUser(datadir string) (pid int, used bool) {
	file, err := os.Open(filepath.Join(datadir, "ibdata1"))
	if err != nil {
		return 0, false
	}
	defer file.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	if err := unix.FcntlFlock(file.Fd(), unix.F_GETLK, &lock); err != nil || lock.Type == unix.F_UNLCK {
		return 0, false
	}
	return int(lock.Pid), true
}

// walkFiles opens each regular file below dir.
func walkFiles(dir string, do func(*os.File) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		return do(file)
	})
}
