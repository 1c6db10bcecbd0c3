package procfs

import "bytes"

// TicksPerSecond is USER_HZ, the unit of CPU times in /proc/stat and
// /proc/PID/stat. It is 100 on every architecture in use.
const TicksPerSecond = 100

// cpusMax bounds the CPU numbers that are accepted.
const cpusMax = 1 << 20

// Stat is /proc/stat. All counters are cumulative since boot.
type Stat struct {
	Total           CPUTimes   // all CPUs together
	CPUs            []CPUTimes // online CPUs, in ascending order
	ContextSwitches float64
	Forks           float64
	Blocked         float64 // tasks waiting for I/O now
	BootTime        float64 // seconds since 1970
}

// CPUTimes are the ticks that a CPU spent in each state: user, nice, system,
// idle, iowait, irq, softirq, steal, guest, guest_nice. Columns that an old
// kernel does not have are 0; Known is false if a column is not a number.
type CPUTimes struct {
	ID    int // -1 for all CPUs together
	Ticks [10]float64
	Known bool
}

// Reset makes every number unknown and keeps the memory of CPUs.
func (s *Stat) Reset() {
	*s = Stat{CPUs: s.CPUs[:0], ContextSwitches: nan, Forks: nan, Blocked: nan, BootTime: nan}
}

// Parse reads /proc/stat into s, reusing its memory.
// https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat
func (s *Stat) Parse(data []byte) {
	s.Reset()
	EachLine(data, func(line []byte) {
		name, rest := Word(line)
		switch {
		case bytes.HasPrefix(name, []byte("cpu")):
			s.parseCPU(name[3:], rest)
		case string(name) == "ctxt":
			Numbers(rest, &s.ContextSwitches)
		case string(name) == "btime":
			Numbers(rest, &s.BootTime)
		case string(name) == "processes":
			Numbers(rest, &s.Forks)
		case string(name) == "procs_blocked":
			Numbers(rest, &s.Blocked)
		}
	})
}

func (s *Stat) parseCPU(id, rest []byte) {
	t := CPUTimes{ID: -1, Known: true}
	for i := range t.Ticks {
		var w []byte
		if w, rest = Word(rest); len(w) == 0 {
			break
		}
		t.Ticks[i] = Number(w)
		t.Known = t.Known && t.Ticks[i] == t.Ticks[i]
	}
	if len(id) == 0 {
		s.Total = t
		return
	}
	if n := Number(id); n >= 0 && n < cpusMax {
		t.ID = int(n)
		s.CPUs = append(s.CPUs, t)
	}
}
