// Package testbed turns a case of a plan into a bed: a server that runs with
// the case's options, variables and CPUs, with its tables loaded, that load can
// be put on. Closing a bed undoes all of it.
//
// A Site holds what outlives a case: servers that are paused while another case
// runs, SMT, the CPUs that this process may use, locks. Cases that vary one
// another, and those that name the same existing server, share one server and
// its tables, so opening one case may change the bed of another.
//
// The package reports what it does and finds through a Reporter, and knows
// neither the order of trials nor the journal.
package testbed
