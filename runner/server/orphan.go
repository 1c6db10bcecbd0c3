package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// youngest is the age below which a folder without a readable record is one
// that is just being made.
const youngest = time.Minute

// Orphan is a private folder whose mysweep is gone. What was done about it:
type Orphan struct {
	Folder string
	PID    int // of the server that was stopped; 0 when none ran any more
}

// ReapOrphans stops the servers and removes the folders below parent that a
// killed mysweep left. Folders that a living mysweep holds, those of other users,
// and those that were to be kept are not touched.
func ReapOrphans(parent string) ([]Orphan, error) {
	if parent == "" {
		parent = defaultParent
	}
	records, err := filepath.Glob(filepath.Join(escapeGlob(parent), folderPrefix+"*", recordName))
	if err != nil {
		return nil, fmt.Errorf("orphans below %s: %w", parent, err)
	}
	var reaped []Orphan
	var faults []error
	for _, path := range records {
		orphan, found, err := reap(path)
		if err != nil {
			faults = append(faults, fmt.Errorf("orphan %s: %w", filepath.Dir(path), err))
		}
		if found {
			reaped = append(reaped, orphan)
		}
	}
	return reaped, errors.Join(faults...)
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func reap(path string) (Orphan, bool, error) {
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return Orphan{}, false, nil // another user's, or removed at this moment
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !ours(info) {
		return Orphan{}, false, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return Orphan{}, false, nil // its mysweep lives
	}
	var record record
	if err := json.NewDecoder(file).Decode(&record); err != nil && time.Since(info.ModTime()) < youngest {
		return Orphan{}, false, nil
	}
	if record.Kept {
		return Orphan{}, false, nil
	}
	return removeOrphan(&folder{path: filepath.Dir(path), record: record})
}

// ours holds for records that we (or root, being root) wrote: only their word
// may make us kill a process.
func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().IsRegular() && int(stat.Uid) == os.Geteuid()
}

func removeOrphan(f *folder) (Orphan, bool, error) {
	orphan := Orphan{Folder: f.path}
	for _, pid := range processesIn(f.file("data")) {
		if !endProcess(pid) {
			return orphan, false, fmt.Errorf("server process %d does not exit", pid)
		}
		orphan.PID = pid
	}
	// A wrapper that has not yet changed to the datadir is known by its pid only.
	if start, err := startTime(f.record.PID); err == nil && f.record.PID > 0 && start == f.record.StartTime {
		if !endProcess(f.record.PID) {
			return orphan, false, fmt.Errorf("server process %d does not exit", f.record.PID)
		}
		orphan.PID = f.record.PID
	}
	return orphan, true, f.remove()
}

// processesIn finds those that work in the folder, as a server does in its datadir.
func processesIn(dir string) []int {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		return nil
	}
	var pids []int
	for _, link := range links {
		if cwd, err := os.Readlink(link); err != nil || cwd != dir {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// endProcess ends a process that is not our child and says whether it did.
func endProcess(pid int) bool {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGTERM, shutdownWait}, {syscall.SIGKILL, killWait}} {
		syscall.Kill(pid, step.signal)
		for deadline := time.Now().Add(step.wait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if s, err := readStat(pid); err != nil || s.Dead() {
				return true
			}
		}
	}
	return false
}
