package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// readStat reads /proc/PID/stat.
func readStat(pid int) (procfs.Process, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procfs.Process{}, err
	}
	return procfs.ParseProcess(data)
}

// startTime is when a process started, in clock ticks after boot.
func startTime(pid int) (uint64, error) {
	p, err := readStat(pid)
	if err != nil {
		return 0, err
	}
	return uint64(p.StartTicks), nil
}

// Process is a server process that was found on this machine.
type Process struct {
	PID     int
	Name    string
	Command string // empty when we may not read it
	Datadir string // its working folder, empty when we may not read it
}

// OtherServers finds the running mysqld and mariadbd processes of this machine,
// but for those with the given pids. Zombies are not running.
func OtherServers(except ...int) ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("processes: %w", err)
	}
	skip := map[int]bool{}
	for _, pid := range except {
		skip[pid] = true
	}
	var found []Process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || skip[pid] {
			continue
		}
		if process, ok := serverProcess(pid); ok {
			found = append(found, process)
		}
	}
	return found, nil
}

// serverProcess looks at the name that the kernel keeps and at the program
// behind it, as a loader or a wrapper may stand in front.
func serverProcess(pid int) (Process, bool) {
	s, err := readStat(pid)
	if err != nil || s.Dead() {
		return Process{}, false
	}
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	words := strings.Split(string(bytes.TrimRight(command, "\x00")), "\x00")
	if !serverName(string(s.Name)) && !serverName(filepath.Base(words[0])) && !loaderOfServer(words) {
		return Process{}, false
	}
	datadir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return Process{PID: pid, Name: string(s.Name), Command: strings.Join(words, " "), Datadir: datadir}, true
}

func serverName(name string) bool {
	switch name {
	case "mysqld", "mariadbd", "mysqld-debug", "mysqld.bin", "mysqld.orig":
		return true
	}
	return false
}

// loaderOfServer sees through ld.so --library-path ... /path/mysqld.
func loaderOfServer(words []string) bool {
	if !strings.HasPrefix(filepath.Base(words[0]), "ld-linux") && filepath.Base(words[0]) != "ld.so" {
		return false
	}
	for _, word := range words[1:] {
		if serverName(filepath.Base(word)) {
			return true
		}
	}
	return false
}
