package result

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	lock, err := LockFolder(dir, FileMode)
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := LockFolder(dir, FileMode); !errors.As(err, &held) || !strings.Contains(held.Holder, fmt.Sprintf("pid %d ", os.Getpid())) {
		t.Errorf("a second lock: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if lock, err = LockFolder(dir, FileMode); err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	lock.Unlock()
}

// A lock or a journal that is a link, a pipe or a folder is refused, not written through, and
// nothing hangs.
func TestPlantedLockAndJournal(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, plant := range map[string]func(path string) error{
		"link": func(path string) error { return os.Symlink(victim, path) },
		"pipe": func(path string) error { return unix.Mkfifo(path, 0o666) },
	} {
		dir := t.TempDir()
		for _, name := range []string{lockFile, JournalFile} {
			if err := plant(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := LockFolder(dir, FileMode); err == nil || !strings.Contains(err.Error(), lockFile) {
			t.Errorf("the lock is a %s: %v", kind, err)
		}
		if _, err := OpenJournal(dir); err == nil || !strings.Contains(err.Error(), JournalFile) {
			t.Errorf("the journal is a %s: %v", kind, err)
		}
		if err := Begin(dir, FileMode); err == nil {
			t.Errorf("a new journal where a %s is", kind)
		}
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
		t.Errorf("the victim has %q (%v)", text, err)
	}
}

func TestLockCause(t *testing.T) {
	for _, err := range []error{unix.ENOLCK, unix.ENOTSUP, unix.ENOSYS} {
		if got := lockCause(err); !errors.Is(got, err) || !strings.Contains(got.Error(), "local file system") {
			t.Errorf("%v: %v names no way out", err, got)
		}
	}
	if got := lockCause(unix.EIO); got != unix.EIO {
		t.Errorf("an error of the disk became %v", got)
	}
}
