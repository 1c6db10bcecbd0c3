package server

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestStartFaults(t *testing.T) {
	needServer(t)
	memory := ""
	if err := refuseMemory("/dev/shm"); err != nil {
		memory = "/dev/shm"
	}
	closed := parentFolder(t)
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name    string
		private Private
		want    string
		asRoot  bool // only root starts servers as others
	}{
		{"unknown option", Private{Options: []Option{{Name: "no_such_option", Value: "1"}}}, "no_such_option", false},
		{"option that spoils the datadir", Private{Options: []Option{{Name: "innodb_data_file_path", Value: "nonsense"}}}, "could not make its datadir", false},
		{"reserved option", Private{Options: []Option{{Name: "datadir", Value: "/var/lib/mysql"}}}, "datadir: set by mysweep", false},
		{"reserved switch", Private{Options: []Option{{Name: "skip-networking", NoValue: true}}}, "skip-networking: set by mysweep", false},
		{"no such program", Private{Mysqld: "/nonexistent/mysqld"}, "/nonexistent/mysqld", false},
		{"no such wrapper", Private{Wrap: []string{"no-such-wrapper"}}, "no-such-wrapper", false},
		{"wrapper fails", Private{Wrap: []string{"sh", "-c", "echo no such node >&2; exit 3", "sh"}}, "no such node", false},
		{"no such user", Private{ServerUser: "no-such-user"}, "no-such-user", true},
		{"no such CPU", Private{CPUs: []int{0, 9999}}, "CPUs [0 9999]", false},
		{"no such datadir", Private{CopyDatadirFrom: "/nonexistent"}, "/nonexistent", false},
		{"no datadir", Private{CopyDatadirFrom: "/usr"}, "/usr: not a data directory: it has no schema mysql", false},
		{"no such my.cnf", Private{DefaultsFile: "/nonexistent.cnf"}, "/nonexistent.cnf", false},
		{"no way in", Private{DatadirParent: closed}, "cannot access " + closed, true},
		{"in memory", Private{DatadirParent: memory}, "tmpfs", false},
		{"too slow", Private{StartTimeout: time.Millisecond}, "not ready within 1ms", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.asRoot && os.Geteuid() != 0 {
				t.Skip("needs root")
			}
			if row.name == "in memory" && memory == "" {
				t.Skip("/dev/shm is no tmpfs here")
			}
			parent := parentFolder(t)
			if row.private.DatadirParent == "" {
				row.private.DatadirParent = parent
			}
			s, err := StartPrivate(testContext(t), row.private)
			if err == nil {
				s.Stop()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v\nwant %q", err, row.want)
			}
			t.Log(err)
			if row.private.DatadirParent == memory { // others have files there, too
				noFolderIn(t, memory)
			} else {
				empty(t, row.private.DatadirParent)
			}
			noServerIn(t, row.private.DatadirParent)
		})
	}
}

func noServerIn(t *testing.T, parent string) {
	t.Helper()
	found, err := OtherServers()
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range found {
		if strings.HasPrefix(process.Datadir, parent) {
			t.Errorf("left running: %+v", process)
		}
	}
}

func TestInterruptedStart(t *testing.T) {
	needServer(t)
	t.Parallel()
	parent := parentFolder(t)
	for _, after := range []time.Duration{time.Millisecond, 300 * time.Millisecond, time.Second} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		s, err := StartPrivate(ctx, Private{DatadirParent: parent})
		cancel()
		if err == nil {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}
		empty(t, parent)
		noServerIn(t, parent)
	}
}
