package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/testbed"
)

// standing is a server that exists without the sweep: a process that a shell
// script starts and restarts, as an administrator's would.
type standing struct {
	endpoint server.Endpoint
	port     int
	script   string // restarts it, or starts it when it is down
	log      string // a line for each start
}

// stand makes a server, lets go of it and starts it by its script.
func stand(t *testing.T, p server.Private) *standing {
	t.Helper()
	servertest.Needed(t)
	p.TCP, p.AllowMemory = true, true
	private, err := server.StartPrivate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	s := &standing{endpoint: private.Endpoint, port: private.Endpoint.Port, script: filepath.Join(private.Folder(), "restart.sh"), log: filepath.Join(private.Folder(), "starts")}
	s.endpoint.Host, s.endpoint.Port = "", 0
	for _, option := range private.Options() {
		if option.Name == "socket" {
			s.endpoint.Socket = option.Value
		}
	}
	private.Pause()
	pidFile := filepath.Join(private.Folder(), "mysqld.pid")
	text := fmt.Sprintf(`#!/bin/sh
if [ -s %[1]s ]; then
	pid=$(cat %[1]s)
	kill $pid 2>/dev/null
	while kill -0 $pid 2>/dev/null; do sleep 0.1; done
fi
echo started >>%[2]s
%[3]s --defaults-file=%[4]s --user=$(stat -c %%U %[5]s) &
`, pidFile, s.log, private.Binary.Path, filepath.Join(private.Folder(), "my.cnf"), private.Datadir())
	// Our account is in the datadir by now, and this file is for one start alone.
	if err := os.WriteFile(filepath.Join(private.Folder(), "init.sql"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.down(t, pidFile)
		if err := private.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := exec.CommandContext(t.Context(), s.script).Run(); err != nil {
		t.Fatal(err)
	}
	s.target(t)
	return s
}

// down stops the server for good.
func (s *standing) down(t *testing.T, pidFile string) {
	raw, err := os.ReadFile(pidFile)
	if err != nil {
		return // it is down
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Error(err)
		return
	}
	for syscall.Kill(pid, syscall.SIGTERM) == nil {
		time.Sleep(50 * time.Millisecond)
	}
}

// target logs in when the server answers.
func (s *standing) target(t *testing.T) *server.Target {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		target, err := server.Open(t.Context(), s.endpoint)
		if err == nil {
			t.Cleanup(func() { target.Close() })
			return target
		}
		if time.Sleep(100 * time.Millisecond); time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func (s *standing) starts(t *testing.T) int {
	t.Helper()
	raw, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(raw), "\n")
}

// ask reads one value.
func (s *standing) ask(t *testing.T, query string) string {
	t.Helper()
	pool, err := s.target(t).Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var value string
	if err := pool.QueryRowContext(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

// own are the plan's keys of a case's server at its socket.
func (s *standing) own() *plan.Server { return &plan.Server{Socket: s.endpoint.Socket} }

// One plan with a private server and two that exist, one of them by two
// addresses, interleaved: each is loaded once, what is set is restored, the
// restart commands restart, and no table stays behind.
func TestServersOfCases(t *testing.T) {
	plain, restarted := stand(t, server.Private{}), stand(t, server.Private{})
	tcp := plain.endpoint
	tcp.Socket, tcp.Host, tcp.Port = "", "127.0.0.1", plain.port
	job := smallJob(t, "update-select", plan.Options{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm = plan.Ints{2}, plan.Ints{5}, 0
	job.Plan.Cases = []plan.Case{
		{Name: "private"},
		{Name: "set", Server: plain.own(), SetGlobal: plan.Options{"max_connect_errors": "77"}},
		{Name: "restarted", Server: restarted.own(), Restart: plan.Texts{restarted.script}, Start: "restart", SetGlobal: plan.Options{"max_connect_errors": "88"}},
		{Name: "tcp", Server: &plan.Server{Host: "127.0.0.1", Port: plain.port}},
	}
	job.Endpoints = map[string]*server.Endpoint{"set": &plain.endpoint, "restarted": &restarted.endpoint, "tcp": &tcp}
	before := plain.ask(t, "SELECT @@GLOBAL.max_connect_errors")
	loads := 0
	job.Watch = func(e Event) {
		if strings.HasPrefix(e.Doing, "loading") {
			loads++
		}
	}
	if _, err := Go(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	order := ""
	for _, trial := range a.Trials {
		order += trial.Case[:1]
		if trial.Status != result.OK || !trial.Evidence.SharedHost {
			t.Errorf("%+v: %s %s, shared host %t", trial.Slot(), trial.Status, trial.Error, trial.Evidence.SharedHost)
		}
		if f := trial.Evidence.ForeignQueries; f == nil || *f > 0 {
			t.Errorf("%+v: foreign queries %v", trial.Slot(), f)
		}
	}
	if order != "psrtpsrt" || loads != 3 {
		t.Errorf("cases ran as %s and were loaded %d times; want psrtpsrt and one load a server", order, loads)
	}
	// Once in the beginning; then each time that the case begins, and again when
	// the tables have been loaded or, after trials that write, counted.
	if n := restarted.starts(t); n != 5 {
		t.Errorf("the server was started %d times; want 5", n)
	}
	variables := map[string]string{}
	for _, c := range a.Run.Cases {
		variables[c.Name] = c.Variables["max_connect_errors"] + " over " + c.Transport
		if c.Private != (c.Name == "private") {
			t.Errorf("case %s is private: %t", c.Name, c.Private)
		}
	}
	want := map[string]string{"private": before + " over socket", "set": "77 over socket", "restarted": "88 over socket", "tcp": before + " over tcp"}
	for name, value := range want {
		if variables[name] != value {
			t.Errorf("case %s: max_connect_errors %s; want %s", name, variables[name], value)
		}
	}
	for _, n := range a.Run.Notes { // a stock server's pages are not all forgotten
		if n.Code != "start" || !strings.Contains(n.Text, "innodb_buffer_pool_load_at_startup") {
			t.Errorf("note %s: %s", n.Code, n.Text)
		}
	}
	for name, s := range map[string]*standing{"plain": plain, "restarted": restarted} {
		if after := s.ask(t, "SELECT @@GLOBAL.max_connect_errors"); after != before {
			t.Errorf("%s: max_connect_errors is %s, before the run %s", name, after, before)
		}
		if n := s.ask(t, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='mysweep'"); n != "0" {
			t.Errorf("%s: %s tables are left", name, n)
		}
		if free := s.ask(t, "SELECT IS_FREE_LOCK('mysweep/mysweep')"); free != "1" {
			t.Errorf("%s: the lock is still held", name)
		}
	}
}

// A server that is not there, one that its commands do not restart, one whose
// commands fail, and one that is down until its commands start it: each fails or
// works alone.
func TestServersThatFail(t *testing.T) {
	s := stand(t, server.Private{})
	away := server.Endpoint{Socket: "/nowhere/mysqld.sock", User: "u"}
	job := smallJob(t, "select-key", plan.Options{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm = plan.Ints{2}, plan.Ints{5}, 0
	job.Plan.Cases = []plan.Case{
		{Name: "not there", Server: &plan.Server{Socket: away.Socket}},
		{Name: "there", Server: s.own(), Start: "restart"},
		{Name: "not restarted", Server: s.own(), Restart: plan.Texts{"true"}},
		{Name: "fails", Server: s.own(), Restart: plan.Texts{"echo no such unit >&2; exit 5"}},
	}
	job.Endpoints = map[string]*server.Endpoint{"not there": &away, "there": &s.endpoint, "not restarted": &s.endpoint, "fails": &s.endpoint}
	if _, _, err := testbed.Preflight(t.Context(), &job.Plan, job.Endpoints, nil); err != nil {
		t.Errorf("one server of several is not there: %v; want its cases to fail alone", err)
	}
	if _, err := Go(t.Context(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]result.Status{"not there": result.Skipped, "there": result.OK, "not restarted": result.OK, "fails": result.Skipped}
	for _, trial := range a.Trials {
		if trial.Status != want[trial.Case] {
			t.Errorf("%+v is %s (%s); want %s", trial.Slot(), trial.Status, trial.Error, want[trial.Case])
		}
		if trial.Case == "fails" && !strings.Contains(trial.Error, "no such unit") {
			t.Errorf("case fails: %s", trial.Error)
		}
	}
	var codes []string
	for _, n := range a.Run.Notes {
		codes = append(codes, n.Code)
	}
	slices.Sort(codes)
	if got := strings.Join(codes, " "); got != "not-restarted restart start" {
		t.Errorf("notes %s", got)
	}
}

// Alone, a server that is not there is the run's failure, before anything is
// made; one that is down is started by its commands.
func TestServerThatIsDown(t *testing.T) {
	away := &server.Endpoint{Socket: "/nowhere/mysqld.sock", User: "u"}
	job := smallJob(t, "select-key", plan.Options{"rows": "300"})
	job.Plan.Cases = []plan.Case{{Name: "a", Server: &plan.Server{Socket: away.Socket}}, {Name: "b", Server: &plan.Server{Socket: away.Socket}}}
	_, _, err := testbed.Preflight(t.Context(), &job.Plan, map[string]*server.Endpoint{"a": away, "b": away}, nil)
	var unreachable *testbed.UnreachableError
	if !errors.As(err, &unreachable) {
		t.Errorf("preflight: %v; want that the server cannot be reached", err)
	}

	s := stand(t, server.Private{})
	s.down(t, filepath.Join(filepath.Dir(s.script), "mysqld.pid"))
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm, job.Plan.Repeat = plan.Ints{2}, plan.Ints{5}, 0, 1
	job.Plan.Cases = []plan.Case{{Name: "down", Server: s.own(), Restart: plan.Texts{s.script}}}
	job.Endpoints = map[string]*server.Endpoint{"down": &s.endpoint}
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
}

// A server that is killed between two trials is waited for. Once it is back and cleaned up, no note
// says that something was left there.
func TestServerKilledBetweenTrials(t *testing.T) {
	s := stand(t, server.Private{})
	pidFile := filepath.Join(filepath.Dir(s.script), "mysqld.pid")
	before := s.ask(t, "SELECT @@GLOBAL.max_connect_errors")
	job := smallJob(t, "select-key", plan.Options{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm, job.Plan.Repeat = plan.Ints{1, 2, 3}, plan.Ints{5}, 0, 1
	job.Plan.Cases = []plan.Case{{Name: "a", Server: s.own(), SetGlobal: plan.Options{"max_connect_errors": "77"}}}
	job.Endpoints = map[string]*server.Endpoint{"a": &s.endpoint}
	started := make(chan error, 1)
	ended := 0
	job.Watch = func(e Event) {
		if e.Trial == nil {
			return
		}
		if ended++; ended > 1 {
			return
		}
		raw, err := os.ReadFile(pidFile)
		if err != nil {
			t.Error(err)
			return
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
		go func() {
			time.Sleep(4 * time.Second) // longer than a server that is left may take to answer
			started <- exec.Command(s.script).Run()
		}()
	}
	if _, err := Go(t.Context(), job); err != nil {
		t.Errorf("%v; want that the run goes on", err)
	}
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range a.Trials {
		if trial.Status != result.OK {
			t.Errorf("%+v: %s %s", trial.Slot(), trial.Status, trial.Error)
		}
	}
	if len(a.Trials) != 3 {
		t.Errorf("%d trials", len(a.Trials))
	}
	for _, n := range a.Run.Notes {
		if n.Code == "left-behind" || n.Code == "not-undone" {
			t.Errorf("note %s: %s", n.Code, n.Text)
		}
	}
	s.target(t)
	if after := s.ask(t, "SELECT @@GLOBAL.max_connect_errors"); after != before {
		t.Errorf("max_connect_errors is %s; was %s", after, before)
	}
	if n := s.ask(t, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='mysweep'"); n != "0" {
		t.Errorf("%s tables are left", n)
	}
}
