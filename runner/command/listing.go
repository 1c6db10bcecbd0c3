package command

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// showQueries runs one round without a server and prints its statements.
func showQueries(env Env, made workload.Workload) error {
	fmt.Fprintln(env.Stdout, "\none round")
	s := &listing{env: env, rand: rand.New(rand.NewPCG(1, 1))}
	round, err := made.Thread(s)
	if err != nil {
		return err
	}
	if err := round(); err != nil && s.lines == 0 {
		return err
	}
	return nil
}

// statements is the number of statements that a thread of a workload prepares, 0
// when that is unknown without a server.
func statements(made workload.Workload) int {
	s := &listing{env: Env{Stdout: io.Discard}, rand: rand.New(rand.NewPCG(1, 1))}
	if _, err := made.Thread(s); err != nil {
		return 0
	}
	n := 0
	for _, st := range s.declared {
		if st.SQL != "" { // otherwise it is only sent as text
			n++
		}
	}
	return n
}

// listing is a workload.Session that prints each statement and reports success.
type listing struct {
	env      Env
	rand     *rand.Rand
	declared []workload.Statement
	lines    int
}

func (s *listing) show(kind fmt.Stringer, sql string) {
	s.lines++
	fmt.Fprintf(s.env.Stdout, "  %-6s %s\n", kind, sql)
}

func (s *listing) Declare(st workload.Statement) workload.Handle {
	s.declared = append(s.declared, st)
	return workload.Handle(len(s.declared) - 1)
}

func (s *listing) statement(h workload.Handle) {
	s.show(s.declared[h].Kind, s.declared[h].SQL)
}

func (s *listing) Query(h workload.Handle, _ workload.Args) (int64, error) {
	s.statement(h)
	return 1, nil
}

// Select returns no row: there are no tables whose rows could be shown.
func (s *listing) Select(h workload.Handle, _ workload.Args, _ func([]any) error) error {
	s.statement(h)
	return nil
}

func (s *listing) Exec(h workload.Handle, _ workload.Args) (workload.Outcome, error) {
	s.statement(h)
	return workload.Outcome{RowsAffected: 1, LastInsertID: 1}, nil
}

func (s *listing) Raw(h workload.Handle, sql string) (int64, error) {
	s.show(s.declared[h].Kind, sql)
	return 1, nil
}

func (s *listing) Fetch(h workload.Handle, sql string, _ workload.Args, _ *workload.Results) (workload.Outcome, error) {
	if sql == "" {
		sql = s.declared[h].SQL
	}
	s.show(s.declared[h].Kind, sql)
	return workload.Outcome{RowsAffected: 1, LastInsertID: 1}, nil
}

func (s *listing) Begin() error    { s.show(workload.Other, "BEGIN"); return nil }
func (s *listing) Commit() error   { s.show(workload.Other, "COMMIT"); return nil }
func (s *listing) Rollback() error { s.show(workload.Other, "ROLLBACK"); return nil }

func (s *listing) Another() (workload.Session, error) { return s, nil }
func (s *listing) Ended() error                       { return nil }

func (s *listing) Sleep(time.Duration) error { return nil }
func (s *listing) Think(time.Duration) error { return nil }
func (s *listing) Interaction(string)        {}
func (s *listing) Reconnect() error          { return nil }
func (s *listing) AtEnd(workload.Round)      {}
func (s *listing) Rand() *rand.Rand          { return s.rand }
func (s *listing) Thread() int               { return 0 }
func (s *listing) Threads() int              { return 1 }
