package loop_test

import (
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/load/loop"
)

// TestPinAndStats: the thread runs where it is told to, and its figures make sense.
func TestPinAndStats(t *testing.T) { onEachPoller(t, testPinAndStats) }

func testPinAndStats(t *testing.T, poller loop.Poller) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !allowed.IsSet(cpu) {
		cpu++
	}
	address := serve(t, "unix", echo)
	var before loop.Stats
	var lags []time.Duration
	l, err := run(t, loop.Config{Poller: poller, CPU: cpu, Pin: true}, func(task *loop.Task) {
		before = task.Loop().Stats()
		task.Loop().ObserveLag(func(d time.Duration) { lags = append(lags, d) })
		var set unix.CPUSet
		unix.SchedGetaffinity(0, &set)
		if set.Count() != 1 || !set.IsSet(cpu) {
			t.Errorf("runs on %v", set)
		}
		conn := dial(t, task, address)
		defer conn.Close()
		for range 1000 {
			conn.Write([]byte("x"))
			conn.Read(make([]byte, 10)) // short, so that the next one waits for an event
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s := l.Stats().Since(before)
	if s.Events < 1000 || s.Waits < 1000 || s.Elapsed <= 0 || s.CPU < 0 || s.CPU > s.Elapsed || s.Busy() > 1 {
		t.Errorf("figures: %+v", s)
	}
	if len(lags) < 10 || slices.Min(lags) < 0 || slices.Max(lags) > s.Elapsed {
		t.Errorf("lags: %v", lags)
	}
}
