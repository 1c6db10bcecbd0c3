// Package load is the load generator: it runs one trial of a workload against a server and says
// what it found.
//
// A trial is made of bursts: connect all threads, a barrier, the clock, rounds on every thread, the
// last answer, disconnect. A thread is a session (connection, statements, clocks, tallies) and the
// course of its rounds; it is written once, in blocking style, and runs on either of two engines:
// event loops of our own (package loop), or plain goroutines as the reference. The engines differ
// in how a thread waits and in the net.Conn below the MySQL driver, and in nothing else.
//
// The package knows the driver and the clock. It does not know which queries are sent (package
// workload), how a server is made (package server), or what the figures mean (package verdict).
package load
