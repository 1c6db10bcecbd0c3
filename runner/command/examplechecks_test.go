package command_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// checkPerformanceSchema: the server itself, asked while each case ran, has
// performance_schema and the thread cache on or off, and no instrument enabled.
func checkPerformanceSchema(t *testing.T, r *exampleRun) []string {
	// performance_schema, thread_cache_size = 0, has instruments, how many are enabled.
	for name, want := range map[string]string{
		"ps-off":                                 "0\t0\t0\t0",
		"ps-off, no thread cache":                "0\t1\t0\t0",
		"ps-on, no instruments":                  "1\t0\t1\t0",
		"ps-on, no instruments, no thread cache": "1\t1\t1\t0",
	} {
		answers := map[string]int{}
		for _, s := range r.seen.of(t, r.Archive, name) {
			answers[s.row]++
		}
		if len(answers) != 1 || answers[want] == 0 {
			t.Errorf("case %s: the server answered %v, want %q", name, answers, want)
		}
		onOff := map[byte]string{'0': "OFF", '1': "ON"}[want[0]]
		if got := variable(t, r.Archive, name, "performance_schema"); got != onOff {
			t.Errorf("case %s: performance_schema is %s, want %s", name, got, onOff)
		}
		if got := variable(t, r.Archive, name, "thread_cache_size"); (got == "0") != (want[2] == '1') {
			t.Errorf("case %s: thread_cache_size is %s", name, got)
		}
	}
	for _, trial := range r.Trials {
		if trial.Measure.Transport != "tcp" || trial.Measure.Reconnects == 0 {
			t.Errorf("case %s: %d reconnects over %s", trial.Case, trial.Measure.Reconnects, trial.Measure.Transport)
		}
	}
	return nil
}

// checkStorage: each datadir lies where the case says, the tables were loaded
// once, and what a flush takes stands beside the figures.
func checkStorage(t *testing.T, r *exampleRun) (lacking []string) {
	const shm = "/dev/shm"
	loads, datadirs := 0, map[string]bool{}
	for _, c := range r.Run.Cases {
		if c.Name == "tmpfs" && c.Status == result.Failed && freeBytes(shm) < 512<<20 {
			t.Logf("case tmpfs: %s is too small: %s", shm, c.Error)
			lacking = append(lacking, c.Name)
			continue
		}
		parent := filepath.Dir(filepath.Dir(filepath.Clean(c.Variables["datadir"])))
		if datadirs[parent] || (c.Name == "tmpfs") != (parent == shm) {
			t.Errorf("case %s: its server's folder was made in %s", c.Name, parent)
		}
		datadirs[parent] = true
		if c.LoadSeconds != nil && !slices.ContainsFunc(c.Notes, func(n result.Note) bool { return n.Code == "copied" }) {
			loads++
		}
		if c.FsyncP50 == nil {
			t.Errorf("case %s: it is not known what a write and fsync takes", c.Name)
		}
		checkFsyncs(t, c)
	}
	if loads != 1 {
		t.Errorf("tables were loaded %d times, want once", loads)
	}
	return lacking
}

// checkFsyncs: the table of system calls has those that flush, with their time.
func checkFsyncs(t *testing.T, c result.Case) {
	t.Helper()
	at := slices.IndexFunc(c.Traces, func(trace result.Trace) bool { return trace.Kind == "syscalls" })
	if at < 0 {
		t.Errorf("case %s: no trace of system calls", c.Name)
		return
	}
	trace := c.Traces[at]
	if strings.HasPrefix(trace.Note, "no trace") {
		t.Logf("case %s: %s", c.Name, trace.Note)
		return
	}
	if c.Name == "tmpfs" {
		return // there is nothing to flush to, and MariaDB maps its log into memory
	}
	if !slices.ContainsFunc(trace.Rows, func(row []string) bool { return strings.HasSuffix(row[0], "sync") && row[3] != "0" }) {
		t.Errorf("case %s: nothing flushed among %q", c.Name, trace.Rows)
	}
}

// checkBuilds: each build with its own options; one that is not there fails alone.
func checkBuilds(t *testing.T, r *exampleRun) (lacking []string) {
	for _, c := range r.Run.Cases {
		if strings.HasPrefix(c.Name, "mysql") && os.Getenv(secondProgramVariable) == "" {
			lacking = append(lacking, c.Name)
			if c.Status != result.Failed || !strings.Contains(c.Error, secondProgram()) {
				t.Errorf("case %s is %s: %s; want failed, with the program that is not there", c.Name, c.Status, c.Error)
			}
			continue
		}
		build, eachSecond := strings.CutSuffix(c.Name, ", flush each second")
		want := map[bool]string{false: "1", true: "2"}[eachSecond]
		if got := c.Variables["innodb_flush_log_at_trx_commit"]; got != want || !strings.EqualFold(c.Flavour, build) {
			t.Errorf("case %s: innodb_flush_log_at_trx_commit is %s on %s, want %s", c.Name, got, c.Flavour, want)
		}
	}
	return lacking
}

// checkCores: the kernel lets the server's threads run on as many CPUs as the
// case says, of as many cores, and mysweep's threads on none of them.
func checkCores(t *testing.T, r *exampleRun) (lacking []string) {
	for _, c := range []struct {
		name           string
		cores, threads int
	}{{"1 core", 1, 1}, {"2 cores", 2, 1}, {"2 cores, both threads", 2, 2}} {
		if cores := coresWith(c.threads); cores < c.cores {
			lacking = append(lacking, c.name)
			facts := caseNamed(t, r.Archive, c.name)
			if facts.Status != result.Skipped || !strings.Contains(facts.Error, "this machine does not have ") {
				t.Errorf("case %s is %s: %s; this machine has %d cores with %d threads", c.name, facts.Status, facts.Error, cores, c.threads)
			}
			continue
		}
		for _, s := range r.seen.of(t, r.Archive, c.name) {
			checkSight(t, c.name, s, c.cores, c.threads, caseNamed(t, r.Archive, c.name).CPUs)
		}
	}
	return lacking
}

func checkSight(t *testing.T, name string, s sight, cores, threads int, archived string) {
	t.Helper()
	if len(s.server) != 1 || s.server[0] != archived {
		t.Errorf("case %s: the server's threads may use CPUs %q, the archive says %q", name, s.server, archived)
		return
	}
	cpus, seen := cpusOf(t, s.server[0]), map[hwinfo.Processor]bool{}
	for _, p := range usable() {
		if slices.Contains(cpus, p.ID) {
			p.ID = 0
			seen[p] = true
		}
	}
	if len(cpus) != cores*threads || len(seen) != cores {
		t.Errorf("case %s: the server has CPUs %v of %d cores", name, cpus, len(seen))
	}
	if len(cpus) == len(usable()) {
		return // then nobody else has room
	}
	for _, list := range s.client {
		for _, cpu := range cpusOf(t, list) {
			if slices.Contains(cpus, cpu) {
				t.Errorf("case %s: mysweep may use CPUs %s, the server's are %s", name, list, s.server[0])
			}
		}
	}
}

// usable are the CPUs of this machine that this process may use.
func usable() []hwinfo.Processor {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return hwinfo.Processors(os.DirFS("/"))
	}
	return slices.DeleteFunc(hwinfo.Processors(os.DirFS("/")), func(p hwinfo.Processor) bool { return !set.IsSet(p.ID) })
}

// coresWith counts the cores that have so many threads to be used.
func coresWith(threads int) int {
	counts := map[hwinfo.Processor]int{}
	for _, p := range usable() {
		p.ID = 0
		counts[p]++
	}
	n := 0
	for _, count := range counts {
		if count >= threads {
			n++
		}
	}
	return n
}

// checkTuning: each case has the value that it is named after, the base its
// own, and only the base was swept. What this server does not know any more
// was left out.
func checkTuning(t *testing.T, r *exampleRun) []string {
	trials := map[string]int{}
	for _, trial := range r.Trials {
		trials[trial.Case]++
	}
	for _, c := range r.Run.Cases {
		// The base has its sweep, and its knee once more among the cases that vary it.
		want := map[bool]int{true: 3, false: 1}[c.Name == "base"]
		if len(c.UnknownOptions) > 0 {
			want = 0
		}
		if trials[c.Name] != want {
			t.Errorf("case %s: %d trials, want %d", c.Name, trials[c.Name], want)
		}
		variable, value, varied := strings.Cut(strings.TrimPrefix(c.Name, "base, "), "=")
		if !varied || len(c.UnknownOptions) > 0 {
			continue
		}
		if value == "64M" || value == "128M" {
			value = map[string]string{"64M": "67108864", "128M": "134217728"}[value]
		}
		if got, base := c.Variables[variable], r.Run.Cases[0].Variables[variable]; got != value || base == value {
			t.Errorf("case %s: %s is %s, in the base %s", c.Name, variable, got, base)
		}
	}
	return nil
}

func caseNamed(t *testing.T, a *result.Archive, name string) result.Case {
	t.Helper()
	at := slices.IndexFunc(a.Run.Cases, func(c result.Case) bool { return c.Name == name })
	if at < 0 {
		t.Fatalf("the archive knows no case %s", name)
	}
	return a.Run.Cases[at]
}

// variable is what the server of a case said, when it was asked, of one of its variables.
func variable(t *testing.T, a *result.Archive, caseName, name string) string {
	t.Helper()
	return caseNamed(t, a, caseName).Variables[name]
}

// secondProgramVariable names Oracle's mysqld, where there is one for tests.
const secondProgramVariable = "MYSWEEP_TEST_MYSQLD"

func secondProgram() string { return cmp.Or(os.Getenv(secondProgramVariable), "/nowhere/mysqld") }

func freeBytes(path string) uint64 {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}
