package testbed

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// runCommands runs a case's commands, outside every clock. The plan has said
// allow_commands, else it would not be valid.
func runCommands(ctx context.Context, list []string) error {
	for _, line := range list {
		if err := runShell(ctx, line); err != nil {
			return fmt.Errorf("command %q: %w", line, err)
		}
	}
	return nil
}

// runShell runs one line in a shell and its children, all of which end when
// the context does; what it leaves in the background, such as a server, goes on.
// What it prints is told only when it fails. It goes to a file in memory,
// which has no name: a pipe would have to wait for the background as well.
func runShell(ctx context.Context, line string) error {
	fd, err := unix.MemfdCreate("mysweep-command", unix.MFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("memfd_create: %w", err)
	}
	output := os.NewFile(uintptr(fd), "mysweep-command")
	defer output.Close()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err = cmd.Run(); err == nil {
		return nil
	}
	out, _ := io.ReadAll(io.NewSectionReader(output, 0, 1<<20))
	text := strings.TrimSpace(string(out))
	if len(text) > 500 {
		text = "..." + text[len(text)-500:]
	}
	if text == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, text)
}
