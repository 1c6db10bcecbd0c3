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

	"mysweep/runner/server"
)

// undoFolder holds what has to be put back on existing servers after a run
// was killed. It is one place for all archives of this machine, since the next
// run may well write to another one.
const undoFolder = "/var/tmp"

func undoFile(address string) string {
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(undoFolder, fmt.Sprintf("mysweep-undo-%d-%s.json", os.Getuid(), hex.EncodeToString(sum[:8])))
}

// rememberUndo writes down what is about to be changed on the server at address.
func rememberUndo(address string, changes []server.Change) error {
	raw, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(undoFile(address), raw, 0o600); err != nil {
		return fmt.Errorf("write down the variables to be restored: %w", err)
	}
	return nil
}

func forgetUndo(address string) { os.Remove(undoFile(address)) }

// undoLeftOver puts back what a killed run has left changed. Only the holder of
// the server's lock may do that: a living run has its changes there on purpose.
func (s *sweep) undoLeftOver(ctx context.Context, o *opened) error {
	address := o.home.address
	raw, err := readOwn(undoFile(address))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var changes []server.Change
	if err == nil {
		err = json.Unmarshal(raw, &changes)
	}
	if err == nil {
		err = o.target.RestoreGlobals(ctx, changes)
	}
	if err != nil {
		return fmt.Errorf("undo what a killed run has left on the server (%s): %w", undoFile(address), err)
	}
	for _, c := range changes {
		s.note("restored", "%s was left at %s by a run that was killed, and was put back to %s", c.Name, c.After, c.Before)
	}
	forgetUndo(address)
	return nil
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
