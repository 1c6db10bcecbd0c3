package command_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/command"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestBadInput: each of more than 200 wrong inputs is answered by its exit status and one message,
// and nothing is started for it: no folder, no server, no connection.
func TestBadInput(t *testing.T) {
	servertest.Needed(t)
	t.Chdir(t.TempDir())
	badFiles(t)
	before := namesIn(t, ".")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			call, err := listener.Accept()
			if err != nil {
				return
			}
			t.Error("a server was called")
			call.Close()
		}
	}()
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	for _, row := range badRows {
		status, stdout, stderr := inProcess(strings.Fields(strings.ReplaceAll(row.line, "PORT", port)))
		if status != row.status || !strings.HasPrefix(stderr, "mysweep: ") || !strings.Contains(stderr, row.says) || stdout != "" {
			t.Errorf("%s: exit status %d, want %d; stdout %q, stderr %q, want %q in it", row.line, status, row.status, stdout, stderr, row.says)
		}
		if n := messages(stderr); n != 1 && !strings.Contains(row.line, "utf-8!") && !strings.Contains(row.line, "bursts") {
			t.Errorf("%s: %d messages, want one: %q", row.line, n, stderr)
		}
	}
	if after := namesIn(t, "."); !slices.Equal(before, after) {
		t.Errorf("the folder has %v; want %v", after, before)
	}
}

// messages counts the messages of stderr; lines that quote a plan file belong to the one before.
func messages(stderr string) (n int) {
	if strings.Contains(stderr, "plan file") {
		return 1
	}
	return strings.Count(stderr, "\n")
}

// inProcess runs a command line, before which NAME=value may set the environment.
func inProcess(words []string) (status int, stdout, stderr string) {
	env := map[string]string{"HOME": "/nonexistent", "PATH": os.Getenv("PATH")}
	for ; strings.Contains(words[0], "="); words = words[1:] {
		name, value, _ := strings.Cut(words[0], "=")
		env[name] = value
	}
	var out, err bytes.Buffer
	w := command.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Getenv: func(name string) string { return env[name] }, Width: 80}
	status = command.Main(append([]string{"mysweep"}, words...), w)
	return status, out.String(), err.String()
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
