package remote

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/series"
)

// server starts a real sshd on loopback, with keys made here.
func server(t *testing.T) Host {
	t.Helper()
	if testing.Short() {
		t.Skip("starts sshd: run without -short")
	}
	sshd := "/usr/sbin/sshd"
	for _, program := range []string{sshd, "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
	dir := t.TempDir()
	key(t, filepath.Join(dir, "host"))
	key(t, filepath.Join(dir, "user"))
	port := freePort(t)
	config := fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPidFile none\nLogLevel QUIET\n", port, dir, dir)
	if err := os.WriteFile(filepath.Join(dir, "sshd_config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		os.MkdirAll("/run/sshd", 0o755) // where sshd drops its rights
	}
	cmd := exec.Command(sshd, "-D", "-f", filepath.Join(dir, "sshd_config"))
	if err := cmd.Start(); err != nil {
		t.Skipf("sshd: %v", err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	public, err := os.ReadFile(filepath.Join(dir, "host.pub"))
	if err != nil {
		t.Fatal(err)
	}
	known := filepath.Join(dir, "known_hosts")
	if err := os.WriteFile(known, fmt.Appendf(nil, "[127.0.0.1]:%d %s", port, public), 0o600); err != nil {
		t.Fatal(err)
	}
	awaitPort(t, port)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return Host{Name: me.Username + "@127.0.0.1", Args: []string{"-F", "none", "-p", fmt.Sprint(port), "-i", filepath.Join(dir, "user"),
		"-o", "IdentitiesOnly=yes", "-o", "UserKnownHostsFile=" + known, "-o", "GlobalKnownHostsFile=none"}}
}

func key(t *testing.T, path string) {
	t.Helper()
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func awaitPort(t *testing.T, port int) {
	t.Helper()
	for range 200 {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Skip("sshd does not come up here")
}

// What is read over ssh of this machine must be what is read here.
func TestFactsAreThoseReadHere(t *testing.T) {
	h := server(t)
	over, err := Facts(t.Context(), h, hwinfo.Options{Datadir: "/tmp"})
	if err != nil {
		t.Fatal(err)
	}
	here := hwinfo.Read(t.Context(), hwinfo.Options{Root: os.DirFS("/"), Datadir: "/tmp"})
	compared := 0
	for _, fact := range here.List {
		if changing(fact.Key) {
			continue
		}
		compared++
		got, _ := over.Get(fact.Key)
		if got != fact.Value {
			t.Errorf("%s = %v over ssh, %v here (%s)", fact.Key, got, fact.Value, fact.Source)
		}
	}
	if compared < 50 {
		t.Errorf("only %d facts compared", compared)
	}
	for _, fact := range over.List {
		if !here.Has(fact.Key) {
			t.Errorf("%s = %v over ssh only", fact.Key, fact.Value)
		}
	}
}

// changing facts differ from one moment to the next, or belong to the process that reads.
func changing(key string) bool {
	for _, prefix := range []string{"load.", "memory.available", "memory.free", "memory.dirty", "memory.swap_free", "system.uptime", "limit.",
		"processes.", "users.", "cpu.mhz_current", "kernel.entropy", "memory.limit", "cpu.quota", "psi.", "sysctl.fs.aio-nr", "idle.", "system.top", "system.cpu_consumers", "virtualization.container"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

func TestSeriesOfAHost(t *testing.T) {
	h := server(t)
	source, err := Open(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	s := series.New(source, series.Options{Interval: 300 * time.Millisecond, RunnableInterval: 50 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	from, err := s.Mark(ctx)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	to, err := s.Mark(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run: %v", err)
	}
	w := s.Between(from, to)
	if w.Total == nil || len(w.CPUs) == 0 || len(w.Samples) == 0 || w.RunnableMean == nil || w.LoadAfter == nil {
		t.Errorf("window %+v", w)
	}
	if _, ok := w.Values["memory.available_bytes"]; !ok {
		t.Errorf("no memory in %v", w.Values)
	}
}

// A connection that breaks leaves a gap, and is opened again.
func TestSeriesAfterABreak(t *testing.T) {
	h := server(t)
	source, err := Open(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	read := func() (n int, err error) {
		_, err = source.Read(t.Context(), []string{"/proc/stat", "/proc/uptime"}, func(int, []byte) { n++ })
		return n, err
	}
	if n, err := read(); n != 2 || err != nil {
		t.Fatalf("%d files, %v", n, err)
	}
	source.cmd.Process.Kill()
	if _, err := read(); err == nil {
		t.Error("no error though the connection is gone")
	}
	if _, err := read(); err == nil {
		t.Error("a new connection without a rest")
	}
	source.broken = source.broken.Add(-retryAfter)
	if n, err := read(); n != 2 || err != nil {
		t.Errorf("after the rest: %d files, %v", n, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	h := server(t)
	stranger := filepath.Join(t.TempDir(), "stranger")
	key(t, stranger)
	withKey := func(path string) Host {
		o := Host{Name: h.Name, Args: append([]string(nil), h.Args...)}
		for i := range o.Args {
			if o.Args[i] == "-i" {
				o.Args[i+1] = path
			}
		}
		return o
	}
	rows := []struct {
		why  string
		host Host
		want []string
	}{
		{"a key that is not accepted", withKey(stranger), []string{h.Name, "Permission denied", "ssh-agent"}},
		{"nobody listens", Host{Name: "127.0.0.1", Args: []string{"-F", "none", "-p", fmt.Sprint(freePort(t))}}, []string{"refused", "sshd"}},
		{"no ssh client", Host{Name: "h", Command: "/nowhere/ssh"}, []string{"ssh to h", "not installed"}},
		{"an option in place of a name", Host{Name: "-oProxyCommand=touch /tmp/x"}, []string{"invalid host name"}},
		{"a host key that nobody has accepted", Host{Name: h.Name, Args: append([]string{"-o", "UserKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=yes"}, h.Args...)}, []string{"Host key verification failed"}},
	}
	for _, row := range rows {
		for what, err := range map[string]error{"facts": factsError(t, row.host), "series": openError(t, row.host)} {
			if err == nil {
				t.Errorf("%s: %s: no error", row.why, what)
				continue
			}
			for _, want := range row.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %s: %v, want %q in it", row.why, what, err, want)
				}
			}
		}
	}
}

func factsError(t *testing.T, h Host) error {
	_, err := Facts(t.Context(), h, hwinfo.Options{})
	return err
}

func openError(t *testing.T, h Host) error {
	s, err := Open(t.Context(), h)
	if err == nil {
		s.Close()
	}
	return err
}

// A host that hangs ends the reading in time, and says so.
func TestAHostThatHangs(t *testing.T) {
	hanging := filepath.Join(t.TempDir(), "ssh")
	if err := os.WriteFile(hanging, []byte("#!/bin/sh\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := Open(ctx, Host{Name: "h", Command: hanging})
	if err == nil || time.Since(began) > 20*time.Second {
		t.Errorf("Open: %v after %v", err, time.Since(began))
	}
	if _, err := Facts(ctx, Host{Name: "h", Command: hanging}, hwinfo.Options{}); err == nil {
		t.Error("Facts of a host that hangs: no error")
	}
}

// client writes a shell script that takes the place of ssh; $1 to $n end with the command for the
// host.
func client(t *testing.T, text string) Host {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ssh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Host{Name: "h", Command: path}
}

// The master of a shared connection keeps the output open after the answer: it counts, and is not
// waited for.
func TestOutputHeldOpen(t *testing.T) {
	if _, err := os.Stat("/proc/cpuinfo"); err != nil {
		t.Skip(err)
	}
	for what, redirect := range map[string]string{"stderr": ">/dev/null", "stdout": "2>/dev/null", "both": ""} {
		began := time.Now()
		h := client(t, "sleep 60 "+redirect+" </dev/null & exec sh")
		facts, err := Facts(t.Context(), h, hwinfo.Options{})
		if err != nil || len(facts.List) < 20 {
			t.Errorf("%s: %d facts, %v", what, len(facts.List), err)
		}
		if took := time.Since(began); took > 45*time.Second {
			t.Errorf("%s: waited %v", what, took)
		}
	}
}

// An account without a login shell is told as such, with what it printed.
func TestNoLoginShell(t *testing.T) {
	for text, want := range map[string]string{
		"exit 1": "exit status 1; the login works, but no POSIX shell answers",
		"echo This account is currently not available.; exit 1": "This account is currently not available.; the login works",
	} {
		h := client(t, text)
		if err := factsError(t, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: facts: %v; want %q", text, err, want)
		}
		if err := openError(t, h); err == nil || !strings.Contains(err.Error(), "no POSIX shell answers") {
			t.Errorf("%s: series: %v", text, err)
		}
	}
}

// The answer of an odd host: a banner first, empty files, files without a line end, links with
// blanks.
func TestParse(t *testing.T) {
	answer := "Welcome!\n\nT B  \n1-2-3\n\nT N /proc/version \n\nT N /empty \n\nT L /a/b /c d/e\n\nT N /sys/x \n" +
		"\nT C  \nLinux version 1\n1-2-3\n1-2-3\n71-2-3\n\nT N /two \n\nT C  \na\nb\n1-2-3\n\nT E  \nlater"
	files, links, whole := parse([]byte(answer), "T")
	want := map[string]string{"/proc/version": "Linux version 1\n", "/empty": "", "/sys/x": "7", "/two": "a\nb\n"}
	if !whole || len(files) != len(want) {
		t.Errorf("whole %v, files %q", whole, files)
	}
	for path, content := range want {
		if got, ok := files[path]; !ok || string(got) != content {
			t.Errorf("%s = %q, want %q", path, got, content)
		}
	}
	if links["/a/b"] != "/c d/e" {
		t.Errorf("links %v", links)
	}
	if _, _, whole := parse([]byte(answer[:len(answer)-12]), "T"); whole {
		t.Error("a cut answer passes as whole")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\nT B\n1\n\nT N /a \n\nT C\nx1\n\nT L /b /c\nT E  \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, links, _ := parse(data, "T")
		root := hwinfo.Memory(files, links)
		hwinfo.Read(context.Background(), hwinfo.Options{Root: root})
		if _, err := fs.ReadDir(root, "."); err != nil {
			t.Error(err)
		}
	})
}
