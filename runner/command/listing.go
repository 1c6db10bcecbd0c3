package command

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// showQueries runs rounds without a server and prints the statements of one round or, of a workload
// whose rounds are interactions of several types, the statements of each type.
func showQueries(env Env, made workload.Workload) error {
	s := &listing{rand: rand.New(rand.NewPCG(1, 1))}
	round, err := made.Thread(s)
	if err != nil {
		return err
	}
	types := map[string][]string{}
	for range showRounds {
		s.interaction, s.lines = "", nil
		// Without tables a round may end before its last statement.
		if err := round(); err != nil && len(s.lines) == 0 {
			return err
		}
		if s.interaction == "" {
			return showRound(env, s)
		}
		seen := types[s.interaction]
		for _, line := range s.lines {
			if !slices.Contains(seen, line) {
				seen = append(seen, line)
			}
		}
		types[s.interaction] = seen
	}
	fmt.Fprintf(env.Stdout, "\n%d interactions, each of them a round, and the statements they may send\n", len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(env.Stdout, "  %s\n", name)
		if len(types[name]) == 0 {
			types[name] = []string{"  none"}
		}
		for _, line := range types[name] {
			fmt.Fprintf(env.Stdout, "  %s\n", line)
		}
	}
	return nil
}

// showRounds is how many rounds are run to see all interactions: the rarest of dbt1 comes about
// once in a thousand.
const showRounds = 20_000

// showRound prints the statements of a round. One that sends nothing by itself shows what it sends
// at the end of a trial.
func showRound(env Env, s *listing) error {
	if len(s.lines) == 0 {
		for _, end := range s.ends {
			if err := end(); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(env.Stdout, "\none round\n%s\n", strings.Join(s.lines, "\n"))
	return nil
}

// statements is the number of statements that a thread of a workload prepares, 0
// when that is unknown without a server.
func statements(made workload.Workload) int {
	s := &listing{rand: rand.New(rand.NewPCG(1, 1))}
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

// listing is a workload.Session that notes each statement and reports success.
type listing struct {
	rand        *rand.Rand
	declared    []workload.Statement
	interaction string           // that the round is, "" without
	lines       []string         // statements of the round
	ends        []workload.Round // to be run at the end of a trial
}

func (s *listing) show(kind fmt.Stringer, sql string) {
	s.lines = append(s.lines, fmt.Sprintf("  %-6s %s", kind, sql))
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
func (s *listing) Interaction(name string)   { s.interaction = name }
func (s *listing) Reconnect() error          { return nil }
func (s *listing) AtEnd(end workload.Round)  { s.ends = append(s.ends, end) }
func (s *listing) Rand() *rand.Rand          { return s.rand }
func (s *listing) Thread() int               { return 0 }
func (s *listing) Threads() int              { return 1 }
