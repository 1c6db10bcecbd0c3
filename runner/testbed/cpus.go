package testbed

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
)

// unavailableError says that this machine does not have what a case needs: the
// case is skipped.
type unavailableError struct{ text string }

func (e *unavailableError) Error() string { return e.text }

// serverCPUs are the CPUs that a case's server may use, nil for all.
func serverCPUs(c plan.CPUs, allowed unix.CPUSet) ([]int, error) {
	switch {
	case c.List != "":
		return listedCPUs(c.List, allowed)
	case c.Cores == 0:
		return nil, nil
	}
	threads := max(1, c.ThreadsPerCore)
	chosen := hwinfo.Choose(usableProcessors(allowed), c.Cores, threads)
	if chosen == nil {
		return nil, &unavailableError{fmt.Sprintf("this machine does not have cores: %d with threads_per_core: %d to give to the server", c.Cores, threads)}
	}
	return chosen, nil
}

// listedCPUs reads a list as the kernel writes it, e.g. 0-3,8.
func listedCPUs(text string, allowed unix.CPUSet) ([]int, error) {
	var cpus []int
	for _, part := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(low)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to > 1<<16 {
			return nil, fmt.Errorf("invalid cpus %q: expected a list such as 0-3,8", text)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	usable := usableProcessors(allowed)
	for _, cpu := range cpus {
		if !slices.ContainsFunc(usable, func(p hwinfo.Processor) bool { return p.ID == cpu }) {
			return nil, &unavailableError{fmt.Sprintf("cpus %q: this machine has no CPU %d that may be used", text, cpu)}
		}
	}
	return cpus, nil
}

// ownCPUs are those that this process may use now; the load generator makes
// room while a case has CPUs, so a sweep asks before its first case.
func ownCPUs() unix.CPUSet {
	var set unix.CPUSet
	if unix.SchedGetaffinity(os.Getpid(), &set) != nil {
		for cpu := range len(set) * 64 {
			set.Set(cpu)
		}
	}
	return set
}

// usableProcessors are the online CPUs among those allowed.
func usableProcessors(allowed unix.CPUSet) []hwinfo.Processor {
	list := hwinfo.Processors(os.DirFS("/"))
	return slices.DeleteFunc(list, func(p hwinfo.Processor) bool { return !allowed.IsSet(p.ID) })
}

// bindClient keeps the load generator off the CPUs of the case's server, as long
// as there are others.
func (b *Bed) bindClient() error {
	if len(b.cpus) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, cpu := range b.site.otherCPUs(b.cpus) {
		set.Set(cpu)
	}
	if set.Count() == 0 {
		b.site.report.Note("no-room", "case %s gives all CPUs to the server: the load generator runs on them as well", b.Name)
		return nil
	}
	if err := unix.SchedGetaffinity(os.Getpid(), &b.clientCPUs); err != nil {
		return fmt.Errorf("CPU affinity: %w", err)
	}
	return bind(&set)
}

// otherCPUs are the CPUs that a server with CPUs of its own leaves to others; nil when
// it leaves none, or has none of its own.
func (s *Site) otherCPUs(cpus []int) []int {
	if len(cpus) == 0 {
		return nil
	}
	var others []int
	for _, p := range usableProcessors(s.allowed) {
		if !slices.Contains(cpus, p.ID) {
			others = append(others, p.ID)
		}
	}
	return others
}

// unbindClient gives the load generator its CPUs back.
func (b *Bed) unbindClient() {
	if b.clientCPUs.Count() == 0 {
		return
	}
	if err := bind(&b.clientCPUs); err != nil {
		b.site.report.Note("not-undone", "the load generator could not get its CPUs back: %v", err)
	}
	b.clientCPUs.Zero()
}

// bind sets the CPUs of every thread of this process; later ones inherit them.
// It looks again until it finds no new thread, which may have inherited the
// CPUs of one that had not been bound yet.
func bind(set *unix.CPUSet) error {
	bound := map[int]bool{}
	for before := -1; before < len(bound); {
		before = len(bound)
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("CPU affinity: %w", err)
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil || bound[id] {
				continue
			}
			// A thread may just have ended.
			if err := unix.SchedSetaffinity(id, set); err != nil && err != unix.ESRCH {
				return fmt.Errorf("CPU affinity: %w", err)
			}
			bound[id] = true
		}
	}
	return nil
}

// cpuText writes CPUs as the kernel does, "" for none.
func cpuText(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		j := i
		for j+1 < len(cpus) && cpus[j+1] == cpus[j]+1 {
			j++
		}
		part := strconv.Itoa(cpus[i])
		if j > i {
			part += "-" + strconv.Itoa(cpus[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
