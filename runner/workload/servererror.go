package workload

import (
	"errors"
	"fmt"
)

// ServerError is what a server answers to a statement that it could not
// execute. It is found by errors.As in what a Session or a Conn returns.
type ServerError struct {
	Number  int    // e.g. 1213
	State   string // SQLSTATE, five characters; "" if the server sent none
	Message string
}

func (e *ServerError) Error() string {
	if e.State == "" {
		return fmt.Sprintf("Error %d: %s", e.Number, e.Message)
	}
	return fmt.Sprintf("Error %d (%s): %s", e.Number, e.State, e.Message)
}

// RestartError is what a round returns to be run again from its start, because
// the workload says that its error may be ignored. The load generator counts
// the error as ignored.
type RestartError struct{ Err error }

func (e *RestartError) Error() string { return "restart the round: " + e.Err.Error() }
func (e *RestartError) Unwrap() error { return e.Err }

// BrokenError is what a round returns when the workload itself is at fault, so
// that no further round can succeed. It fails the trial.
type BrokenError struct{ Err error }

func (e *BrokenError) Error() string { return e.Err.Error() }
func (e *BrokenError) Unwrap() error { return e.Err }

// ErrEnough is what a round returns when its thread is to run no more rounds.
// The round does not count.
var ErrEnough = errors.New("the workload has run enough rounds")
