package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// plant puts something other than a file under a name; victim is what a link points to.
var plant = map[string]func(path, victim string) error{
	"link":          func(path, victim string) error { return os.Symlink(victim, path) },
	"link to none":  func(path, victim string) error { return os.Symlink(victim+".new", path) },
	"relative link": func(path, victim string) error { return os.Symlink("inside", path) },
	"pipe":          func(path, _ string) error { return unix.Mkfifo(path, 0o666) },
	"folder":        func(path, _ string) error { return os.Mkdir(path, 0o700) },
}

func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s hangs", what)
	}
}

// What is no regular file is neither read nor written through, and nothing waits for the other end
// of a pipe.
func TestPlanted(t *testing.T) {
	for kind, make := range plant {
		t.Run(kind, func(t *testing.T) {
			dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
			for _, path := range []string{victim, filepath.Join(dir, "inside")} {
				if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := make(filepath.Join(dir, "name"), victim); err != nil {
				t.Fatal(err)
			}
			f, err := OpenToWrite(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for what, flag := range map[string]int{"read": os.O_RDONLY, "append": os.O_RDWR | os.O_CREATE | os.O_APPEND, "write": os.O_WRONLY | os.O_CREATE} {
				within(t, what, func() {
					file, err := f.OpenFile("name", flag, 0o640)
					if err == nil {
						file.Close()
						t.Errorf("%s: no error", what)
					} else if !strings.Contains(err.Error(), filepath.Join(dir, "name")) || !strings.Contains(err.Error(), "remove it") {
						t.Errorf("%s: %v", what, err)
					}
				})
			}
			within(t, "replace", func() {
				if err := f.Replace("name", []byte("new"), 0o640); (err != nil) != (kind == "folder") {
					t.Errorf("replace: %v", err)
				}
			})
			for _, path := range []string{victim, filepath.Join(dir, "inside")} {
				if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
					t.Errorf("%s has %q (%v), want mine", path, text, err)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".mysweep-*")); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// A device would be opened with effects of its own; only root can plant one.
func TestDevice(t *testing.T) {
	f, err := Open("/dev")
	if err != nil {
		t.Skipf("no /dev: %v", err)
	}
	defer f.Close()
	if _, err := f.OpenFile("null", os.O_RDWR, 0); err == nil {
		t.Error("a device was opened as a file")
	}
}

func TestModes(t *testing.T) {
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	for _, c := range []struct{ file, folder os.FileMode }{{0o640, 0o750}, {0o644, 0o755}, {0o600, 0o700}, {0o660, 0o770}} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		if err := Make(dir, c.file); err != nil {
			t.Fatal(err)
		}
		f, err := OpenToWrite(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Replace("x", nil, c.file); err != nil {
			t.Fatal(err)
		}
		appended, err := f.OpenFile("y", os.O_RDWR|os.O_CREATE|os.O_APPEND, c.file)
		if err != nil {
			t.Fatal(err)
		}
		appended.Close()
		os.Chmod(filepath.Join(dir, "x"), 0o604)
		if err := f.Replace("x", []byte("again"), c.file); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for path, want := range map[string]os.FileMode{dir: c.folder, filepath.Dir(dir): c.folder, dir + "/x": 0o604, dir + "/y": c.file} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s is %v (%v), want %v", path, info.Mode(), err, want)
			}
		}
	}
}

func TestWorldWritable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenToWrite(dir); err == nil || !strings.Contains(err.Error(), "world-writable") {
		t.Errorf("a world-writable folder: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	f, err := OpenToWrite(link)
	if err != nil {
		t.Fatalf("a link to a folder: %v", err)
	}
	f.Close()
}

// Who may write to the folder above can put another folder in its place, unless that one is sticky.
func TestReplaceable(t *testing.T) {
	shared := t.TempDir()
	dir := filepath.Join(shared, "archive", "host")
	if err := Make(dir, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link} {
		for mode, refused := range map[os.FileMode]bool{0o777: true, 0o777 | os.ModeSticky: false, 0o755: false} {
			if err := os.Chmod(shared, mode); err != nil {
				t.Fatal(err)
			}
			f, err := OpenToWrite(path)
			if err == nil {
				f.Close()
			}
			if (err != nil) != refused || refused && !strings.Contains(err.Error(), "chmod +t "+shared) {
				t.Errorf("%s in a folder of mode %v: %v", path, mode, err)
			}
		}
	}
}

// A killed run's temporary files go when they are old; a file that is being written stays.
func TestRemoveStale(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".mysweep-00.tmp", ".mysweep-11.tmp", ".mysweep.lock", "run.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != ".mysweep-11.tmp" {
			day := time.Now().Add(-24 * time.Hour)
			os.Chtimes(filepath.Join(dir, name), day, day)
		}
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.RemoveStale()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 || left[0].Name() != ".mysweep-11.tmp" {
		t.Errorf("left: %v (%v)", left, err)
	}
}
