package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// undoParent is a folder like /var/tmp: everybody may write there.
func undoParent(t *testing.T) UndoFiles {
	t.Helper()
	u := UndoFiles{Parent: t.TempDir()}
	if err := os.Chmod(u.Parent, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	return u
}

func namesOf(found []UndoFile) []string {
	var names []string
	for _, f := range found {
		names = append(names, filepath.Base(f.Path)+"="+string(f.Data))
	}
	slices.Sort(names)
	return names
}

func TestUndoFiles(t *testing.T) {
	u := undoParent(t)
	for _, name := range []string{"aa-1.json", "aa-2.json", "bb-1.json"} {
		if err := u.Write(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	folders, _ := filepath.Glob(filepath.Join(u.Parent, "*"))
	if len(folders) != 1 {
		t.Fatalf("%v: want one folder of this user's own", folders)
	}
	if info, err := os.Stat(folders[0]); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		t.Errorf("%s is %v (%v), want a folder with mode 0700", folders[0], info.Mode(), err)
	}
	found, ignored, err := u.Read("aa-")
	if want := []string{"aa-1.json=aa-1.json", "aa-2.json=aa-2.json"}; err != nil || len(ignored) > 0 || !slices.Equal(namesOf(found), want) {
		t.Errorf("found %v, ignored %v, %v; want %v", namesOf(found), ignored, err, want)
	}
	u.Remove("aa-1.json")
	u.Remove("none")
	if err := found[slices.IndexFunc(found, func(f UndoFile) bool { return filepath.Base(f.Path) == "aa-2.json" })].Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folders[0]); err != nil {
		t.Errorf("the folder went although a file is in it: %v", err)
	}
	u.Remove("bb-1.json")
	if left, _ := filepath.Glob(filepath.Join(u.Parent, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(u.Parent); err != nil {
		t.Errorf("the parent of all went: %v", err)
	}
}

// What others have put where our files are looked for blocks nothing, is not trusted and is named;
// what an earlier version of ours has written beside the folder still counts.
func TestUndoFilesOfOthers(t *testing.T) {
	u := undoParent(t)
	path := func(name string) string {
		return filepath.Join(u.Parent, fmt.Sprintf("mysweep-undo-%d-%s", os.Geteuid(), name))
	}
	for name, plant := range map[string]func(path string) error{
		"aa-link.json":   func(path string) error { return os.Symlink("/etc/passwd", path) },
		"aa-pipe.json":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"aa-open.json":   func(path string) error { return writeWith(path, "forged", 0o666) },
		"folder-open":    func(path string) error { return os.Mkdir(path, 0o755) },
		"aa-before.json": func(path string) error { return writeWith(path, "old", 0o600) },
	} {
		if err := plant(path(name)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{path("aa-link.json"), path("aa-open.json"), path("aa-pipe.json"), path("folder-open")}
	if os.Geteuid() == 0 {
		for _, name := range []string{"aa-foreign.json", "folder-foreign"} {
			if err := writeWith(path(name), "forged", 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(path(name), 65534, 65534); err != nil {
				t.Fatal(err)
			}
			want = append(want, path(name))
		}
	}
	slices.Sort(want)
	if err := u.Write("aa-new.json", []byte("new")); err != nil {
		t.Fatalf("blocked: %v", err)
	}
	found, ignored, err := u.Read("aa-")
	slices.Sort(ignored)
	if err != nil || !slices.Equal(ignored, want) {
		t.Errorf("ignored %v (%v), want %v", ignored, err, want)
	}
	if got := namesOf(found); !slices.Equal(got, []string{"aa-new.json=new", fmt.Sprintf("mysweep-undo-%d-aa-before.json=old", os.Geteuid())}) {
		t.Errorf("found %v", got)
	}
	for _, f := range found {
		if err := f.Remove(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path("aa-before.json")); !os.IsNotExist(err) {
		t.Errorf("the file of an earlier version is still there: %v", err)
	}
}

func writeWith(path, text string, mode os.FileMode) error {
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		return err
	}
	return os.Chmod(path, mode)
}
