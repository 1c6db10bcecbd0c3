// Package server is where a sweep's statements go: a private server that it
// starts, configures, stops and removes itself, or an existing one that it only
// logs in to.
//
// It owns the folder, the process and the account of a private server; how an
// existing one is reached (the mysql client's conventions, option files, TLS);
// and what is asked of either of them beside the load: facts, counters, locks,
// global variables, replicas, traces.
//
// It refuses to touch what is not its own: it stops no server that it did not
// start, writes to no datadir that it did not make, and makes no table.
// Nothing here prints, reads the environment or handles signals.
package server

// Note is a warning that belongs to the data and travels with it.
type Note struct {
	Code string `json:"code"` // short and stable, such as "option-dropped"
	Text string `json:"text"` // one sentence
}
