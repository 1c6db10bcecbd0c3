package command_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// faultTime is the longest that anything of a cell may take, on a busy machine.
const faultTime = 2 * time.Minute

// cell is one run of mysweep that a fault hits.
type cell struct {
	*testing.T
	setting
	dir      string // of its own; removed at the end
	out      string // the archive
	parent   string // of the private server's folder
	datadir  string // that a private server copies
	database string
	options  string // the option file of the existing server, "" when there is none
	server   *server.Server
	link     *link // the network to the existing server, nil when there is none
	env      []string
	wrap     []string // before mysweep
	more     []string // further flags
	sweep    []string // other flags than those of four trials
	run      *exec.Cmd
	stderr   bytes.Buffer
	exit     chan int
	status   int
}

// setting says how mysweep reaches its server.
type setting struct {
	private, tcp bool
	loadgen      string
}

func (s setting) String() string {
	words := map[bool]string{true: "private", false: "existing"}[s.private]
	return words + map[bool]string{true: " tcp ", false: " socket "}[s.tcp] + s.loadgen
}

// faultServers are for all cells: a server that stands for one of somebody's, for faults that are
// not its own, and a data directory that private servers copy, which is faster than making one.
type faultServers struct {
	existing *server.Server
	datadir  string
	cells    atomic.Int32
}

func newFaultServers(t *testing.T) *faultServers {
	t.Helper()
	template := servertest.Start(t, server.Private{AllowMemory: true})
	template.Pause()
	return &faultServers{existing: servertest.Start(t, server.Private{MaxConnections: 200, TCP: true, AllowMemory: true}), datadir: template.Datadir()}
}

// newCell makes a cell, with a server of its own if the fault is the server's.
func (servers *faultServers) newCell(t *testing.T, s setting, ownServer bool) *cell {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "mysweep-fault-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &cell{T: t, setting: s, dir: dir, out: filepath.Join(dir, "out"), parent: filepath.Join(dir, "servers"), exit: make(chan int, 1),
		datadir: servers.datadir, database: fmt.Sprintf("faults_%d", servers.cells.Add(1))}
	for _, path := range []string{dir, c.parent} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if !s.private {
		if c.server = servers.existing; ownServer {
			c.server = servertest.Start(t, server.Private{MaxConnections: 50, TCP: true, AllowMemory: true})
		}
		c.options = c.server.ClientFile()
		if s.tcp {
			c.link = newLink(t, fmt.Sprintf("127.0.0.1:%d", c.server.Endpoint.Port))
			c.options = filepath.Join(dir, "through.cnf")
			text := fmt.Sprintf("[client]\nhost=127.0.0.1\nport=%d\nuser=%s\npassword=%s\n", c.link.port, c.option("user"), c.option("password"))
			if err := os.WriteFile(c.options, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

// option is the value of an option in the server's own option file.
func (c *cell) option(name string) string {
	c.Helper()
	text, err := os.ReadFile(c.clientFile())
	if err != nil {
		c.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == name {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	c.Fatalf("no option %s in\n%s", name, text)
	return ""
}

// clientFile is the option file of the server that is measured.
func (c *cell) clientFile() string {
	if c.server != nil {
		return c.server.ClientFile()
	}
	found, _ := filepath.Glob(filepath.Join(c.parent, "*", "client.cnf"))
	if len(found) != 1 {
		c.Fatalf("%d private servers", len(found))
	}
	return found[0]
}

// pid is the process of the server that is measured.
func (c *cell) pid() int {
	c.Helper()
	if c.server != nil {
		return c.server.PID()
	}
	record, err := os.ReadFile(filepath.Join(filepath.Dir(c.clientFile()), "server.json"))
	var r struct {
		PID int `json:"pid"`
	}
	if err == nil {
		err = json.Unmarshal(record, &r)
	}
	if err != nil || r.PID == 0 {
		c.Fatalf("no process: %v", err)
	}
	return r.PID
}

// arguments are those of a run of four trials, of which the second is hit.
func (c *cell) arguments() []string {
	sweep := c.sweep
	if sweep == nil { // at a rate that leaves the machine to the other cells
		sweep = []string{"-t", "1,2", "--time", "800ms", "--rate", "300", "-r", "2"}
	}
	args := append([]string{"mysweep", "run"}, sweep...)
	args = append(args, c.more...)
	args = append(args, "--rows", "300", "--order", "sequential",
		"--confirm", "0", "--warmup", "0s", "--quiet", "--loadgen", c.loadgen, "--out", c.out)
	switch {
	case !c.private:
		args = append(args, "--defaults-file", c.options, "--database", c.database)
	default:
		transport := map[bool]string{true: "tcp", false: "socket"}[c.tcp]
		args = append(args, "--private", "--datadir-parent", c.parent, "--transport", transport, c.planFile())
	}
	return args
}

// planFile has what is no flag: where the private server's data come from.
func (c *cell) planFile() string {
	c.Helper()
	path := filepath.Join(c.dir, "plan.yaml")
	text := fmt.Sprintf("cases:\n  - name: default\n    copy_datadir_from: %s\n", c.datadir)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.Fatal(err)
	}
	return path
}

// start starts mysweep.
func (c *cell) start() {
	c.Helper()
	args := append(c.wrap, c.arguments()...)
	c.run = exec.Command(args[0], args[1:]...)
	c.run.Env, c.run.Dir = c.env, c.dir
	if c.env == nil {
		c.run.Env = append(os.Environ(), "HOME="+c.dir)
	}
	c.run.Stderr = &c.stderr
	c.run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.run.Start(); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { syscall.Kill(-c.run.Process.Pid, syscall.SIGKILL) })
	go func() {
		c.run.Wait()
		c.exit <- c.run.ProcessState.ExitCode()
	}()
}

// trialEnded waits for the first line of the journal.
func (c *cell) trialEnded() {
	c.Helper()
	path := filepath.Join(c.out, result.JournalFile)
	c.until("the first trial has ended", func() bool {
		text, _ := os.ReadFile(path)
		return bytes.Contains(text, []byte("\n"))
	})
}

func (c *cell) until(what string, done func() bool) {
	c.Helper()
	for deadline := time.Now().Add(faultTime); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.Fatalf("never: %s; stderr:\n%s", what, c.stderr.String())
		}
		if len(c.exit) > 0 {
			c.Fatalf("mysweep ended with %d before %s; stderr:\n%s", <-c.exit, what, c.stderr.String())
		}
	}
}

// finish waits for the end of mysweep.
func (c *cell) finish() {
	c.Helper()
	select {
	case c.status = <-c.exit:
	case <-time.After(faultTime):
		c.Fatalf("mysweep does not end; stderr:\n%s", c.stderr.String())
	}
}

// again runs mysweep with other arguments and returns its exit status.
func (c *cell) again(args ...string) int {
	c.Helper()
	cmd := exec.CommandContext(c.Context(), "mysweep", args...)
	cmd.Env, cmd.Dir = append(os.Environ(), "HOME="+c.dir), c.dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		c.Fatal(err)
	}
	c.stderr.Write(out)
	return cmd.ProcessState.ExitCode()
}

// sql runs statements on the server that is measured, past any cut of the network.
func (c *cell) sql(statements string) string {
	c.Helper()
	out, err := exec.CommandContext(c.Context(), "mysql", "--defaults-file="+c.clientFile(), "-N", "-B", "-e", statements).CombinedOutput()
	if err != nil {
		c.Fatalf("%s: %v: %s", statements, err, out)
	}
	return strings.TrimSpace(string(out))
}

// signal sends a signal to mysweep, or to its whole group.
func (c *cell) signal(s syscall.Signal, group bool) {
	c.Helper()
	pid := c.run.Process.Pid
	if group {
		pid = -pid
	}
	// A second signal may find nobody.
	if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		c.Fatalf("%v to mysweep: %v", s, err)
	}
}

// stopFor stops a process for so long.
func (c *cell) stopFor(pid int, long time.Duration) {
	c.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		c.Fatal(err)
	}
	time.Sleep(long)
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		c.Fatal(err)
	}
}

// nothingLeft fails the test for what mysweep left behind: processes, folders of servers, tables,
// locks and sessions.
func (c *cell) nothingLeft() {
	c.Helper()
	if left := processesNaming(c.parent, c.out); len(left) > 0 {
		c.Errorf("processes are left: %v", left)
	}
	if c.private {
		if left, _ := os.ReadDir(c.parent); len(left) > 0 {
			c.Errorf("%s is left below %s", left[0].Name(), c.parent)
		}
		return
	}
	if !c.server.Running() {
		return
	}
	if tables := c.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = '" + c.database + "'"); tables != "" {
		c.Errorf("tables are left: %s", tables)
	}
	if free := c.sql("SELECT IS_FREE_LOCK('mysweep/" + c.database + "')"); free != "1" {
		c.Errorf("the lock is held: %s", free)
	}
	if c.link != nil && c.link.loses {
		return // the server cannot know that its sessions have ended
	}
	if sessions := c.sql("SELECT COUNT(*) FROM information_schema.processlist WHERE db = '" + c.database + "'"); sessions != "0" {
		c.Errorf("%s sessions are left", sessions)
	}
}

// processesNaming are the command lines of processes that name one of the paths, but for shells of
// this test.
func processesNaming(paths ...string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))); pid == os.Getpid() {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		line := strings.ReplaceAll(string(text), "\x00", " ")
		for _, path := range paths {
			if strings.Contains(line, path) {
				found = append(found, line)
			}
		}
	}
	return found
}
