package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// called runs a command line in this process; one that does not end within a minute fails the test.
func called(t testing.TB, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	w := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Width: 80}
	done := make(chan int, 1)
	go func() { done <- Main(append([]string{"mysweep"}, args...), w) }()
	select {
	case status = <-done:
		return status, out.String(), errs.String()
	case <-time.After(time.Minute):
		t.Fatalf("mysweep %s hangs", strings.Join(args, " "))
		return 0, "", ""
	}
}

// keptRun writes the archive of a made-up run, without the files that follow from it.
func keptRun(t testing.TB, dir string, mode os.FileMode) {
	t.Helper()
	a := sample.Archive([]int{1, 4}, []int{10}, 2)
	if err := folder.Make(dir, mode); err != nil {
		t.Fatal(err)
	}
	if err := result.Begin(dir, mode); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteRun(dir, &a.Run); err != nil {
		t.Fatal(err)
	}
	journal, err := result.OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	for i := range a.Trials {
		if err := journal.Append(&a.Trials[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// The archive's root, its folders of hosts and its runs may be links; a run that two ways lead to
// is one run.
func TestLinkedArchive(t *testing.T) {
	disk, archive := t.TempDir(), t.TempDir()
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(disk, "db3", "2026-03-14T03-00-00Z-nightly")
	keptRun(t, run, 0o640)
	if status, _, stderr := called(t, "report", run); status != 0 {
		t.Fatalf("report: %d %s", status, stderr)
	}
	root := filepath.Join(t.TempDir(), "root")
	for _, kind := range []struct {
		name string
		make func() string
	}{ // each builds on the one before
		{"a folder of a host", func() string { link(filepath.Join(disk, "db3"), filepath.Join(archive, "db3")); return archive }},
		{"the root", func() string { link(archive, root); return root }},
		{"a loop and a second way", func() string {
			link(archive, filepath.Join(archive, "loop"))
			link(run, filepath.Join(disk, "db3", "latest"))
			return root
		}},
		{"a run", func() string {
			alone := filepath.Join(t.TempDir(), "db3")
			if err := os.Mkdir(alone, 0o750); err != nil {
				t.Fatal(err)
			}
			link(run, filepath.Join(alone, "moved"))
			return filepath.Dir(alone)
		}},
	} {
		name, where := kind.name, kind.make()
		if runs, err := findRuns(where); err != nil || len(runs) != 1 {
			t.Errorf("%s is a link: %d runs (%v), want 1", name, len(runs), err)
		}
		if status, _, stderr := called(t, "index", where); status != 0 {
			t.Errorf("%s is a link: index: %d %s", name, status, stderr)
		}
		if name != "the root" {
			continue // drawing a mail takes seconds
		}
		if status, stdout, stderr := called(t, "mail", "--to", "dba@example.org", "--latest", where); status != 0 || !strings.Contains(stdout, "Subject:") {
			t.Errorf("%s is a link: mail: %d %s", name, status, stderr)
		}
	}
}

// What stands under the name of an archive's file and is none is refused by name, and nothing waits
// for it.
func TestPlantedFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{result.RunFile, []string{"report"}}, {result.JournalFile, []string{"report"}}, {result.JournalFile, []string{"compare", "DIR"}},
		{result.JournalFile, []string{"mail", "--to", "dba@example.org"}}, {result.RunFile, []string{"mail", "--to", "dba@example.org"}},
	} {
		for kind, plant := range map[string]func(path, victim string) error{
			"link": func(path, victim string) error { return os.Symlink(victim, path) },
			"pipe": func(path, _ string) error { return unix.Mkfifo(path, 0o666) },
		} {
			dir := filepath.Join(t.TempDir(), "run")
			keptRun(t, dir, 0o640)
			victim := filepath.Join(t.TempDir(), "victim")
			if err := os.Rename(filepath.Join(dir, c.name), victim); err != nil {
				t.Fatal(err)
			}
			if err := plant(filepath.Join(dir, c.name), victim); err != nil {
				t.Fatal(err)
			}
			args := append([]string{}, c.args...)
			for i := range args {
				args[i] = strings.Replace(args[i], "DIR", dir, 1)
			}
			status, _, stderr := called(t, append(args, dir)...)
			if status == 0 || !strings.Contains(stderr, filepath.Join(dir, c.name)) || !strings.Contains(stderr, "remove it") {
				t.Errorf("%s, whose %s is a %s: exit %d: %s", c.args[0], c.name, kind, status, stderr)
			}
		}
	}
}

// A report that is a link is replaced, not followed, and what is written has the archive's mode.
func TestReportModes(t *testing.T) {
	for _, mode := range []os.FileMode{0o640, 0o644, 0o600} {
		dir, victim := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "victim")
		keptRun(t, dir, mode)
		if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(victim, filepath.Join(dir, "report.html")); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := called(t, "report", dir); status != 0 {
			t.Fatalf("report: %d %s", status, stderr)
		}
		if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
			t.Errorf("the report was written through a link: %.20q %v", text, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) < 8 {
			t.Errorf("%d files (%v)", len(entries), err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || info.Mode() != mode {
				t.Errorf("%s is %v (%v), want %v", e.Name(), info.Mode(), err, mode)
			}
		}
	}
}

func TestFileMode(t *testing.T) {
	for _, c := range []struct {
		text  string
		umask os.FileMode
		want  os.FileMode // 0: refused
	}{
		{"", 0o022, 0o640}, {"", 0o077, 0o600}, {"", 0, 0o640}, {"0644", 0o077, 0o644}, {"600", 0, 0o600}, {"0660", 0o022, 0o660},
		{"0666", 0, 0}, {"0755", 0, 0}, {"0040", 0, 0}, {"640x", 0, 0}, {"1640", 0, 0}, {"9", 0, 0}, {"-1", 0, 0},
	} {
		mode, err := fileMode(c.text, c.umask)
		if mode != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("--mode %q with umask %v: %v %v, want %v", c.text, c.umask, mode, err, c.want)
		}
	}
}

// A world-writable folder takes no archive, whichever flag names it.
func TestWorldWritableArchive(t *testing.T) {
	servertest.Needed(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--out", "--archive"} {
		status, _, stderr := called(t, "run", "--private", flag, dir)
		if status != exitUsage || !strings.Contains(stderr, "world-writable") {
			t.Errorf("%s: exit %d: %s", flag, status, stderr)
		}
	}
}
