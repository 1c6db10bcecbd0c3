// Package workload defines which queries a thread sends. A workload declares
// its tables with their rows, and the statements of one round (super-smack:
// round; sysbench: event; TPC-B: transaction). It is written in blocking style
// against a Session and has no access to driver, clock or connection.
//
// To add one: write one file here and one line in All (list.go).
package workload

import (
	"context"
	"fmt"
	"strconv"
)

// Workload is one workload with its options set.
type Workload interface {
	// Tables lists the tables to create and load before the first trial.
	Tables() []Table
	// Thread is called once for each thread before the barrier. It declares
	// statements, allocates arguments, and returns the round.
	Thread(Session) (Round, error)
}

// Round is one round: all of its statements, in order. It returns the first error.
type Round func() error

// Resetter is a workload that needs statements before each trial, outside the
// measured time, e.g. TRUNCATE TABLE history.
type Resetter interface {
	BeforeTrial() []string
}

// Preparer is a workload with statements that run once per case, in order,
// after its tables are loaded and before the first trial.
type Preparer interface {
	Setup() []string
}

// Finisher is a workload that needs statements after each trial, outside the
// measured time.
type Finisher interface {
	AfterTrial() []string
}

// Query runs a statement outside the measured time and returns its rows as text.
type Query func(ctx context.Context, sql string) ([][]string, error)

// integer returns the only value of a statement's result.
func (q Query) integer(ctx context.Context, sql string) (int64, error) {
	rows, err := q(ctx, sql)
	if err != nil {
		return 0, err
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return 0, fmt.Errorf("%s: no row returned", sql)
	}
	n, err := strconv.ParseInt(rows[0][0], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", sql, err)
	}
	return n, nil
}

// Checker is a workload that can verify its data after a trial, e.g. that the
// balances of TPC-B agree. An error makes the case's trials invalid.
type Checker interface {
	Check(ctx context.Context, query Query) error
}

// Adopter is a workload that must inspect tables that it did not create before
// it can run on them (--existing-tables), e.g. to learn their keys.
type Adopter interface {
	Adopt(ctx context.Context, query Query) error
}

// Limiter is a workload whose think time bounds what it can reach, e.g. dbt1.
type Limiter interface {
	// Limit is the highest rate in rounds per second that the given number of
	// threads can reach because of think time.
	Limit(threads int) float64
}

// Reconnecter is a workload that reconnects by itself.
type Reconnecter interface {
	// Reconnects returns when: query, round or random, or "" if it does not and
	// only the plan's reconnect applies.
	Reconnects() string
}

// Scaler is a workload that defines itself how many threads and rounds a cell
// has, e.g. a .smack file with two clients of $1 threads each.
type Scaler interface {
	// Cell returns the function to use instead of Thread in one cell, and the
	// number of rounds of each thread; the length of rounds is the number of
	// threads. In a trial that ends by time or events, queries is 0 and the
	// values of rounds are not used.
	Cell(threads, queries int) (thread func(Session) (Round, error), rounds []int, err error)
}

// Spec describes a workload to the command line, to plans and to docs.
type Spec struct {
	Name    string
	Summary string // one line
	Family  string // super-smack, sysbench, tpc-b, dbt-1, own
	Options []Option
	// Sweep is the default sweep: a list of queries per thread, or a time per
	// trial.
	Sweep Sweep
	// Reconnect is the default reconnect mode ("" = never).
	Reconnect string
	// New creates the workload, or returns which option is wrong and why.
	New func(Values) (Workload, error)
}

// Sweep is a default: threads and queries as lists (see plan.ParseInts), or
// seconds of time and warm-up ramp a trial.
type Sweep struct {
	Threads string
	Queries string
	Time    string // e.g. "10s"; set when Queries is empty
	RampUp  string
	// Protocol is prepared for workloads that prepare statements themselves.
	Protocol string
}

// Find returns the workload of that name.
func Find(name string) (Spec, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}
