package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	folderPrefix = "mysweep-"
	recordName   = "server.json"
	// maxSocketPath is what sun_path holds beside its closing zero byte, see unix(7).
	maxSocketPath = 107
)

// record is server.json: what a later start needs to find and end a server
// whose mysweep was killed. The file is locked (flock) as long as its mysweep lives.
type record struct {
	PID       int    `json:"pid"`            // of the server; 0 while there is none
	StartTime uint64 `json:"pid_start_time"` // clock ticks after boot, field 22 of /proc/PID/stat
	Datadir   string `json:"datadir"`        //
	// SocketDir is a second folder, used where the path of the first is too long for a socket.
	SocketDir string `json:"socket_dir,omitempty"`
	OwnerPID  int    `json:"owner_pid"`      // of the mysweep
	Kept      bool   `json:"kept,omitempty"` // the user wants the files
}

// folder is the private folder of one server, mode 0700, owned by its account.
type folder struct {
	path   string
	socket string
	owner  account
	lock   *os.File
	record record
}

// newFolder makes a folder below parent. What was made is removed when the rest fails.
func newFolder(parent string, owner account) (*folder, error) {
	path, err := os.MkdirTemp(parent, folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("private folder: %w", err)
	}
	f := &folder{path: path, owner: owner}
	if err := f.fill(); err != nil {
		f.remove()
		return nil, fmt.Errorf("private folder %s: %w", path, err)
	}
	return f, nil
}

func (f *folder) fill() error {
	if err := f.takeRecord(); err != nil {
		return err
	}
	if err := f.chooseSocket(); err != nil {
		return err
	}
	for _, name := range []string{"data", "tmp"} {
		if err := os.Mkdir(f.file(name), 0o700); err != nil {
			return err
		}
		if err := f.owner.own(f.file(name)); err != nil {
			return err
		}
	}
	if err := f.owner.own(f.path); err != nil {
		return err
	}
	if err := f.owner.reach(f.file("data")); err != nil {
		return fmt.Errorf("%w: choose another folder (--datadir-parent) or account (--server-user)", err)
	}
	f.record.Datadir = f.file("data")
	return f.writeRecord()
}

// takeRecord makes and locks server.json. It stays ours even where the folder
// is another account's, so that no other account can make mysweep kill a process.
func (f *folder) takeRecord() error {
	file, err := os.OpenFile(f.file(recordName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	f.lock = file
	f.record.OwnerPID = os.Getpid()
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

func (f *folder) writeRecord() error {
	text, err := json.Marshal(f.record)
	if err != nil {
		return err
	}
	if err := f.lock.Truncate(0); err != nil {
		return err
	}
	_, err = f.lock.WriteAt(append(text, '\n'), 0)
	return err
}

// chooseSocket falls back to a short folder below /tmp when the path is too long.
func (f *folder) chooseSocket() error {
	f.socket = f.file("mysqld.sock")
	if len(f.socket) <= maxSocketPath {
		return nil
	}
	dir, err := os.MkdirTemp("/tmp", folderPrefix)
	if err != nil {
		return err
	}
	f.record.SocketDir = dir
	f.socket = filepath.Join(dir, "mysqld.sock")
	return f.owner.own(dir)
}

func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

// write makes a file that only the server's account (and root) may read.
func (f *folder) write(name, text string) error {
	if err := os.WriteFile(f.file(name), []byte(text), 0o600); err != nil {
		return err
	}
	return f.owner.own(f.file(name))
}

// remove is safe to call twice.
func (f *folder) remove() error {
	err := os.RemoveAll(f.path)
	if f.record.SocketDir != "" {
		if socketErr := os.RemoveAll(f.record.SocketDir); err == nil {
			err = socketErr
		}
	}
	f.release()
	return err
}

// keep marks the folder as one that no later start may remove.
func (f *folder) keep() error {
	f.record.Kept, f.record.PID = true, 0
	if err := f.writeRecord(); err != nil {
		return fmt.Errorf("private folder %s: %w", f.path, err)
	}
	f.release()
	return nil
}

func (f *folder) release() {
	if f.lock != nil {
		f.lock.Close()
		f.lock = nil
	}
}

// refuseMemory says so when the folder lies in memory: such a server has no disk
// to wait for, and its figures are compared with others that do.
func refuseMemory(path string) error {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return fmt.Errorf("datadir parent %s: %w", path, err)
	}
	const ramfs = 0x858458f6
	if stat.Type == unix.TMPFS_MAGIC || stat.Type == ramfs {
		return fmt.Errorf("datadir parent %s is in memory (tmpfs): figures from there hide the disk; name a folder on a disk (--datadir-parent) or allow it (--allow-tmpfs)", path)
	}
	return nil
}
