package sweep

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// commands runs a case's commands, outside every clock. The plan has said
// allow_commands, else it would not be valid.
func (s *sweep) commands(ctx context.Context, list []string) error {
	for _, line := range list {
		if err := runShell(ctx, line); err != nil {
			return fmt.Errorf("command %q: %w", line, err)
		}
	}
	return nil
}

// runShell runs one line in a shell and its children, all of which end when
// the context does. What it prints is told only when it fails.
func runShell(ctx context.Context, line string) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	text := strings.TrimSpace(string(out))
	if len(text) > 500 {
		text = "..." + text[len(text)-500:]
	}
	if text == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, text)
}
