package testbed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mysweep/mysweep/runner/server"
)

// leftOver is what a run has changed on a server.
type leftOver struct {
	Lock    string          `json:"lock"` // by which the run holds the server, see LockName
	Changes []server.Change `json:"changes"`
}

// undoFile is the name of the file in which the run that holds the server at address by a lock
// writes down what it changes there; with the lock "" it begins the names of all such files.
func undoFile(address, lock string) string {
	if lock == "" {
		return shortHash(address) + "-"
	}
	return shortHash(address) + "-" + shortHash(lock) + ".json"
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
	if err := server.MachineUndo().Write(undoFile(address, lock), raw); err != nil {
		return fmt.Errorf("record the variables to be restored: %w", err)
	}
	return nil
}

func forgetUndo(address, lock string) { server.MachineUndo().Remove(undoFile(address, lock)) }

// UndoLeftOver puts back what other runs could not on the server at address, because they were
// killed or it did not answer, and returns it. held is the lock that the caller has. A run that
// lives has its changes there on purpose: it is one whose lock is taken. ignored are paths that
// somebody else has put where such runs are written down.
func UndoLeftOver(ctx context.Context, t *server.Target, address, held string) (undone []server.Change, ignored []string, err error) {
	files, ignored, err := server.MachineUndo().Read(undoFile(address, ""))
	if err != nil {
		return nil, ignored, fmt.Errorf("read what other runs have left on servers: %w", err)
	}
	for _, file := range files {
		changes, err := undoFileOf(ctx, t, file, held)
		if err != nil {
			return undone, ignored, fmt.Errorf("undo what another run has left on the server (%s): %w", file.Path, err)
		}
		undone = append(undone, changes...)
	}
	return undone, ignored, nil
}

func undoFileOf(ctx context.Context, t *server.Target, file server.UndoFile, held string) ([]server.Change, error) {
	var left leftOver
	if err := json.Unmarshal(file.Data, &left); err != nil {
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
	return left.Changes, file.Remove()
}

// undoLeftOver is UndoLeftOver with a note for each variable.
func (b *Bed) undoLeftOver(ctx context.Context) error {
	undone, ignored, err := UndoLeftOver(ctx, b.target, b.key.address, LockName(&b.site.plan))
	culprit := "another run, which was killed or lost the server,"
	if len(b.site.outages[b.identity].notUndone) > 0 {
		culprit = "this run when it lost the server"
	}
	for _, c := range undone {
		b.site.report.Note("restored", "%s was left at %s by %s and was put back to %s", c.Name, c.After, culprit, c.Before)
	}
	b.site.noteIgnoredUndo(ignored)
	return err
}

// noteIgnoredUndo says what somebody else has put where killed runs are looked for.
func (s *Site) noteIgnoredUndo(paths []string) {
	for _, path := range paths {
		s.report.Note("undo-ignored", "%s belongs to another user or is open to others, so it was not read as what a killed run left: remove it", path)
	}
}
