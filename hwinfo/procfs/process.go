package procfs

import (
	"bytes"
	"errors"
	"math"
)

// Process is /proc/PID/stat.
type Process struct {
	Name       []byte  // shares memory with the parsed data
	State      byte    // R, S, D, Z (zombie), X (dead) ...
	CPUTicks   float64 // user and system time
	StartTicks float64 // ticks after boot
	Threads    float64
	RSSPages   float64
}

// Dead reports whether the process has ended and only waits for its parent.
func (p Process) Dead() bool { return p.State == 'Z' || p.State == 'X' }

// UnknownProcess has NaN in every number.
func UnknownProcess() Process {
	return Process{CPUTicks: nan, StartTicks: nan, Threads: nan, RSSPages: nan}
}

var errProcess = errors.New("invalid process stat: expected PID (NAME) and at least 22 fields")

// ParseProcess reads "77 (my sql)d) S 1 ...". The name may hold blanks and
// parentheses, so the fields are counted from the last ")": the first one
// after it is field 3. proc_pid_stat(5)
func ParseProcess(data []byte) (Process, error) {
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return UnknownProcess(), errProcess
	}
	line, _, _ := bytes.Cut(data[end+1:], []byte("\n"))
	state, fields := Word(line)
	var user, system float64
	p := UnknownProcess()
	Numbers(fields, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, &user, &system, nil, nil, nil, nil,
		&p.Threads, nil, &p.StartTicks, nil, &p.RSSPages)
	p.CPUTicks = user + system
	if len(state) == 0 || math.IsNaN(p.CPUTicks+p.StartTicks) {
		return UnknownProcess(), errProcess
	}
	p.Name, p.State = data[open+1:end], state[0]
	return p, nil
}
