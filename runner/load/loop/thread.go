package loop

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Scheduling classes of sched(7): SCHED_OTHER and SCHED_BATCH.
const (
	schedNormal = 0
	schedBatch  = 3
)

// dressThread gives the loop's thread its CPU and its scheduling class. undress gives it back those it had.
func (l *Loop) dressThread() (undress func() error, err error) {
	var before unix.CPUSet
	if l.cfg.Pin {
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			return nil, fmt.Errorf("CPUs of a loop's thread: %w", err)
		}
		var set unix.CPUSet
		set.Set(l.cfg.CPU)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			return nil, fmt.Errorf("pin a loop to CPU %d: %w", l.cfg.CPU, err)
		}
	}
	if l.cfg.Batch {
		if err := setClass(schedBatch); err != nil {
			return nil, fmt.Errorf("put a loop in the batch scheduling class: %w", err)
		}
	}
	return func() (err error) {
		if l.cfg.Pin {
			err = unix.SchedSetaffinity(0, &before)
		}
		if l.cfg.Batch {
			err = errors.Join(err, setClass(schedNormal))
		}
		return err
	}, nil
}

func setClass(policy uint32) error {
	return unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy}, 0)
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
