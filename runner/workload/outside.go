package workload

import "context"

// Outside is what a workload gets that speaks to the server outside of trials:
// to fill its tables, or before and after each trial.
type Outside struct {
	// Open makes a connection to the workload's schema.
	Open func(context.Context) (Conn, error)
	// Threads is how many connections may be at work at a time.
	Threads int
	// Clients is how many threads the trial has or, before any trial, the largest one will have.
	Clients int
	// Seed is of random numbers.
	Seed uint64
	// Print receives what the workload prints; may be nil. It is called by one
	// goroutine at a time.
	Print func(text string)
	// Sent receives each statement that succeeded, before the next one of its
	// connection; may be nil. It may be called by several goroutines at once.
	Sent func(ctx context.Context, sql string) error
}

// Conn is a connection outside of trials.
type Conn interface {
	// Fetch sends the text of a statement and stores what comes back, see
	// Session.Fetch. The context bounds it.
	Fetch(ctx context.Context, sql string, into *Results) (Outcome, error)
	Close() error
}

// Filler is a workload that makes and fills its tables by itself, such as a
// script with a prepare command. Its Tables are none.
type Filler interface {
	// Fill makes and fills the tables.
	Fill(context.Context, Outside) error
	// Fingerprint is of all that decides about the tables' contents but the
	// seed: tables with another one are created again.
	Fingerprint() string
}

// Surrounder is a workload with code of its own around each trial, outside
// every clock.
type Surrounder interface {
	BeforeEach(context.Context, Outside) error
	AfterEach(context.Context, Outside) error
}
