package procfs

import (
	"bytes"
	"errors"
)

// Loadavg is /proc/loadavg.
type Loadavg struct {
	Load     [3]float64 // load average over 1, 5 and 15 minutes
	Runnable float64    // tasks running or ready to run, the reader included
	Tasks    float64    // processes and threads
}

// ParseLoadavg reads "0.20 0.18 0.12 1/80 11206".
// https://docs.kernel.org/filesystems/proc.html
func ParseLoadavg(data []byte) (Loadavg, error) {
	var l Loadavg
	line, _, _ := bytes.Cut(data, []byte("\n"))
	for i := range l.Load {
		var w []byte
		w, line = Word(line)
		if l.Load[i] = Number(w); !(l.Load[i] >= 0 && l.Load[i] < 1e9) {
			return UnknownLoadavg(), errLoad
		}
	}
	w, _ := Word(line)
	runnable, tasks, _ := bytes.Cut(w, []byte("/"))
	l.Runnable, l.Tasks = Number(runnable), Number(tasks)
	if !(l.Runnable >= 0 && l.Tasks >= 0) {
		return UnknownLoadavg(), errTasks
	}
	return l, nil
}

var (
	errLoad  = errors.New("invalid load average: expected three numbers")
	errTasks = errors.New("invalid task counts: expected RUNNABLE/TOTAL")
)

// UnknownLoadavg has NaN in every field.
func UnknownLoadavg() Loadavg {
	return Loadavg{Load: [3]float64{nan, nan, nan}, Runnable: nan, Tasks: nan}
}

// Sockets are the TCP lines of /proc/net/sockstat, for one network namespace.
type Sockets struct {
	InUse    float64 // TCP sockets in use (IPv4)
	TimeWait float64 // sockets in state TIME_WAIT
}

// ParseSockstat reads the line "TCP: inuse 5 orphan 0 tw 123 alloc 8 mem 1".
func ParseSockstat(data []byte) Sockets {
	s := Sockets{nan, nan}
	EachLine(data, func(line []byte) {
		name, rest := Word(line)
		if string(name) != "TCP:" {
			return
		}
		for len(rest) > 0 {
			var key, value []byte
			key, rest = Word(rest)
			value, rest = Word(rest)
			switch string(key) {
			case "inuse":
				s.InUse = Number(value)
			case "tw":
				s.TimeWait = Number(value)
			}
		}
	})
	return s
}

// EachMeminfo calls f for each line "Name:  123 kB" of /proc/meminfo, with the
// value in bytes, or as a count where the kernel prints no unit. Lines of a
// NUMA node's meminfo begin with "Node 0", which is skipped.
// https://docs.kernel.org/filesystems/proc.html#meminfo
func EachMeminfo(data []byte, f func(name []byte, value float64)) {
	EachLine(data, func(line []byte) {
		name, rest := Word(line)
		if string(name) == "Node" {
			_, rest = Word(rest)
			name, rest = Word(rest)
		}
		name, isKey := bytes.CutSuffix(name, []byte(":"))
		word, rest := Word(rest)
		value := Number(word)
		if unit, _ := Word(rest); string(unit) == "kB" {
			value *= 1024
		}
		if isKey && value >= 0 && value < 1<<62 {
			f(name, value)
		}
	})
}
