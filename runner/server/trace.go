package server

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// attachWait bounds how long a tracer may take to attach, and traceWait how
// long it may take to write what it saw.
const (
	attachWait = 5 * time.Second
	traceWait  = 60 * time.Second
)

// ErrNoTrace says that a tracer is not installed or may not look at the server:
// a note of the case, never its failure.
var ErrNoTrace = errors.New("no trace")

// tracer is a program that watches a process from outside until it is stopped.
// What it says itself goes to NAME.log beside its result.
type tracer struct {
	name    string
	dir     string
	process *process
}

// startTracer runs the command and waits until ready says that it has attached.
func startTracer(dir, name string, args []string, ready func(log string) bool) (*tracer, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is not installed", ErrNoTrace, name)
	}
	t := &tracer{name: name, dir: dir}
	log, err := os.Create(t.file("log"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTrace, err)
	}
	defer log.Close()
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(inherited(), "LC_ALL=C")
	if t.process, err = startProcess(cmd, account{}, nil); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNoTrace, name, err)
	}
	for deadline := time.Now().Add(attachWait); time.Now().Before(deadline) && !ready(t.log()); {
		if t.process.wait(20 * time.Millisecond) {
			return nil, fmt.Errorf("%w: %s: %s%s", ErrNoTrace, name, t.process.exitText(), t.said())
		}
	}
	return t, nil
}

func (t *tracer) file(extension string) string { return filepath.Join(t.dir, t.name+"."+extension) }

func (t *tracer) log() string {
	text, err := os.ReadFile(t.file("log"))
	if err != nil {
		return ""
	}
	return string(text)
}

// said is the reason that it gave, with the setting behind the usual one.
func (t *tracer) said() string {
	text := strings.TrimSpace(t.log())
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	reason := ": " + lines[0]
	if strings.Contains(text, "not permitted") || strings.Contains(text, "No permission") || strings.Contains(text, "Permission denied") {
		reason += " (this needs root, or kernel.yama.ptrace_scope=0 for strace and kernel.perf_event_paranoid=1 for perf)"
	}
	return reason
}

// stop lets it detach and write its result.
func (t *tracer) stop() error {
	t.process.signal(syscall.SIGINT)
	if !t.process.wait(traceWait) {
		t.process.kill()
		return fmt.Errorf("%w: %s did not end within %v", ErrNoTrace, t.name, traceWait)
	}
	return nil
}
