package server

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// perfFrequency is how often perf looks a second and CPU: no round number, so
// that it does not fall in step with timers.
const perfFrequency = 499

// Profile is where a server's threads spent CPU time.
type Profile struct {
	Samples int `json:"samples"`
	// Stacks holds samples by stack, outermost frame first, joined by ";", for flame graphs.
	Stacks  map[string]int `json:"stacks"`
	Symbols []Symbol       `json:"symbols"`
}

// Symbol is a function and how many samples hit it itself, the most first.
type Symbol struct {
	Name    string `json:"name"`
	Object  string `json:"object"` // program or library, [kernel.kallsyms]
	Samples int    `json:"samples"`
}

// Perf samples a server's CPU time.
type Perf struct {
	tracer *tracer
	comm   string // name of the process
}

// StartPerf attaches perf record to a process. Without hardware counters perf
// takes the CPU clock by itself. Files go to dir.
func StartPerf(pid int, dir string) (*Perf, error) {
	args := []string{"record", "-F", strconv.Itoa(perfFrequency), "-g", "-o", dir + "/perf.data", "-p", strconv.Itoa(pid)}
	t, err := startTracer(dir, "perf", args, func(string) bool { return fileHasBytes(dir + "/perf.data") })
	if err != nil {
		return nil, err
	}
	comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // it may have ended meanwhile
	return &Perf{t, strings.TrimSpace(string(comm))}, nil
}

// Stop ends the record and reads it.
func (p *Perf) Stop() (Profile, error) {
	if err := p.tracer.stop(); err != nil {
		return Profile{}, err
	}
	cmd := exec.Command("perf", "script", "-f", "--no-inline", "-i", p.tracer.file("data"), "-F", "comm,ip,sym,dso")
	out, err := cmd.Output()
	if err != nil {
		return Profile{}, fmt.Errorf("%w: perf script: %w%s", ErrNoTrace, err, p.tracer.said())
	}
	return parsePerf(string(out), p.comm), nil
}

// parsePerf reads perf script: a line with the thread's name, its frames with
// the innermost first, and an empty line, for each sample. A thread whose name
// perf did not learn, and wrote as its number, gets the process's.
func parsePerf(text, comm string) Profile {
	profile := Profile{Stacks: map[string]int{}}
	self := map[Symbol]int{}
	for block := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		if len(lines) < 2 {
			continue
		}
		thread := strings.TrimSpace(lines[0])
		if strings.HasPrefix(thread, ":") && comm != "" {
			thread = comm
		}
		stack := []string{frameName(thread)}
		for _, line := range slices.Backward(lines[1:]) {
			symbol := parseFrame(line)
			stack = append(stack, frameName(symbol.Name))
		}
		profile.Samples++
		profile.Stacks[strings.Join(stack, ";")]++
		self[parseFrame(lines[1])]++
	}
	for symbol, samples := range self {
		symbol.Samples = samples
		profile.Symbols = append(profile.Symbols, symbol)
	}
	slices.SortFunc(profile.Symbols, func(a, b Symbol) int {
		if a.Samples != b.Samples {
			return b.Samples - a.Samples
		}
		return strings.Compare(a.Name+a.Object, b.Name+b.Object)
	})
	return profile
}

// parseFrame reads "  55d0c0ffee row_search_mvcc (/usr/sbin/mariadbd)".
func parseFrame(line string) Symbol {
	line = strings.TrimSpace(line)
	_, rest, _ := strings.Cut(line, " ")
	name, object := rest, ""
	if open := strings.LastIndex(rest, " ("); open >= 0 && strings.HasSuffix(rest, ")") {
		name, object = rest[:open], rest[open+2:len(rest)-1]
	}
	return Symbol{Name: strings.TrimSpace(name), Object: object}
}

// frameName keeps the separator of stacks out of names.
func frameName(name string) string { return strings.ReplaceAll(name, ";", ":") }
