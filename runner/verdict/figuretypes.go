package verdict

import "github.com/mysweep/mysweep/runner/result"

// The figures of a note are values of these types, in the order in which its sentence names them.
type (
	Seconds float64
	Share   float64 // of 1
	Bytes   float64
	Count   float64 // whole things
	Number  float64 // a rate, a load or a mean
	Change  float64 // new over old
	Name    string  // of a device, variable, table or replica, or a message of the server
	Role    string  // of a machine: client, server, or shared where both are one
	Errors  []result.ErrorCount
	Counted struct {
		N     int
		Thing string // singular
	}
)
