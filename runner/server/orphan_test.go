package server

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// After kill -9 nothing runs, and the next start removes what lies around.
func TestKilledMysweep(t *testing.T) {
	needServer(t)
	t.Parallel()
	for _, row := range []struct {
		name, mysqld string
		dies         bool // by itself; else the next start ends it
	}{
		{"server", "", true},
		{"script that becomes the server", wrapperScript(t, `exec MYSQLD "$@"`), true},
		{"script that stays", wrapperScript(t, "MYSQLD \"$@\"\nexit $?"), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			parent := parentFolder(t)
			mysweep, pid := child(t, parent, row.mysqld, 0)
			if !runs(pid) {
				t.Fatalf("no server with pid %d", pid)
			}
			if orphans, err := ReapOrphans(parent); err != nil || len(orphans) > 0 {
				t.Fatalf("the server of a living mysweep was reaped: %v %v", orphans, err)
			}
			if err := mysweep.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			mysweep.Wait()
			if row.dies {
				eventually(t, "the server is dead", func() bool { return !runs(pid) })
			}
			orphans, err := ReapOrphans(parent)
			if err != nil || len(orphans) != 1 {
				t.Errorf("reaped %v, %v", orphans, err)
			}
			if runs(pid) {
				t.Errorf("pid %d still runs", pid)
			}
			empty(t, parent)
		})
	}
}

// As a user that is not root: the same, without another account.
func TestUnprivileged(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root to become somebody else; all other tests are unprivileged then")
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip(err)
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil {
		t.Fatal(err)
	}
	parent := parentFolder(t)
	if err := os.Chmod(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	mysweep, pid := child(t, parent, "", uint32(uid))
	if err := mysweep.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	mysweep.Wait()
	eventually(t, "the server is dead", func() bool { return !runs(pid) })
	// The record is not ours (root's), so its word counts for nothing.
	if orphans, err := ReapOrphans(parent); err != nil || len(orphans) > 0 {
		t.Errorf("another user's folder was reaped: %v %v", orphans, err)
	}
}

func TestForeignFoldersStay(t *testing.T) {
	parent := parentFolder(t)
	for _, name := range []string{
		"mysweep-nothing/readme",      // no record
		"other/server.json",           // another's name
		"mysweep-young/server.json",   // being made
		"mysweep-kept/server.json",    // wanted by the user
		"mysweep-ours/data/ibdata1",   // see below
		"mysweep-ours/server.json",    // an orphan without a server
		"mysweep-broken/server.json",  // killed before it wrote its record, long ago
		"mysweep-broken/data/ibdata1", //
	} {
		writeFile(t, filepath.Join(parent, name), "")
	}
	writeFile(t, filepath.Join(parent, "mysweep-kept/server.json"), `{"kept":true}`)
	// The pid is that of a living process which started at another time.
	writeFile(t, filepath.Join(parent, "mysweep-ours/server.json"), `{"pid":`+strconv.Itoa(os.Getppid())+`,"pid_start_time":1}`)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(parent, "mysweep-broken/server.json"), old, old); err != nil {
		t.Fatal(err)
	}
	orphans, err := ReapOrphans(parent)
	if err != nil || len(orphans) != 2 {
		t.Errorf("reaped %v %v", orphans, err)
	}
	left, err := filepath.Glob(filepath.Join(parent, "*"))
	if err != nil || len(left) != 4 {
		t.Errorf("left %v %v", left, err)
	}
}

func TestOtherServers(t *testing.T) {
	s := commonServer(t)
	found, err := OtherServers()
	if err != nil {
		t.Fatal(err)
	}
	var mine *Process
	for i := range found {
		if found[i].PID == s.PID() {
			mine = &found[i]
		}
	}
	if mine == nil || mine.Datadir != s.Datadir() {
		t.Errorf("pid %d with %s is not among %+v", s.PID(), s.Datadir(), found)
	}
	found, err = OtherServers(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range found {
		if process.PID == s.PID() {
			t.Error("the one that was left out was found")
		}
	}
}
