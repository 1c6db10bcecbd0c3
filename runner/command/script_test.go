package command_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mysweep/mysweep/runner/command"
	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestMain makes this program mysweep as well, so that the scripts run the
// real command line in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){
		"mysweep": func() { os.Exit(command.Main(os.Args, command.System())) },
	})
}

// tests are those of the package, with what must be removed after them.
type tests struct{ *testing.M }

func (m tests) Run() int { return servertest.Run(m.M) }

// TestScripts runs the scripts in testdata/script. Beside testscript's own
// commands they have:
//
//	exits STATUS PROGRAM ARGUMENT...   runs it; the exit status must be that
//	sql STATEMENTS                     on the existing server; rows are then in stdout
//	server VARIABLE                    starts a server for the script; VARIABLE: its option file
//	silent VARIABLE                    listens on a port, and never says a word
//	csv FILE CHECK ...                 looks into a CSV file, see checkCSV
//
// and the condition [root]. $EXISTING is an option file for the mysql client that names a server
// which runs for all scripts, and $PARENT a folder where a server's account can make its own, on a
// disk.
func TestScripts(t *testing.T) {
	existing := ""
	if !testing.Short() {
		existing = startExisting(t)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("EXISTING", existing)
			parent, err := os.MkdirTemp("/var/tmp", "mysweep-script-")
			if err != nil {
				return err
			}
			env.Setenv("PARENT", parent)
			env.Defer(func() { os.RemoveAll(parent) })
			return os.Chmod(parent, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"sql":   sql,
			"server": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: server VARIABLE")
				}
				ts.Setenv(args[0], startExisting(t))
			},
			"silent": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: silent VARIABLE")
				}
				listener, err := net.Listen("tcp", "127.0.0.1:0") // its backlog accepts
				ts.Check(err)
				ts.Defer(func() { listener.Close() })
				ts.Setenv(args[0], strconv.Itoa(listener.Addr().(*net.TCPAddr).Port))
			},
			"csv": checkCSV,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Getuid() == 0, nil
			case "uring":
				return loop.ProbeUring() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		ContinueOnError:     true,
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func sql(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sql STATEMENTS")
	}
	ts.Check(ts.Exec("mysql", "--defaults-file="+ts.Getenv("EXISTING"), "--skip-column-names", "--batch", "-e", args[0]))
}
