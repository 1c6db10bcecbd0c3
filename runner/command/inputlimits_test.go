package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Files that a user names and that have no end, or no writer, are refused soon.
func TestEndlessInput(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, []byte("name: "+strings.Repeat("x", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.yaml")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string // in the complaint; "": any
	}{
		{[]string{"plan", large}, "too large"},
		{[]string{"plan", "/dev/zero"}, "too large"},
		{[]string{"plan", "--rows", "99999999999999999"}, "at most 1000000000000"},
		{[]string{"plan", "--rows", "99999999999999999999"}, "at most 1000000000000"},
		{[]string{"plan", "/dev/null"}, "plan file is empty"},
		{[]string{"run", "--private", "/dev/null"}, "plan file is empty"},
		{[]string{"plan", fifo}, "plan file is empty"},
		{[]string{"plan", empty}, "plan file is empty"},
		{[]string{"plan", "-"}, "plan file is empty"},
		{[]string{"plan", "--sql", "/dev/zero"}, "too large"},
		{[]string{"plan", "--smack", "/dev/zero"}, "too large"},
		{[]string{"plan", "--sql", fifo}, ""},
		{[]string{"plan", "--smack", fifo}, ""},
		{[]string{"plan", "-t", "1:10000:1", "-q", "1:10000:1"}, "at most 1000000 are allowed"},
		{[]string{"run", "--private", "-w", "oltp_read_only", "--tables", "1000000000"}, "must be at most 100000"},
	} {
		if status, _, stderr := called(t, c.args...); status != exitUsage || !strings.Contains(stderr, c.want) || len(stderr) > 2000 {
			t.Errorf("%v: exit %d: %.300s", c.args, status, stderr)
		}
	}
}
