package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// witness looks from outside at a run while it goes on: which CPUs the threads
// of the private server and of mysweep may use, and what the server answers to
// a query. What a run says of itself is not enough to believe that it did it.
type witness struct {
	parent string // folder in which the private servers of the run are made
	query  string // one row of the server; "" = none
	pid    int    // of mysweep
	sights []sight
	stop   chan struct{}
	done   chan struct{}
}

// sight is what one look saw, all of it within from and to.
type sight struct {
	from, to       time.Time
	server, client []string // lists of CPUs that their threads may use, each once
	row            string   // the fields of the query's answer, parted by tabs; "" = no answer
}

// watch begins to look; the sights are complete when end returns.
func (w *witness) watch(pid int) {
	w.pid, w.stop, w.done = pid, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(w.done)
		for {
			select {
			case <-w.stop:
				return
			case <-time.After(50 * time.Millisecond):
				w.look()
			}
		}
	}()
}

func (w *witness) end() {
	close(w.stop)
	<-w.done
}

func (w *witness) look() {
	s := sight{from: time.Now()}
	folder, pid := running(w.parent)
	if pid == 0 {
		return
	}
	s.server, s.client = allowedCPUs(pid), allowedCPUs(w.pid)
	if w.query != "" {
		out, err := exec.Command("mysql", "--defaults-file="+filepath.Join(folder, "client.cnf"), "--skip-column-names", "--batch", "-e", w.query).Output()
		if err == nil {
			s.row = strings.TrimSpace(string(out))
		}
	}
	s.to = time.Now()
	w.sights = append(w.sights, s)
}

// of returns what was seen during the trials of a case; without a single look
// the test has failed.
func (w *witness) of(t *testing.T, a *result.Archive, name string) []sight {
	t.Helper()
	var seen []sight
	for _, s := range w.sights {
		if slices.ContainsFunc(a.Trials, func(trial result.Trial) bool {
			end := trial.StartedAt.Add(time.Duration(trial.Measure.Elapsed * float64(time.Second)))
			return trial.Case == name && trial.Status == result.OK && s.from.After(trial.StartedAt) && s.to.Before(end)
		}) {
			seen = append(seen, s)
		}
	}
	if len(seen) == 0 {
		t.Errorf("case %s: nothing was seen during its trials, in %d looks", name, len(w.sights))
	}
	return seen
}

// running finds the folder of the private server that runs, and its process.
func running(parent string) (folder string, pid int) {
	records, _ := filepath.Glob(filepath.Join(parent, "mysweep-*", "server.json"))
	for _, path := range records {
		raw, err := os.ReadFile(path)
		var record struct{ PID int }
		if err != nil || json.Unmarshal(raw, &record) != nil || record.PID == 0 {
			continue
		}
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", record.PID))
		if strings.Contains(string(command), filepath.Dir(path)) {
			return filepath.Dir(path), record.PID
		}
	}
	return "", 0
}

// allowedCPUs are the kernel's lists of CPUs of a process's threads, each once.
func allowedCPUs(pid int) []string {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	var lists []string
	for _, path := range files {
		raw, _ := os.ReadFile(path) // a thread may have ended
		_, rest, found := strings.Cut(string(raw), "Cpus_allowed_list:")
		if list, _, _ := strings.Cut(rest, "\n"); found {
			lists = append(lists, strings.TrimSpace(list))
		}
	}
	slices.Sort(lists)
	return slices.Compact(lists)
}

// cpusOf reads a list of CPUs as the kernel writes it, e.g. 0-3,8.
func cpusOf(t *testing.T, list string) []int {
	t.Helper()
	var cpus []int
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		if err != nil {
			t.Fatalf("CPUs %q: %v", list, err)
		}
		to, err := strconv.Atoi(high)
		if err != nil {
			t.Fatalf("CPUs %q: %v", list, err)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
