package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// stat is what /proc/PID/stat says, see proc_pid_stat(5).
type stat struct {
	name      string
	state     byte
	startTime uint64 // clock ticks after boot
}

func readStat(pid int) (stat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(text))
}

// parseStat cuts at the last parenthesis, as the name may hold any character.
func parseStat(text string) (stat, error) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return stat{}, fmt.Errorf("process stat %q: no name in parentheses", firstLine(text))
	}
	fields := strings.Fields(text[end+1:])
	const afterName = 3 // the first of fields is field 3
	if len(fields) <= 22-afterName {
		return stat{}, fmt.Errorf("process stat %q: too few fields", firstLine(text))
	}
	start, err := strconv.ParseUint(fields[22-afterName], 10, 64)
	return stat{name: text[open+1 : end], state: fields[0][0], startTime: start}, err
}

// dead says whether the process has ended and only waits for its parent.
func (s stat) dead() bool { return s.state == 'Z' || s.state == 'X' }

func startTime(pid int) (uint64, error) {
	s, err := readStat(pid)
	return s.startTime, err
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
	if err != nil || s.dead() {
		return Process{}, false
	}
	command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	words := strings.Split(string(bytes.TrimRight(command, "\x00")), "\x00")
	if !serverName(s.name) && !serverName(filepath.Base(words[0])) && !loaderOfServer(words) {
		return Process{}, false
	}
	datadir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return Process{PID: pid, Name: s.name, Command: strings.Join(words, " "), Datadir: datadir}, true
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
