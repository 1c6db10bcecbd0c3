package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// A limit on what the server does not have is bad input on a private server as well, and load above
// --critical-load has a note of its own with value and limit.
func TestLoadLimitsOfPrivateServer(t *testing.T) {
	for _, c := range []struct {
		flag, limit  string
		status       int
		stderr, code string
	}{
		{"--max-load", "Threads_connected=0,nonsense=1", exitUsage, "no numeric status variable nonsense", "failed"},
		{"--critical-load", "Threads_connected=0", exitFailed, "limit 0 (--critical-load)", "critical-load"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		status, _, stderr := called(t, "run", "--private", "-t", "1", "-q", "1", "--rows", "100", "--quiet", c.flag, c.limit, "--out", out)
		if status != c.status || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s %s: exit %d: %s", c.flag, c.limit, status, stderr)
		}
		a, err := result.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, n := range a.Run.Notes {
			found = found || n.Code == c.code && strings.Contains(n.Text, c.stderr)
		}
		if !found || len(a.Trials) > 0 {
			t.Errorf("%s %s: %d trials, notes %v; want the note %s", c.flag, c.limit, len(a.Trials), a.Run.Notes, c.code)
		}
	}
}

// An option file that is ignored is a note of the run where it would have counted.
func TestIgnoredOptionFileIsNoted(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".my.cnf")
	if err := os.WriteFile(path, []byte("[client]\nuser=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	w := Env{Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
	existing := map[string]*server.Endpoint{"default": {}}
	notes, err := withIgnoredFile(nil, w, "", existing)
	if err != nil || len(notes) != 1 || notes[0].Code != "option-file-ignored" || !strings.Contains(notes[0].Text, path) {
		t.Errorf("notes %v, %v; want option-file-ignored", notes, err)
	}
	if notes, err = withIgnoredFile(nil, w, "named.cnf", existing); err != nil || len(notes) > 0 {
		t.Errorf("with a named file: %v, %v", notes, err)
	}
}
