package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// Running is a process, told from a later one with the same pid by its start.
type Running struct {
	PID   int
	start uint64 // clock ticks after boot
}

// Alive reports whether the process still runs.
func (r Running) Alive() bool {
	start, err := startTime(r.PID)
	return err == nil && r.PID > 0 && start == r.start
}

// Process finds the server's process on this machine: at the other end of the
// connection, else by the server's pid file. The error says why it is unknown.
func (t *Target) Process(ctx context.Context) (Running, error) {
	peer, err := t.Peer(ctx)
	if err != nil {
		return Running{}, err
	}
	pid := peer.PID
	if !peer.Server {
		var fileErr error
		if pid, fileErr = t.namedProcess(ctx); fileErr != nil {
			return Running{}, fmt.Errorf("process of the server at %s: %s, and %w", t.config.Addr, peer, fileErr)
		}
	}
	start, err := startTime(pid)
	return Running{pid, start}, err
}

// String says what is known of a peer that is not the server.
func (p Peer) String() string {
	switch {
	case !p.Local:
		return "the connection leaves this machine or its network namespace"
	case p.PID == 0:
		return "who has the other end of the connection cannot be read"
	}
	return fmt.Sprintf("the other end of the connection belongs to pid %d (%s)", p.PID, p.Name)
}

// mostAgeDifference is by how much a server's own uptime, in whole seconds, may
// differ from the age of its process.
const mostAgeDifference = 3 * time.Second

// namedProcess reads the pid file that the server names. It may be another
// machine's or namespace's: the process must be a server of the same age.
func (t *Target) namedProcess(ctx context.Context) (int, error) {
	variables, err := t.show(ctx, "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('pid_file', 'datadir')")
	if err != nil {
		return 0, fmt.Errorf("pid file: %w", err)
	}
	path := variables["pid_file"]
	if !filepath.IsAbs(path) {
		path = filepath.Join(variables["datadir"], path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("pid file: %w", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0, fmt.Errorf("pid file %s: %w", path, err)
	}
	if _, ok := serverProcess(pid); !ok {
		return 0, fmt.Errorf("pid file %s: pid %d is not a server", path, pid)
	}
	started, err := t.Started(ctx)
	if err != nil {
		return 0, err
	}
	age, err := processAge(pid)
	if err != nil {
		return 0, err
	}
	if (time.Since(started) - age).Abs() > mostAgeDifference {
		return 0, fmt.Errorf("pid file %s: process %d and the server did not start at the same time", path, pid)
	}
	return pid, nil
}

// processAge is for how long a process has run.
func processAge(pid int) (time.Duration, error) {
	start, err := startTime(pid)
	if err != nil {
		return 0, err
	}
	raw, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, err
	}
	word, _ := procfs.Word(raw)
	seconds := procfs.Number(word) - float64(start)/procfs.TicksPerSecond
	return time.Duration(seconds * float64(time.Second)), nil
}
