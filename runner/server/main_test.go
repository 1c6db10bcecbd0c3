package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// childParent names, in a child process of the tests, the folder below which it
// shall start a server and stay until it is killed.
const childParent = "MYSWEEP_TEST_CHILD_PARENT"

func TestMain(m *testing.M) {
	if parent := os.Getenv(childParent); parent != "" {
		serveForever(parent)
	}
	os.Setenv("MYSQL_PWD", "hidden") // no server may see it
	status := m.Run()
	for _, s := range []*Server{common, template} {
		if s != nil {
			s.Stop()
		}
	}
	os.Exit(status)
}

// common is the server of all tests that leave it as they found it: starting
// one for each would take most of the time.
var common *Server

func commonServer(t *testing.T) *Server {
	t.Helper()
	needServer(t)
	if common == nil {
		s, err := StartPrivate(testContext(t), Private{TCP: true, Options: []Option{{Name: "thread_cache_size", Value: "17"}}})
		if err != nil {
			t.Fatal(err)
		}
		common = s
	}
	return common
}

// template is an empty server that has run once, so that its root has a
// password. The data directory of each server that asks for no other is a copy
// of its.
var template *Server

// copyTemplate lets a server start from a copy, where nothing shapes its data
// directory and no other program makes it.
func copyTemplate(t *testing.T, p *Private) {
	t.Helper()
	shapes := func(o Option) bool { return ShapesDatadir(o.Name) }
	if p.CopyDatadirFrom != "" || p.DefaultsFile != "" || p.Mysqld != "" || slices.ContainsFunc(p.Options, shapes) {
		return
	}
	if template == nil {
		made, err := StartPrivate(testContext(t), Private{ForgetPages: true})
		if err != nil {
			t.Fatal(err)
		}
		made.Pause()
		template = made
	}
	p.CopyDatadirFrom = template.Datadir()
}

// needServer is servertest.Needed, which imports this package.
func needServer(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server: run without -short")
	}
}

// serveForever is the child: a mysweep that is going to be killed.
func serveForever(parent string) {
	s, err := StartPrivate(context.Background(), Private{
		DatadirParent: parent, Mysqld: os.Getenv("MYSWEEP_TEST_CHILD_MYSQLD"),
	})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("pid", s.PID())
	select {}
}

// child runs the test binary again as the given user (0: ours) and returns it
// together with the pid of the server that it started.
func child(t *testing.T, parent, mysqld string, uid uint32) (*exec.Cmd, int) {
	t.Helper()
	needServer(t)
	program := copyTestBinary(t)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), childParent+"="+parent, "MYSWEEP_TEST_CHILD_MYSQLD="+mysqld)
	cmd.Stderr = os.Stderr
	if uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line := make([]byte, 4096)
	n, _ := out.Read(line)
	var pid int
	if _, err := fmt.Sscanf(string(line[:n]), "pid %d", &pid); err != nil || pid == 0 {
		t.Fatalf("the child said %q", line[:n])
	}
	return cmd, pid
}

// copyTestBinary puts it where another user may run it.
func copyTestBinary(t *testing.T) string {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(parentFolder(t), "server.test")
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeScript makes an executable shell script that others may run.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(parentFolder(t), "script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// wrapperScript stands in front of the server that is installed.
func wrapperScript(t *testing.T, format string) string {
	t.Helper()
	binary, err := FindBinary(testContext(t), "")
	if err != nil {
		t.Fatal(err)
	}
	return writeScript(t, strings.ReplaceAll(format, "MYSQLD", binary.Path))
}

// runs says whether the process is there and no zombie.
func runs(pid int) bool {
	s, err := readStat(pid)
	return err == nil && !s.Dead()
}

// eventually waits for something that takes a moment.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Errorf("%s: not within 20 s", what)
}

// testContext ends with the test, and after a time that no healthy server needs.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// startServer starts a private server that the test's end stops.
func startServer(t *testing.T, p Private) *Server {
	t.Helper()
	needServer(t)
	if p.DatadirParent == "" {
		p.DatadirParent = parentFolder(t)
	}
	copyTemplate(t, &p)
	s, err := StartPrivate(testContext(t), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// parentFolder is on a disk and open to the server's account.
func parentFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "mysweep-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// empty says what is left in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind in %s: %v %v", dir, left, err)
	}
}

// noFolderIn fails if a private server's folder is left in a folder that others use, too.
func noFolderIn(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, folderPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// exec1 runs one statement on the observer's connection.
func exec1(t *testing.T, s *Target, query string) {
	t.Helper()
	if _, err := s.observer.ExecContext(testContext(t), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// ask reads one value.
func ask(t *testing.T, s *Target, query string) string {
	t.Helper()
	var value string
	if err := s.observer.QueryRowContext(testContext(t), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func contains(err error, text string) bool { return strings.Contains(err.Error(), text) }
