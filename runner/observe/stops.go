package observe

import (
	"context"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A process that does not run for stopGap, and uses less than stopCPU of that
// time, was stopped. One that only waits for a CPU is not: it gets its share.
const (
	stopTick = 100 * time.Millisecond
	stopGap  = 500 * time.Millisecond
	stopCPU  = 0.02
)

// stopWatch notices that this process did not run: by SIGSTOP or a paused
// virtual machine, which its own ticks miss, and by a suspended computer, whose
// monotonic clock stands still while the boot clock goes on.
type stopWatch struct {
	cancel  context.CancelFunc
	done    chan struct{}
	stopped time.Duration
}

// instant is one reading of the clocks. Unknown values are 0 in all instants.
type instant struct {
	monotonic time.Duration // CLOCK_MONOTONIC: not while suspended
	boot      time.Duration // CLOCK_BOOTTIME: also while suspended
	cpu       time.Duration // used by the process
}

// watchStops watches until stop is called.
func watchStops() *stopWatch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &stopWatch{cancel: cancel, done: make(chan struct{})}
	go w.run(ctx, readInstant())
	return w
}

func (w *stopWatch) run(ctx context.Context, last instant) {
	defer close(w.done)
	for {
		over := pause(ctx, stopTick) != nil
		now := readInstant()
		w.stopped += now.stoppedSince(last)
		last = now
		if over {
			return
		}
	}
}

// stop returns for how long the process was stopped.
func (w *stopWatch) stop() time.Duration {
	w.cancel()
	<-w.done
	return w.stopped
}

// stoppedSince is for how long the process was stopped between two ticks, 0
// when it ran.
func (i instant) stoppedSince(last instant) time.Duration {
	passed := max(i.boot-last.boot, i.monotonic-last.monotonic)
	late := passed - stopTick
	if late < stopGap || (i.cpu-last.cpu).Seconds() > stopCPU*passed.Seconds() {
		return 0
	}
	return late
}

func readInstant() instant {
	var now instant
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) == nil {
		now.monotonic = time.Duration(t.Nano())
	}
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) == nil {
		now.boot = time.Duration(t.Nano())
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil {
		now.cpu = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return now
}
