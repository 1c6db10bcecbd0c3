package server

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Syscall is one row of strace's table. Times are by the wall clock and summed
// over all threads, so they may exceed the time that the trace took; strace's own
// cost, some microseconds a call, is in them.
type Syscall struct {
	Name       string  `json:"name"`
	Calls      int64   `json:"calls"`
	Errors     int64   `json:"errors"`
	Seconds    float64 `json:"seconds"`
	MinSeconds float64 `json:"min_seconds"`
	MaxSeconds float64 `json:"max_seconds"`
}

// MeanSeconds is how long a call took, such as an fsync.
func (s Syscall) MeanSeconds() float64 { return s.Seconds / float64(s.Calls) }

// Strace counts the system calls of a server.
type Strace struct{ tracer *tracer }

// StartStrace attaches strace -c -f to a process and its threads. Files go to dir.
func StartStrace(pid int, dir string) (*Strace, error) {
	table := dir + "/strace.txt"
	args := []string{"-c", "-w", "-f", "-U", "name,calls,total-time,min-time,max-time,errors", "-o", table, "-p", strconv.Itoa(pid)}
	t, err := startTracer(dir, "strace", args, func(log string) bool { return strings.Contains(log, "attached") })
	if err != nil {
		return nil, err
	}
	return &Strace{t}, nil
}

// Stop detaches and returns the table, the call that took longest first.
func (s *Strace) Stop() ([]Syscall, error) {
	if err := s.tracer.stop(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(s.tracer.file("txt"))
	if err != nil {
		return nil, fmt.Errorf("%w: strace: %w%s", ErrNoTrace, err, s.tracer.said())
	}
	return parseStrace(string(text)), nil
}

// parseStrace reads the rows between the two rules. The errors are last, so
// that an empty cell moves no other.
func parseStrace(text string) []Syscall {
	var calls []Syscall
	rules := 0
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "---"):
			rules++
		case rules == 1 && len(fields) >= 5:
			var call Syscall
			call.Name = fields[0]
			call.Calls, _ = strconv.ParseInt(fields[1], 10, 64)
			call.Seconds, _ = strconv.ParseFloat(fields[2], 64)
			call.MinSeconds, _ = strconv.ParseFloat(fields[3], 64)
			call.MaxSeconds, _ = strconv.ParseFloat(fields[4], 64)
			if len(fields) > 5 {
				call.Errors, _ = strconv.ParseInt(fields[5], 10, 64)
			}
			if call.Calls > 0 {
				calls = append(calls, call)
			}
		}
	}
	return calls
}
