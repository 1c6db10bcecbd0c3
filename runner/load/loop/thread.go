package loop

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// pin puts the loop's thread on its CPU. unpin gives it back those it had.
func (l *Loop) pin() (unpin func() error, err error) {
	if !l.cfg.Pin {
		return func() error { return nil }, nil
	}
	var before, own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("CPUs of a loop's thread: %w", err)
	}
	own.Set(l.cfg.CPU)
	if err := unix.SchedSetaffinity(0, &own); err != nil {
		return nil, fmt.Errorf("pin a loop to CPU %d: %w", l.cfg.CPU, err)
	}
	return func() error { return unix.SchedSetaffinity(0, &before) }, nil
}

// threadCPU returns the CPU time of the calling thread.
func threadCPU() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// runDelay returns how long the calling thread has stood in the kernel's run queues, as
// /proc/thread-self/schedstat has it; ok is false where the kernel keeps no such account.
func runDelay() (delay time.Duration, ok bool) {
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(text) // nanoseconds on a CPU, nanoseconds in a run queue, time slices
	if len(fields) < 3 {
		return 0, false
	}
	ns, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return time.Duration(ns), err == nil
}
