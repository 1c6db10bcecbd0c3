package server

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// work keeps a server busy with commits until the test calls the result.
func work(t *testing.T, s *Server) (stop func()) {
	t.Helper()
	exec1(t, s.Target, "CREATE DATABASE IF NOT EXISTS d")
	exec1(t, s.Target, "CREATE TABLE IF NOT EXISTS d.t (a INT) ENGINE=InnoDB")
	db, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
				db.Exec("INSERT INTO d.t VALUES (1)")
			}
		}
	}()
	return func() {
		close(quit)
		<-done
		db.Close()
	}
}

func TestTraces(t *testing.T) {
	t.Parallel()
	s := startServer(t, Private{})
	stop := work(t, s)
	defer stop()
	dir := t.TempDir()

	strace, err := StartStrace(s.PID(), dir)
	if errors.Is(err, ErrNoTrace) {
		t.Logf("strace: %v", err)
	} else {
		time.Sleep(time.Second)
		calls, err := strace.Stop()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]Syscall{}
		for _, call := range calls {
			found[call.Name] = call
		}
		sync := found["fdatasync"]
		if sync.Calls == 0 {
			sync = found["fsync"]
		}
		if sync.Calls == 0 || sync.MeanSeconds() <= 0 || sync.MaxSeconds < sync.MeanSeconds() || sync.MinSeconds > sync.MeanSeconds() {
			t.Errorf("commits without fsync: %+v", calls)
		}
	}

	perf, err := StartPerf(s.PID(), dir)
	if errors.Is(err, ErrNoTrace) {
		t.Logf("perf: %v", err)
	} else {
		time.Sleep(time.Second)
		profile, err := perf.Stop()
		if err != nil {
			t.Fatal(err)
		}
		if profile.Samples == 0 || len(profile.Symbols) == 0 || len(profile.Stacks) == 0 {
			t.Errorf("%d samples, %d symbols, %d stacks", profile.Samples, len(profile.Symbols), len(profile.Stacks))
		}
	}
	if !s.Running() {
		t.Error("the server did not survive being traced")
	}
}

func TestTraceFaults(t *testing.T) {
	const nobody = 1 << 30 // beyond every pid
	if _, err := exec.LookPath("strace"); err == nil {
		if _, err := StartStrace(nobody, t.TempDir()); !errors.Is(err, ErrNoTrace) || !contains(err, "strace") {
			t.Errorf("strace of no process: %v", err)
		}
	}
	if _, err := exec.LookPath("perf"); err == nil {
		if _, err := StartPerf(nobody, t.TempDir()); !errors.Is(err, ErrNoTrace) || !contains(err, "perf") {
			t.Errorf("perf of no process: %v", err)
		}
	}
	if _, err := startTracer(t.TempDir(), "no-such-tracer", nil, nil); !errors.Is(err, ErrNoTrace) || !contains(err, "not installed") {
		t.Errorf("a tool that is not there: %v", err)
	}
}

func TestParseStrace(t *testing.T) {
	const text = `syscall              calls     seconds shortest  longest   errors
---------------- --------- ----------- -------- -------- ---------
fdatasync               10    0.279615 0.020000 0.040000
futex                  300    0.100000 0.000012 0.250944         7
never                    0    0.000000 0.000000 0.000000
---------------- --------- ----------- -------- -------- ---------
total                  310    0.379615 0.000012 0.250944         7
`
	got := parseStrace(text)
	if len(got) != 2 || got[0] != (Syscall{"fdatasync", 10, 0, 0.279615, 0.02, 0.04}) || got[1].Errors != 7 {
		t.Errorf("%+v", got)
	}
	if parseStrace("") != nil {
		t.Error("calls out of nothing")
	}
}

func TestParsePerf(t *testing.T) {
	const text = `mariadbd 
	    7f01 __libc_pwrite (/lib/x86_64-linux-gnu/libc.so.6)
	    55d0 log_write(unsigned long, bool) (/usr/sbin/mariadbd)
	    55d1 [unknown] (/usr/sbin/mariadbd)

one;two 
	ffffffff8100 do_syscall_64 ([kernel.kallsyms])

:4711 
	    7f01 __libc_pwrite (/lib/x86_64-linux-gnu/libc.so.6)
	    55d0 log_write(unsigned long, bool) (/usr/sbin/mariadbd)
	    55d1 [unknown] (/usr/sbin/mariadbd)

`
	got := parsePerf(text, "mariadbd")
	if got.Samples != 3 || got.Stacks["mariadbd;[unknown];log_write(unsigned long, bool);__libc_pwrite"] != 2 || got.Stacks["one:two;do_syscall_64"] != 1 {
		t.Errorf("%+v", got)
	}
	if got.Symbols[0] != (Symbol{"__libc_pwrite", "/lib/x86_64-linux-gnu/libc.so.6", 2}) {
		t.Errorf("%+v", got.Symbols)
	}
}

func TestEngineFacts(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	s := startServer(t, Private{Options: []Option{{Name: "performance_schema", Value: "ON"}, {Name: "slow_query_log", Value: "ON"}}})
	stop := work(t, s)
	time.Sleep(200 * time.Millisecond)
	stop()
	status, err := s.InnoDBStatus(ctx)
	if err != nil || !strings.Contains(status, "INNODB MONITOR OUTPUT") {
		t.Errorf("%q %v", status, err)
	}
	path, err := s.SlowLog(ctx)
	if err != nil || !fileHasBytes(path) {
		t.Errorf("slow log %s: %v", path, err)
	}
	waits, err := s.FileWaits(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, wait := range waits {
		if strings.HasPrefix(wait.Event, "wait/io/file/innodb/") && wait.Count > 0 && wait.Seconds > 0 {
			return
		}
	}
	t.Errorf("no waits of InnoDB among %+v", waits)
}
