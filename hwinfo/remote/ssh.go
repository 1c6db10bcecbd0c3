package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Host is a machine as ssh addresses it.
type Host struct {
	Name    string   // as ssh takes it: HOST, USER@HOST, or a name of its configuration
	Args    []string // more arguments of ssh, e.g. -p 2222 -i KEY
	Command string   // the client; empty means ssh
}

// waitMax bounds the wait for ssh to end after its input is closed.
const waitMax = 3 * time.Second

// command builds the call of ssh that runs remote in a shell of the host.
func (h Host) command(ctx context.Context, remote string) (*exec.Cmd, *tail, error) {
	if h.Name == "" || strings.HasPrefix(h.Name, "-") {
		return nil, nil, fmt.Errorf("ssh: invalid host name %q", h.Name)
	}
	client := h.Command
	if client == "" {
		client = "ssh"
	}
	args := []string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"}
	args = append(append(args, h.Args...), "--", h.Name, remote)
	cmd := exec.CommandContext(ctx, client, args...)
	cmd.WaitDelay = waitMax
	said := &tail{}
	cmd.Stderr = said
	return cmd, said, nil
}

// sshFailed is the exit status of ssh for failures of its own; any other one is
// that of the host's shell.
const sshFailed = 255

// explain returns the failure of ssh as an error with a hint.
func (h Host) explain(err error, said string) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("ssh to %s: the ssh client is not installed (package openssh-client)", h.Name)
	}
	said = strings.TrimSpace(said)
	hint := ""
	switch lower := strings.ToLower(said); {
	case strings.Contains(lower, "permission denied"), strings.Contains(lower, "too many authentication"):
		hint = "; no password is asked for: load a key into ssh-agent, or name it in ~/.ssh/config, so that `ssh -o BatchMode=yes " + h.Name + " true` works"
	case strings.Contains(lower, "host key verification failed"):
		hint = "; log in once by hand to accept the host's key"
	case strings.Contains(lower, "could not resolve"), strings.Contains(lower, "name or service not known"):
		hint = "; is the name right?"
	case strings.Contains(lower, "refused"), strings.Contains(lower, "timed out"), strings.Contains(lower, "no route"):
		hint = "; is sshd running there, and the port right?"
	}
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() > 0 && status.ExitCode() != sshFailed {
		hint = "; the login works, but no POSIX shell answers: is the login shell of the account nologin, false or restricted?"
	}
	if said == "" {
		said = err.Error()
	}
	return fmt.Errorf("ssh to %s: %s%s", h.Name, said, hint)
}

// tail keeps the last bytes of the error output of ssh.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailMax = 1000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - tailMax; extra > 0 {
		t.buf = append([]byte(nil), t.buf[extra:]...)
	}
	return len(p), nil
}

// String joins the lines that are not empty.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range bytes.Lines(t.buf) {
		if s := strings.TrimSpace(string(line)); s != "" {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "; ")
}
