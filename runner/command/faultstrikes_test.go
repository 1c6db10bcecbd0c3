package command_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/mysweep/mysweep/runner/server"
)

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// killSessions kills all sessions of mysweep on the server.
func (c *cell) killSessions() {
	c.Helper()
	schema := c.database
	if c.private {
		schema = "mysweep"
	}
	ids := strings.Fields(c.sql("SELECT id FROM information_schema.processlist WHERE db = '" + schema + "'"))
	if len(ids) == 0 {
		c.Fatal("mysweep has no session")
	}
	for _, id := range ids {
		// It may have gone.
		exec.Command("mysql", "--defaults-file="+c.clientFile(), "-e", "KILL "+id).Run()
	}
}

// second starts a second run while the first is on: it is refused where both would use the same
// tables, and runs beside it on a private server.
func (c *cell) second() {
	c.Helper()
	args := c.arguments()[1:]
	other := filepath.Join(c.dir, "second")
	for i, arg := range args {
		if arg == c.out {
			args[i] = other
		}
	}
	want := 5
	if c.private {
		want = 0
	}
	if got := c.again(args...); got != want {
		c.Errorf("the second run exits with %d, want %d; stderr:\n%s", got, want, c.stderr.String())
	}
	if _, err := os.Stat(other); want != 0 && err == nil {
		c.Error("the second run, which was refused, made a folder")
	}
}

// ownProgram has a private server start from a program of its own, which can be removed.
func (c *cell) ownProgram() {
	c.Helper()
	if !c.private {
		return
	}
	binary, err := server.FindBinary(c.Context(), "")
	if err != nil {
		c.Fatal(err)
	}
	text := "#!/bin/sh\nexec '" + binary.Path + "' \"$@\"\n"
	if err := os.WriteFile(c.program(), []byte(text), 0o755); err != nil {
		c.Fatal(err)
	}
	c.more = []string{"--mysqld", c.program()}
}

func (c *cell) program() string { return filepath.Join(c.dir, "mysqld") }

func (c *cell) removeProgram() {
	c.Helper()
	if !c.private {
		return
	}
	if err := os.Remove(c.program()); err != nil {
		c.Fatal(err)
	}
}

// impatient interrupts mysweep twice, with so long between as the server keeps it from ending.
func (c *cell) impatient() {
	c.Helper()
	pid := c.pid()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		c.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	c.signal(syscall.SIGINT, false)
	time.Sleep(1200 * time.Millisecond)
	if len(c.exit) > 0 {
		c.Fatal("mysweep has ended without the server")
	}
	c.signal(syscall.SIGINT, false)
}

// mountOut makes the output a file system of its own.
func (c *cell) mountOut(options string) {
	c.Helper()
	if err := os.Mkdir(c.out, 0o750); err != nil {
		c.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", c.out, "tmpfs", 0, options); err != nil {
		c.Skipf("no file system can be mounted here: %v", err)
	}
	c.Cleanup(func() { syscall.Unmount(c.out, syscall.MNT_DETACH) })
}

// fillOut leaves no byte of the output's file system.
func (c *cell) fillOut() {
	c.Helper()
	f, err := os.Create(filepath.Join(c.out, "filler"))
	if err != nil {
		c.Fatal(err)
	}
	defer f.Close()
	if n, err := io.Copy(f, io.LimitReader(zeros{}, 100<<20)); err == nil {
		c.Fatalf("the file system took %d bytes", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// freezeOut makes the output read-only, with the journal open.
func (c *cell) freezeOut() {
	c.Helper()
	if out, err := exec.Command("mount", "-o", "remount,ro,force", c.out).CombinedOutput(); err != nil {
		// An open journal keeps a file system writable: a read-only mount over it does as well.
		c.Logf("remount: %v: %s", err, out)
		if err := syscall.Mount(c.out, c.out, "", syscall.MS_BIND, ""); err != nil {
			c.Fatal(err)
		}
		c.Cleanup(func() { syscall.Unmount(c.out, syscall.MNT_DETACH) })
		if err := syscall.Mount("", c.out, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			c.Fatal(err)
		}
	}
}
