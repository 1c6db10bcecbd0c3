package command_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

// bytesPerTrial is what a further trial may add to the peak memory of a report of some thousand. A
// trial in full, with a sample of its machine, takes twice as much.
const bytesPerTrial = 20_000

// TestReportMemory: what a report needs grows little with the number of trials.
func TestReportMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reports of many trials take seconds")
	}
	few, many := 100, 3100
	if os.Getenv("MYSWEEP_TEST_ALL") != "" {
		many = 10_080
	}
	small, large := reportMemory(t, few), reportMemory(t, many)
	perTrial := (large - small) / int64(many-few)
	t.Logf("peak memory: %d MB with %d trials, %d MB with %d: %d bytes a trial", small>>20, few, large>>20, many, perTrial)
	if perTrial > bytesPerTrial {
		t.Errorf("a trial adds %d bytes to the memory of a report, want at most %d", perTrial, bytesPerTrial)
	}
	if large > 200e6 {
		t.Errorf("a report of %d trials takes %d bytes, want less than 200 MB", many, large)
	}
}

// reportMemory is the peak memory in bytes of a report of so many trials.
func reportMemory(t *testing.T, trials int) int64 {
	t.Helper()
	dir := t.TempDir()
	multiply(t, "plain", dir, trials)
	cmd := exec.CommandContext(t.Context(), "mysweep", "report", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}

// multiply makes an archive of so many trials out of a frozen one, with a sample of the machine in
// each.
func multiply(t *testing.T, name, dir string, trials int) {
	t.Helper()
	thaw(t, name, dir)
	path := filepath.Join(dir, result.JournalFile)
	lines, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var seeds []result.Trial
	for line := range bytes.Lines(lines) {
		var seed result.Trial
		if err := json.Unmarshal(line, &seed); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, seed)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// One by one: a program begins with the peak memory of the process that started it.
	journal := bufio.NewWriter(file)
	for i := range trials {
		line, err := variant(seeds[i%len(seeds)], i).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		journal.Write(line)
	}
	if err := journal.Flush(); err != nil {
		t.Fatal(err)
	}
}

// variant is the i-th trial of a sweep of 14 thread counts and 10 query counts.
func variant(t result.Trial, i int) *result.Trial {
	t.Seq, t.Confirm = i+1, false
	t.Threads, t.Queries, t.Repeat = 1+7*(i%14), 10*(1+i/14%10), 1+i/140
	m := &t.Measure
	m.Threads = t.Threads
	m.Elapsed *= 1 + float64(i%17)/100 + 1/float64(t.Threads)
	for len(m.Rounds) < t.Threads {
		m.Rounds, m.Busy = append(m.Rounds, m.Rounds[0]), append(m.Busy, m.Busy[0])
	}
	machine := *t.Evidence.Client
	values := map[string]float64{}
	for name, v := range machine.Values {
		values[name] = v * float64(1+i%23) / 23
	}
	machine.Samples = []result.Sample{{At: float64(i), Load: machine.LoadAfter, Runnable: machine.RunnableMean, Values: values}}
	t.Evidence.Client = &machine
	return &t
}
