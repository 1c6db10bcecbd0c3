package load_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// shared is one private server for all tests of the package.
var shared = servertest.Shared{Private: server.Private{TLS: true, TCP: true, MaxConnections: 200}, Fill: fill}

func TestMain(m *testing.M) { os.Exit(servertest.Run(m, &shared)) }

// testServer returns the shared server, with a database test that has the table numbers: id from 1
// to 1,000, and a text.
func testServer(t testing.TB) *server.Server {
	t.Helper()
	return shared.Get(t)
}

func fill(s *server.Server) error {
	db, err := s.Pool(1)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, sql := range []string{
		"CREATE DATABASE test",
		"CREATE TABLE test.numbers (id INT PRIMARY KEY, word CHAR(20) NOT NULL) ENGINE=InnoDB",
		"INSERT INTO test.numbers SELECT seq, CONCAT('word ', seq) FROM test.seq_1_to_1000",
	} {
		if _, err := db.Exec(sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// target is the way to the shared server by a transport: socket, tcp or tls.
func target(t testing.TB, transport string) load.Target {
	t.Helper()
	s := testServer(t)
	config := s.Config()
	config.DBName = "test"
	switch transport {
	case "socket":
		config.Net, config.Addr = "unix", s.Folder()+"/mysqld.sock"
		config.TLS = nil
	case "tcp":
		config.TLS = nil
	}
	return load.Target{Config: config}
}

// rounds is a workload made of a function.
type rounds func(workload.Session) (workload.Round, error)

func (r rounds) Tables() []workload.Table                          { return nil }
func (r rounds) Thread(s workload.Session) (workload.Round, error) { return r(s) }

// pointSelect asks for one row by its key.
func pointSelect(s workload.Session) (workload.Round, error) {
	h := s.Declare(workload.Statement{Type: "point", Kind: workload.Read, SQL: "SELECT word FROM numbers WHERE id=?"})
	args := make(workload.Args, 1)
	return func() error {
		args.SetInt(0, 1+s.Rand().Int64N(1000))
		n, err := s.Query(h, args)
		if err == nil && n != 1 {
			err = fmt.Errorf("%d rows", n)
		}
		return err
	}, nil
}

// run runs a trial that must not fail.
func run(t testing.TB, to load.Target, w workload.Workload, trial load.Trial) result.Measure {
	t.Helper()
	m, err := load.Run(t.Context(), to, w, trial)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
