package workload

import (
	"math/rand/v2"
	"time"
)

// Kind says under which of sysbench's headings a statement is counted.
type Kind uint8

const (
	Read  Kind = iota // returns rows
	Write             // changes rows; one that changed none is counted as Other
	Other             // neither: BEGIN, COMMIT, SET
)

func (k Kind) String() string { return [...]string{"read", "write", "other"}[k] }

// Statement is one kind of query of a workload.
type Statement struct {
	Type string // reporting group, a row of queries.csv, e.g. "select_index"
	Kind Kind
	SQL  string // with a ? for each argument; "" if it is sent by Raw only
	// Name is what the workload's author calls the query, "" for its Type.
	// It stands before the server's message in errors.
	Name string
}

// Handle names a statement that a thread declared. It stays valid when the
// connection is closed and opened anew.
type Handle int

// Outcome is what the server says of a statement that returns no rows.
type Outcome struct {
	RowsAffected int64
	LastInsertID int64
}

// Session is what one thread of a workload talks to: one connection, in
// blocking style. Whether a call blocks an OS thread, a goroutine or just a
// coroutine of an event loop is the load generator's affair, as are clocks,
// tallies, protocol, time limits and reconnects.
//
// Every call that fails returns the error for the round to pass on: a round
// that got an error ends. The load generator has counted it already, and rolls
// back the transaction that the round leaves open.
// Texts in arguments and the text of Raw may share memory that the workload
// writes again later: they are good until the call returns.
// A Session belongs to one thread and must not be shared.
type Session interface {
	// Declare makes a statement known. With the prepared protocol it is
	// prepared on first use after each connect.
	Declare(Statement) Handle
	// Query sends the statement, reads and discards all rows, and returns
	// their number. args may be nil.
	Query(h Handle, args Args) (rows int64, err error)
	// Select is Query for a round that needs the values. Integers come as
	// int64, text and decimals as []byte (valid until each returns), NULL as nil.
	Select(h Handle, args Args, each func(row []any) error) error
	// Exec sends a statement that returns no rows.
	Exec(h Handle, args Args) (Outcome, error)
	// Raw sends a text of the moment, without arguments, counted as the
	// statement h, and discards its rows. It always uses the text protocol.
	Raw(h Handle, sql string) (rows int64, err error)
	// Fetch sends sql, or the declared statement with args when sql is "", and
	// stores all result sets in into. sql always uses the text protocol.
	// Dates and numbers come as the texts of the text protocol.
	Fetch(h Handle, sql string, args Args, into *Results) (Outcome, error)
	// Begin, Commit and Rollback are statements like any other: they are
	// sent, answered, counted (as Other) and timed.
	Begin() error
	Commit() error
	Rollback() error
	// Sleep lets think time pass. It is inside the round's time, outside
	// every statement's.
	Sleep(time.Duration) error
	// Think is Sleep outside the round's time too: what an emulated user
	// thinks between two interactions is no response time.
	Think(time.Duration) error
	// Interaction says of which type this round is, e.g. "best_sellers". It
	// may be called anywhere in a round, the last call counts, and the round's
	// time (without Think) and its failure are tallied under that type as
	// well: result.Measure.Interactions.
	Interaction(typ string)
	// Reconnect closes the connection and opens it anew, counted and timed
	// as a connect.
	Reconnect() error
	// Another opens one more connection for the same thread, counted and timed
	// as a reconnect. It is closed with the thread's own. Its Thread, Rand and
	// Interaction are the thread's.
	Another() (Session, error)
	// Ended is nil as long as the trial goes on, else why it was cut off. A
	// round that computes for long without a statement asks for it.
	Ended() error
	// AtEnd gives what the thread does after its last round, inside the clock
	// but as no round, e.g. sending rows that it held back for one long INSERT.
	// A thread calls it at most once, before its first round.
	AtEnd(Round)
	// Rand is the thread's own generator, seeded by plan, trial and thread.
	Rand() *rand.Rand
	// Thread is the thread's number from 0, Threads how many there are.
	Thread() int
	Threads() int
}
