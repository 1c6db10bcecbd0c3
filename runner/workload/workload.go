// Package workload says which queries a thread sends. A workload declares its
// tables, with the rows in them, and the statements of one round (super-smack:
// round; sysbench: event; TPC-B: transaction). It is written in blocking style
// against a Session and knows neither driver nor clock nor connection.
//
// To add one: write one file here and one line in All (list.go).
package workload

import "context"

// Workload is one workload with its options set.
type Workload interface {
	// Tables lists what must exist and be filled before the first trial.
	Tables() []Table
	// Thread is called once for each thread before the barrier. It declares
	// statements, makes arguments, and returns the round.
	Thread(Session) (Round, error)
}

// Round is one round: all of its statements, in order. It returns the first error.
type Round func() error

// Resetter is a workload that needs statements between trials, outside every
// clock, e.g. TRUNCATE TABLE history.
type Resetter interface {
	BeforeTrial() []string
}

// Preparer is a workload with statements of its own that run once a case, in
// order, after its tables are loaded and before the first trial.
type Preparer interface {
	Setup() []string
}

// Finisher is a workload that needs statements after each trial, outside every
// clock.
type Finisher interface {
	AfterTrial() []string
}

// Checker is a workload that can tell whether the data is still right, e.g.
// that the balances of TPC-B agree. It is asked outside every clock; an error
// makes the case's trials invalid. query returns the rows as text.
type Checker interface {
	Check(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error
}

// Adopter is a workload that must look at tables it did not make before it can
// run on them (--existing-tables), e.g. to learn their keys.
type Adopter interface {
	Adopt(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error
}

// Limiter is a workload whose think time bounds what it can reach, e.g. dbt1.
type Limiter interface {
	// Limit is the highest rate of rounds per second that so many threads
	// can reach at all, because of think time.
	Limit(threads int) float64
}

// Reconnecter is a workload that opens connections anew by itself.
type Reconnecter interface {
	// Reconnects says when: query, round or random; "" if it does not, and only
	// the plan's reconnect counts.
	Reconnects() string
}

// Scaler is a workload that says itself what a cell means, e.g. a .smack file
// with two clients of $1 threads each, or with numbers of its own.
type Scaler interface {
	// Cell returns what stands for Thread in one cell, and how many rounds each
	// thread runs; the length of rounds is the number of threads. When the
	// trial ends by time or events, queries is 0 and only the length counts.
	Cell(threads, queries int) (thread func(Session) (Round, error), rounds []int, err error)
}

// Spec describes a workload to the command line, to plans and to docs.
type Spec struct {
	Name    string
	Summary string // one line
	Family  string // super-smack, sysbench, tpc-b, dbt-1, own
	Options []Option
	// Sweep is what is swept when nothing was asked: a list of queries per
	// thread, or a time per trial.
	Sweep Sweep
	// Transactional workloads have the transaction as their headline.
	Transactional bool
	// Reconnect is the reconnect mode when nothing was asked ("" = never).
	Reconnect string
	// New makes the workload, or says which option is wrong and why.
	New func(Values) (Workload, error)
}

// Sweep is a default: threads and queries as lists (see plan.ParseInts), or
// seconds of time and warm-up ramp a trial.
type Sweep struct {
	Threads string
	Queries string
	Time    string // e.g. "10s"; set when Queries is empty
	RampUp  string
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
