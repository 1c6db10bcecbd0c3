package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/result/folder"
)

// lockFile is held while a run writes below a folder.
const lockFile = ".mysweep.lock"

// HeldError says that another run writes there.
type HeldError struct{ Dir, Holder string }

func (e *HeldError) Error() string {
	return fmt.Sprintf("another run holds the lock on %s: %s", e.Dir, e.Holder)
}

// Lock keeps two runs from writing below one folder. The kernel releases it when its holder dies.
type Lock struct{ file *os.File }

// LockFolder takes the lock on dir, without waiting. It returns *HeldError when another run has it.
// mode is that of the lock's file when there is none yet.
func LockFolder(dir string, mode fs.FileMode) (*Lock, error) {
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Some network file systems lock only what may be written.
	file, err := f.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := flock(file); err != nil {
		defer file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &HeldError{dir, holder(file)}
		}
		return nil, fmt.Errorf("lock %s: %w", filepath.Join(dir, lockFile), lockCause(err))
	}
	if err := sayHolder(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("lock: %w", err)
	}
	return &Lock{file}, nil
}

func flock(file *os.File) error {
	for {
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// lockCause adds a way out where the file system cannot lock at all.
func lockCause(err error) error {
	for _, lacking := range []error{unix.ENOTSUP, unix.ENOSYS, unix.ENOLCK} {
		if errors.Is(err, lacking) {
			return fmt.Errorf("this file system has no locks (flock: %w): write to a local file system and copy the archive afterwards, "+
				"or mount this one with locks (NFS: a running lock service, without nolock)", err)
		}
	}
	return err
}

func sayHolder(file *os.File) error {
	host, _ := os.Hostname()
	text, err := json.Marshal(map[string]any{"pid": os.Getpid(), "host": host, "since": time.Now().UTC().Format(time.RFC3339)})
	if err == nil {
		err = file.Truncate(0)
	}
	if err == nil {
		_, err = file.WriteAt(append(text, '\n'), 0)
	}
	return err
}

// mostHolderBytes bounds what is read of a holder's own words.
const mostHolderBytes = 4 << 10

// holder is what the holder wrote about itself.
func holder(file *os.File) string {
	raw, err := io.ReadAll(io.LimitReader(file, mostHolderBytes))
	var h struct {
		PID         int
		Host, Since string
	}
	if err = errors.Join(err, json.Unmarshal(raw, &h)); err != nil {
		return "it did not say who it is: " + strings.TrimSpace(err.Error())
	}
	return fmt.Sprintf("pid %d on %s, since %s", h.PID, h.Host, h.Since)
}

// Unlock releases the folder.
func (l *Lock) Unlock() error { return l.file.Close() }
