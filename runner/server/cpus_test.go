package server

import (
	"os"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Whatever thread tries CPUs, and be it the main one, has its own afterwards.
func TestThreadsKeepTheirCPUs(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one CPU: there is nothing to choose")
	}
	main := func() (set unix.CPUSet) {
		if err := unix.SchedGetaffinity(os.Getpid(), &set); err != nil {
			t.Fatal(err)
		}
		return set
	}
	before := main()
	first := 0
	for !before.IsSet(first) {
		first++
	}
	var all sync.WaitGroup
	for range 500 {
		all.Go(func() {
			if err := checkCPUs([]int{first}); err != nil {
				t.Error(err)
			}
			if err := checkCPUs([]int{first, 1 << 9}); err == nil {
				t.Error("a CPU that is not there was given")
			}
		})
	}
	all.Wait()
	if after := main(); after != before {
		t.Errorf("the main thread may use %d CPUs, before %d", after.Count(), before.Count())
	}
}
