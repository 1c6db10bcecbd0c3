package workload

import (
	"math/rand/v2"
	"time"
)

// Kind is the group in which sysbench counts a statement.
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
	// Error messages begin with it.
	Name string
}

// Handle identifies a statement that a thread declared. It stays valid over
// reconnects.
type Handle int

// Outcome is the server's response to a statement that returns no rows.
type Outcome struct {
	RowsAffected int64
	LastInsertID int64
}

// Arg is one argument of a statement. The zero Arg is NULL.
type Arg struct {
	Form  Form
	Int   int64
	Float float64
	Text  string
}

// Form says which field of an Arg holds its value.
type Form uint8

const (
	Null Form = iota
	Integer
	Real
	Text
)

// Args are the arguments of one statement. A thread makes them once and
// refills them each round, so that a query allocates nothing.
type Args []Arg

// SetInt, SetFloat, SetText and SetNull fill argument i.
func (a Args) SetInt(i int, v int64)     { a[i] = Arg{Form: Integer, Int: v} }
func (a Args) SetFloat(i int, v float64) { a[i] = Arg{Form: Real, Float: v} }
func (a Args) SetText(i int, v string)   { a[i] = Arg{Form: Text, Text: v} }
func (a Args) SetNull(i int)             { a[i] = Arg{} }

// Session is one connection, used by one thread of a workload in blocking
// style. The load generator decides whether a call blocks an OS thread, a
// goroutine or a coroutine of an event loop; it also owns clocks, tallies,
// protocol, time limits and reconnects.
//
// A round that receives an error from a call must return it. The load
// generator has counted the error already and rolls back an open transaction.
// Text arguments and the text of Raw may share memory that the workload reuses
// after the call. A Session must not be shared between threads.
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
	// Raw sends a text without arguments by the text protocol, counts it as
	// the statement h, and discards its rows.
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
	// Sleep waits. The time counts for the round, not for a statement.
	Sleep(time.Duration) error
	// Think waits like Sleep, but the time does not count for the round: the
	// think time of an emulated user is not part of a response time.
	Think(time.Duration) error
	// Interaction sets the type of this round, e.g. "best_sellers". The last
	// call in a round counts. Time (without Think) and failure of the round
	// are also tallied by type, see result.Measure.Interactions.
	Interaction(typ string)
	// Reconnect closes the connection and opens a new one, which is counted
	// and timed as a connect.
	Reconnect() error
	// Another opens one more connection for the same thread, counted and timed
	// as a reconnect. It is closed with the thread's own. Its Thread, Rand and
	// Interaction are the thread's.
	Another() (Session, error)
	// Ended is nil as long as the trial goes on, else why it was cut off. A
	// round that computes for long without a statement asks for it.
	Ended() error
	// AtEnd sets a function to run after the thread's last round, for example
	// to send rows held back for a long INSERT. Its time is measured, but it is
	// not counted as a round. Call it at most once, before the first round.
	AtEnd(Round)
	// Rand is the thread's own generator, seeded by plan, trial and thread.
	Rand() *rand.Rand
	// Thread is the thread's number from 0, Threads how many there are.
	Thread() int
	Threads() int
}
