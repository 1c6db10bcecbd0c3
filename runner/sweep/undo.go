package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/server"
)

// undoFolder holds what has to be put back on existing servers after a run
// was killed. It is one place for all archives of this machine, since the next
// run may well write to another one.
const undoFolder = "/var/tmp"

// leftOver is what a run has changed on a server.
type leftOver struct {
	Lock    string          `json:"lock"` // by which the run holds the server, see LockName
	Changes []server.Change `json:"changes"`
}

// undoFile is where the run that holds the server at address by a lock writes
// down what it changes there; with the lock "*" it is the pattern of all such files.
func undoFile(address, lock string) string {
	if lock != "*" {
		lock = shortHash(lock)
	}
	return filepath.Join(undoFolder, fmt.Sprintf("mysweep-undo-%d-%s-%s.json", os.Getuid(), shortHash(address), lock))
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// rememberUndo writes down what is about to be changed on the server at address.
func rememberUndo(address, lock string, changes []server.Change) error {
	raw, err := json.Marshal(leftOver{lock, changes})
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(undoFile(address, lock), raw, 0o600); err != nil {
		return fmt.Errorf("write down the variables to be restored: %w", err)
	}
	return nil
}

func forgetUndo(address, lock string) { os.Remove(undoFile(address, lock)) }

// UndoLeftOver puts back what other runs could not on the server at address, because they were killed or it did not
// answer, and returns it. held is the lock that the caller has. A run that lives has its changes there on purpose: it is
// one whose lock is taken.
func UndoLeftOver(ctx context.Context, t *server.Target, address, held string) ([]server.Change, error) {
	files, err := filepath.Glob(undoFile(address, "*"))
	if err != nil {
		return nil, err
	}
	var undone []server.Change
	for _, path := range files {
		changes, err := undoFileOf(ctx, t, path, held)
		if err != nil {
			return undone, fmt.Errorf("undo what another run has left on the server (%s): %w", path, err)
		}
		undone = append(undone, changes...)
	}
	return undone, nil
}

func undoFileOf(ctx context.Context, t *server.Target, path, held string) ([]server.Change, error) {
	raw, err := readOwn(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // another run was faster
	}
	var left leftOver
	if err == nil {
		err = json.Unmarshal(raw, &left)
	}
	if err != nil {
		return nil, err
	}
	if left.Lock != held {
		lock, err := t.Lock(ctx, left.Lock)
		var locked *server.LockedError
		if errors.As(err, &locked) || errors.Is(err, server.ErrNoLocks) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		defer lock.Release()
	}
	if err := t.RestoreGlobals(ctx, left.Changes); err != nil {
		return nil, err
	}
	return left.Changes, os.Remove(path)
}

// undoLeftOver is UndoLeftOver with a note for each variable.
func (s *sweep) undoLeftOver(ctx context.Context, o *opened) error {
	undone, err := UndoLeftOver(ctx, o.target, o.home.address, LockName(&s.Plan))
	for _, c := range undone {
		s.note("restored", "%s was left at %s by another run, which was killed or lost the server, and was put back to %s", c.Name, c.After, c.Before)
	}
	return err
}

// readOwn reads a file of a folder in which everybody may write, unless
// somebody else has put it there.
func readOwn(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return nil, err
	}
	if int(stat.Uid) != os.Getuid() {
		return nil, fmt.Errorf("%s belongs to user %d and is not believed: remove it", path, stat.Uid)
	}
	return io.ReadAll(f)
}
