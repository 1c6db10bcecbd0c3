package server

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStartAndStop(t *testing.T) {
	needServer(t)
	t.Parallel()
	parent := parentFolder(t)
	ctx := testContext(t)
	s, err := StartPrivate(ctx, Private{DatadirParent: parent, MaxConnections: 321})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s: datadir %.2f s, start %.2f s", s.Flavour, s.Version, s.InitializeSeconds, s.StartSeconds)
	if got := ask(t, s.Target, "SELECT @@GLOBAL.max_connections"); got != "321" {
		t.Errorf("max_connections is %s", got)
	}
	if s.Transport != TransportSocket || s.Cipher != "" {
		t.Errorf("transport %q, cipher %q", s.Transport, s.Cipher)
	}
	pid := s.PID()
	began := time.Now()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Logf("stop %.2f s", time.Since(began).Seconds())
	if runs(pid) {
		t.Errorf("the server with pid %d still runs", pid)
	}
	if err := s.Stop(); err != nil {
		t.Errorf("second stop: %v", err)
	}
	empty(t, parent)
}

// What others may see of a private server: no file, no password, no port.
func TestPrivateIsPrivate(t *testing.T) {
	t.Parallel()
	s := startServer(t, Private{})
	info, err := os.Stat(s.Folder())
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder: %v %v", info.Mode(), err)
	}
	for _, name := range []string{"my.cnf", "client.cnf", "server.json"} {
		info, err := os.Stat(filepath.Join(s.Folder(), name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	for _, file := range []string{"cmdline", "environ"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.PID(), file))
		if err != nil || strings.Contains(string(text), s.password) {
			t.Errorf("%s: %q %v", file, text, err)
		}
	}
	if got := ask(t, s.Target, "SELECT @@skip_networking"); got != "1" {
		t.Errorf("skip_networking is %s", got)
	}
	// Nobody gets in without the password, not even over the socket.
	e := Endpoint{Socket: s.folder.socket, User: "root"}
	if target, err := Open(testContext(t), e); err == nil {
		target.Close()
		t.Error("root needs no password")
	}
	if os.Geteuid() == 0 {
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID())); err != nil || strings.Contains(string(status), "Uid:\t0") {
			t.Errorf("it runs as root: %v", err)
		}
	}
}

func TestClientFile(t *testing.T) {
	mysql, err := exec.LookPath("mysql")
	if err != nil {
		t.Skip("the mysql client is not installed")
	}
	s := commonServer(t)
	out, err := exec.Command(mysql, "--defaults-file="+s.ClientFile(), "-Ne", "SELECT CURRENT_USER()").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "mysweep@localhost" {
		t.Errorf("%s %v", out, err)
	}
}

func TestLongPath(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(parentFolder(t), strings.Repeat("long", 30))
	if err := os.Mkdir(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, Private{DatadirParent: parent})
	if len(s.folder.socket) > maxSocketPath {
		t.Errorf("socket %s", s.folder.socket)
	}
	socketDir := s.folder.record.SocketDir
	if info, err := os.Stat(socketDir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("socket folder %v %v", info, err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(socketDir); !os.IsNotExist(err) {
		t.Errorf("%s: %v", socketDir, err)
	}
}

func TestOptionsReachTheServer(t *testing.T) {
	t.Parallel()
	const awkward = `SET @a = 'x#y; "z" \\ 1'`
	s := startServer(t, Private{MaxConnections: 50, Options: []Option{
		{Name: "performance-schema", Value: "OFF"},
		{Name: "innodb_page_size", Value: "8K"},
		{Name: "thread_cache_size", Value: "0"},
		{Name: "skip-name-resolve", NoValue: true},
		{Name: "sql_mode"},
		{Name: "max_connections", Value: "77"},
		{Name: "init_connect", Value: awkward},
		{Name: "loose_no_such_option", Value: "1"},
	}})
	for name, want := range map[string]string{
		"performance_schema": "0", "innodb_page_size": "8192", "thread_cache_size": "0", "skip_name_resolve": "1",
		"sql_mode": "", "max_connections": "77", "init_connect": awkward,
	} {
		if got := ask(t, s.Target, "SELECT @@GLOBAL."+name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A my.cnf that was written for the production server must not lead to it.
func TestDefaultsFile(t *testing.T) {
	t.Parallel()
	theirs := parentFolder(t)
	text := strings.ReplaceAll(`
[client]
port=1
[mysqld]
user=root
datadir=THEIRS/data
socket=THEIRS/mysqld.sock
port=3306
bind-address=0.0.0.0
log-error=THEIRS/error.log
pid-file=THEIRS/mysqld.pid
tmpdir=THEIRS
slow_query_log=1
slow_query_log_file=THEIRS/slow.log
log_bin=THEIRS/binlog
server_id=7
innodb_log_group_home_dir=THEIRS
thread_cache_size=17
table_open_cache=123
`, "THEIRS", theirs)
	path := writeFile(t, filepath.Join(theirs, "my.cnf"), text)
	s := startServer(t, Private{DefaultsFile: path, Options: []Option{{Name: "table-open-cache", Value: "124"}}})
	for name, want := range map[string]string{"thread_cache_size": "17", "table_open_cache": "124", "log_bin": "1", "slow_query_log_file": "slow.log"} {
		if got := ask(t, s.Target, "SELECT @@GLOBAL."+name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := ask(t, s.Target, "SELECT @@datadir"); filepath.Clean(got) != s.Datadir() {
		t.Errorf("datadir %s", got)
	}
	left, err := os.ReadDir(theirs)
	if err != nil || len(left) != 1 {
		t.Errorf("their folder: %v %v", left, err)
	}
	var noted []string
	for _, note := range s.Notes {
		noted = append(noted, note.Text)
	}
	if all := strings.Join(noted, "\n"); !strings.Contains(all, "datadir of "+path) || !strings.Contains(all, "log_bin of "+path+" was moved") {
		t.Errorf("notes:\n%s", all)
	}
}

func TestTCPAndTLS(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name      string
		private   Private
		transport string
		cipher    bool
	}{
		{"tcp", Private{TCP: true}, TransportTCP, false},
		{"tcp without names", Private{TCP: true, Options: []Option{{Name: "skip_name_resolve", Value: "ON"}}}, TransportTCP, false},
		{"tls", Private{TCP: true, TLS: true}, TransportTLS, true},
		{"tls over a socket", Private{TLS: true}, TransportSocket, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := startServer(t, row.private)
			if s.Transport != row.transport || (s.Cipher != "") != row.cipher {
				t.Errorf("transport %q, cipher %q %q", s.Transport, s.TLSVersion, s.Cipher)
			}
			if !row.private.TCP {
				return
			}
			if got := ask(t, s.Target, "SELECT @@bind_address"); got != loopback {
				t.Errorf("bind_address %s", got)
			}
			root := Endpoint{Host: loopback, Port: s.port, User: "root"}
			if target, err := Open(testContext(t), root); err == nil {
				target.Close()
				t.Error("root gets in over TCP without a password")
			}
		})
	}
}

func TestWrappers(t *testing.T) {
	needServer(t)
	t.Parallel()
	for _, row := range []struct {
		name    string
		private Private
	}{
		{"numactl and chrt", Private{Wrap: []string{"numactl", "--interleave=all", "chrt", "--batch", "0"}}},
		{"script that becomes the server", Private{Mysqld: wrapperScript(t, `exec MYSQLD "$@"`)}},
		{"script that stays", Private{Mysqld: wrapperScript(t, "MYSQLD \"$@\"\nexit $?")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if len(row.private.Wrap) > 0 {
				if _, err := exec.LookPath(row.private.Wrap[0]); err != nil {
					t.Skip(row.private.Wrap[0] + " is not installed")
				}
			}
			s := startServer(t, row.private)
			if s.Flavour != s.Binary.Flavour || s.Version != s.Binary.Version {
				t.Errorf("%+v is not %s %s", s.Binary, s.Flavour, s.Version)
			}
			pid := s.PID()
			if process, ok := serverProcess(pid); !ok {
				t.Errorf("pid %d is no server: %+v", pid, process)
			}
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			if runs(pid) {
				t.Errorf("pid %d still runs", pid)
			}
		})
	}
}

func TestCPUsAndEnvironment(t *testing.T) {
	t.Parallel()
	s := startServer(t, Private{CPUs: []int{0}, Env: []string{"MYSWEEP_TEST=1"}, ServerUser: ownName(t)})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	if err != nil || !strings.Contains(string(status), "Cpus_allowed_list:\t0\n") {
		t.Errorf("%s %v", status, err)
	}
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", s.PID()))
	if err != nil || !strings.Contains(string(environment), "MYSWEEP_TEST=1") || strings.Contains(string(environment), "hidden") {
		t.Errorf("%q %v", environment, err)
	}
	// Our own threads still have all CPUs.
	own, err := os.ReadFile("/proc/self/status")
	if err != nil || strings.Contains(string(own), "Cpus_allowed_list:\t0\n") {
		t.Errorf("our own CPUs were changed: %v", err)
	}
}

// ownName is root when root runs the tests: a server user that servers refuse
// unless they are told.
func ownName(t *testing.T) string {
	t.Helper()
	own, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return own.Username
}

func TestCopyDatadir(t *testing.T) {
	needServer(t)
	t.Parallel()
	parent := parentFolder(t)
	first, err := StartPrivate(testContext(t), Private{DatadirParent: parent, KeepFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	exec1(t, first.Target, "CREATE DATABASE d")
	exec1(t, first.Target, "CREATE TABLE d.t (a INT) ENGINE=InnoDB")
	exec1(t, first.Target, "INSERT INTO d.t VALUES (42)")
	_, err = StartPrivate(testContext(t), Private{DatadirParent: parent, CopyDatadirFrom: first.Datadir()})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("in use by the server with pid %d", first.PID())) {
		t.Errorf("a datadir in use was copied: %v", err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if orphans, err := ReapOrphans(parent); err != nil || len(orphans) > 0 {
		t.Errorf("files to keep were taken for an orphan: %v %v", orphans, err)
	}
	if err := os.Mkdir(filepath.Join(first.Datadir(), "lost+found"), 0); err != nil {
		t.Fatal(err)
	}
	second := startServer(t, Private{DatadirParent: parent, CopyDatadirFrom: first.Datadir()})
	if got := ask(t, second.Target, "SELECT a FROM d.t"); got != "42" {
		t.Errorf("the copy says %s", got)
	}
	if second.Copied == nil || second.Copied.Files == 0 || second.Copied.Bytes == 0 {
		t.Errorf("%+v", second.Copied)
	}
}

func TestRestart(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	s := startServer(t, Private{})
	target, before := s.Target, s.PID()
	exec1(t, s.Target, "CREATE DATABASE d")
	if err := s.SetOptions([]Option{{Name: "thread_cache_size", Value: "3"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(ctx, s.DropCache); err != nil {
		t.Fatal(err)
	}
	if s.PID() == before || !s.Running() {
		t.Errorf("pid %d before and %d after", before, s.PID())
	}
	// Who holds the target of before the restart goes on with it.
	if got := ask(t, target, "SELECT @@GLOBAL.thread_cache_size"); got != "3" {
		t.Errorf("thread_cache_size %s", got)
	}
	if got := ask(t, s.Target, "SHOW DATABASES LIKE 'd'"); got != "d" {
		t.Errorf("database %s", got)
	}
}

func TestDeathIsNoticed(t *testing.T) {
	t.Parallel()
	s := startServer(t, Private{})
	process, err := os.FindProcess(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end is noticed", func() bool { return s.PID() == 0 })
	if err := s.Restart(testContext(t), nil); err != nil { // crash recovery
		t.Errorf("restart after a crash: %v", err)
	}
}

// A server that is to forget its pages begins with an empty buffer pool, also
// beside a dump that an earlier one has left.
func TestForgetPages(t *testing.T) {
	t.Parallel()
	status := func(s *Server) string {
		row, err := s.show(testContext(t), "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'")
		if err != nil {
			t.Fatal(err)
		}
		return row["Innodb_buffer_pool_load_status"]
	}
	s := startServer(t, Private{ForgetPages: true})
	exec1(t, s.Target, "SET GLOBAL innodb_buffer_pool_dump_now=ON")
	eventually(t, "the dump is there", func() bool {
		_, err := os.Stat(filepath.Join(s.Datadir(), "ib_buffer_pool"))
		return err == nil
	})
	if err := s.Restart(testContext(t), nil); err != nil {
		t.Fatal(err)
	}
	if text := status(s); strings.Contains(text, "completed") {
		t.Errorf("load of the buffer pool: %q; want none", text)
	}
	if remembers, err := s.RemembersPages(testContext(t)); err != nil || remembers {
		t.Errorf("remembers pages: %t %v", remembers, err)
	}
	if err := s.SetOptions([]Option{{Name: "innodb_buffer_pool_load_at_startup", Value: "ON"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(testContext(t), nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "who asks for it gets it loaded", func() bool { return strings.Contains(status(s), "completed") })
}
