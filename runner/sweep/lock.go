package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockFile is held while a run writes below a folder.
const lockFile = ".mysweep.lock"

// HeldError says that another run writes there.
type HeldError struct{ Dir, Holder string }

func (e *HeldError) Error() string {
	return fmt.Sprintf("another run holds the lock on %s: %s", e.Dir, e.Holder)
}

// FolderLock keeps two runs from writing below one folder. The kernel lets go
// of it when its holder dies.
type FolderLock struct{ file *flock.Flock }

// LockFolder takes the lock on dir, without waiting. It answers *HeldError when
// another run has it.
func LockFolder(dir string) (*FolderLock, error) {
	path := filepath.Join(dir, lockFile)
	lock := flock.New(path)
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !got {
		return nil, &HeldError{dir, holder(path)}
	}
	host, _ := os.Hostname()
	text, err := json.Marshal(map[string]any{"pid": os.Getpid(), "host": host, "since": time.Now().UTC().Format(time.RFC3339)})
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	return &FolderLock{lock}, err
}

// holder is what the holder wrote about itself.
func holder(path string) string {
	raw, err := os.ReadFile(path)
	var h struct {
		PID         int
		Host, Since string
	}
	if err = errors.Join(err, json.Unmarshal(raw, &h)); err != nil {
		return "it did not say who it is: " + strings.TrimSpace(err.Error())
	}
	return fmt.Sprintf("pid %d on %s, since %s", h.PID, h.Host, h.Since)
}

// Unlock lets go of the folder.
func (l *FolderLock) Unlock() error { return l.file.Unlock() }
