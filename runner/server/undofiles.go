package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	files "github.com/mysweep/mysweep/runner/result/folder"
)

// UndoFiles keeps what has to be put back after a run that was killed: files in a folder of this
// user's own. It is one place for all archives of this machine, since the next run may well write
// to another one.
type UndoFiles struct {
	// Parent is where the folder is made. Others may write there, so the folder has a name that
	// nobody can take first, and what is not ours alone is not trusted.
	Parent string
}

// MachineUndo is the place for all runs of this user on this machine.
func MachineUndo() UndoFiles { return UndoFiles{Parent: "/var/tmp"} }

// UndoFile is one of the files.
type UndoFile struct {
	Path string
	Data []byte
}

const undoPrefix = "mysweep-undo-"

// prefix begins the names of this user's folders, and of the files of earlier versions, which are
// beside them.
func (u UndoFiles) prefix() string { return fmt.Sprintf("%s%d-", undoPrefix, os.Geteuid()) }

// Write writes a file, whole or not at all.
func (u UndoFiles) Write(name string, data []byte) error {
	folders, _, _, err := u.entries()
	if err != nil {
		return err
	}
	for _, dir := range folders {
		// Another run may remove the folder at any time.
		if err := writeUndo(dir, name, data); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	dir, err := os.MkdirTemp(u.Parent, u.prefix())
	if err != nil {
		return err
	}
	return writeUndo(dir, name, data)
}

func writeUndo(dir, name string, data []byte) error {
	f, err := files.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	f.RemoveStale()
	return f.Replace(name, data, 0o600)
}

// Read returns the files whose names begin with prefix, and the paths that have such a place and
// are not trusted, because somebody else has put them there.
func (u UndoFiles) Read(prefix string) (found []UndoFile, foreign []string, err error) {
	folders, old, foreign, err := u.entries()
	if err != nil {
		return nil, nil, err
	}
	for _, path := range old {
		if strings.HasPrefix(filepath.Base(path), u.prefix()+prefix) {
			found, err = readUndo(found, u.Parent, filepath.Base(path), err)
		}
	}
	for _, dir := range folders {
		entries, dirErr := os.ReadDir(dir)
		if dirErr != nil && !errors.Is(dirErr, fs.ErrNotExist) {
			err = errors.Join(err, dirErr)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), prefix) {
				found, err = readUndo(found, dir, e.Name(), err)
			}
		}
	}
	return found, foreign, err
}

// readUndo appends a file; one that is gone was put back by another run.
func readUndo(found []UndoFile, dir, name string, before error) ([]UndoFile, error) {
	f, err := files.Open(dir)
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = f.ReadFile(name); err == nil {
			return append(found, UndoFile{filepath.Join(dir, name), data}), before
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return found, errors.Join(before, err)
}

// entries sorts what has a name of ours: folders that are ours alone, files of earlier versions,
// and the rest.
func (u UndoFiles) entries() (folders, old, foreign []string, err error) {
	entries, err := os.ReadDir(u.Parent)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), u.prefix()) {
			continue
		}
		path := filepath.Join(u.Parent, e.Name())
		info, err := e.Info()
		if err != nil {
			continue // it has just been removed
		}
		switch stat, ok := info.Sys().(*syscall.Stat_t); {
		case !ok || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0:
			foreign = append(foreign, path)
		case info.IsDir():
			folders = append(folders, path)
		case info.Mode().IsRegular():
			old = append(old, path)
		default:
			foreign = append(foreign, path)
		}
	}
	return folders, old, foreign, err
}

// Remove removes the file, and its folder when nothing else is in it.
func (f UndoFile) Remove() error {
	err := os.Remove(f.Path)
	if dir := filepath.Dir(f.Path); strings.HasPrefix(filepath.Base(dir), undoPrefix) {
		os.Remove(dir) // fails while there are others in it
	}
	return err
}

// Remove removes the file of that name, if there is one.
func (u UndoFiles) Remove(name string) {
	folders, _, _, _ := u.entries() // nothing of ours is in what cannot be read
	for _, dir := range folders {
		UndoFile{Path: filepath.Join(dir, name)}.Remove()
	}
}
