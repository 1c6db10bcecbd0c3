// Package series samples what a machine does while a trial runs: load average,
// runnable tasks, CPUs, network cards, disks, memory, TCP, pressure, and one
// process.
//
// A Sampler reads through a Source, so that this machine, a folder of files
// and another host take the same path. Once a second it keeps a Sample; ten
// times a second it counts runnable tasks; Mark reads all counters on demand,
// so that a trial of half a second has exact shares of each CPU too.
//
// The package only counts; it knows nothing of trials and verdicts. What a
// machine does not provide is omitted, never zero.
package series
