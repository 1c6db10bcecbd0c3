package loop

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// schedBatch is SCHED_BATCH of sched(7).
const schedBatch = 3

// dressThread gives the loop's thread its CPU and its scheduling class.
func (l *Loop) dressThread() error {
	if l.cfg.Pin {
		var set unix.CPUSet
		set.Set(l.cfg.CPU)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			return fmt.Errorf("pin a loop to CPU %d: %w", l.cfg.CPU, err)
		}
	}
	if l.cfg.Batch {
		attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: schedBatch}
		if err := unix.SchedSetAttr(0, &attr, 0); err != nil {
			return fmt.Errorf("put a loop in the batch scheduling class: %w", err)
		}
	}
	return nil
}

// threadCPU returns the CPU time of the calling thread.
func threadCPU() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// runDelay returns how long the calling thread has stood in the kernel's run queues, as /proc/thread-self/schedstat has it;
// ok is false where the kernel keeps no such account.
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
