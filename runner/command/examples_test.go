package command_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/verdict"
)

// example is a plan of the folder examples with what scales it down to seconds.
type example struct {
	file  string
	edit  []string // old and new text of the plan, by turns: what no flag overrides
	flags string
	unit  string   // of the comparison of its cases
	cases []string // as the chart names them, the base first
	query string   // what a witness asks the server during the trials
	// check looks at what is special to the example, and returns the cases that
	// this machine or server cannot run.
	check func(t *testing.T, r *exampleRun) (lacking []string)
}

// exampleRun is an example that has been run.
type exampleRun struct {
	*result.Archive
	parent string // where its private servers were made
	seen   *witness
}

// examples are all plans of the folder, as far as this machine can run them.
func examples(t *testing.T) []example {
	return []example{
		{
			file:  "performance-schema.yaml",
			flags: "--threads 4 --time 4s --repeat 1 --warmup 0s --oltp-table-size 500",
			unit:  "connects/s",
			cases: []string{"ps-off", "ps-off, no thread cache", "ps-on, no instruments", "ps-on, no instruments, no thread cache"},
			query: `SELECT @@GLOBAL.performance_schema, @@GLOBAL.thread_cache_size = 0,
				(SELECT COUNT(*) > 0 FROM performance_schema.setup_instruments),
				(SELECT COUNT(*) FROM performance_schema.setup_instruments
					WHERE ENABLED = 'YES' AND NAME NOT LIKE 'memory/performance\_schema/%')`,
			check: checkPerformanceSchema,
		},
		{
			file:  "storage.yaml",
			edit:  []string{"/var/tmp", folder(t), "/mnt/nvme", folder(t)},
			flags: "--time 1s --repeat 1 --warmup 0s --tables 1 --table-size 500",
			unit:  "transactions/s",
			cases: []string{"disk", "nvme", "tmpfs"},
			check: checkStorage,
		},
		{
			file:  "builds.yaml",
			edit:  []string{"/usr/local/mysql/bin/mysqld", secondProgram(), "2G", "64M"},
			flags: "--threads 2 --queries 20 --repeat 1 --warmup 0s --scale 1 --settle load1=1000,timeout=1s",
			unit:  "transactions/s",
			cases: []string{"mariadb", "mariadb, flush each second", "mysql", "mysql, flush each second"},
			check: checkBuilds,
		},
		{
			file:  "cores.yaml",
			flags: "--threads 4 --time 2s --ramp-up 0s --repeat 1 --warmup 0s --items 100 --customers 100 --think-time 50ms",
			unit:  "transactions/s",
			cases: []string{"1 core", "2 cores", "2 cores, both threads"},
			check: checkCores,
		},
		{
			file:  "tuning.yaml",
			flags: "--threads 1,2 --time 500ms --repeat 1 --warmup 0s --tables 1 --table-size 500",
			unit:  "transactions/s",
			cases: []string{"base",
				"innodb_flush_log_at_trx_commit = 2", "innodb_flush_log_at_trx_commit = 0",
				"innodb_buffer_pool_size 512M → 64M", "innodb_buffer_pool_size 512M → 128M",
				"innodb_io_capacity = 1000", "innodb_io_capacity = 4000",
				"innodb_sync_spin_loops = 0", "innodb_sync_spin_loops = 100", "thread_cache_size = 0"},
			check: checkTuning,
		},
	}
}

// TestExamples runs the plans in the folder examples, and looks whether the
// comparison has their cases and whether each case was what it says.
func TestExamples(t *testing.T) {
	servertest.Needed(t)
	known := map[string]bool{}
	for _, e := range examples(t) {
		known[e.file] = true
		t.Run(strings.TrimSuffix(e.file, ".yaml"), func(t *testing.T) {
			t.Parallel()
			runExample(t, e)
		})
	}
	files, err := filepath.Glob("../../examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !known[filepath.Base(file)] {
			t.Errorf("nobody runs %s", file)
		}
	}
}

func runExample(t *testing.T, e example) {
	text, err := os.ReadFile(filepath.Join("../../examples", e.file))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), e.file)
	if err := os.WriteFile(path, []byte(strings.NewReplacer(e.edit...).Replace(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &exampleRun{parent: folder(t), seen: &witness{query: e.query}}
	r.seen.parent = r.parent
	out := filepath.Join(t.TempDir(), "out")
	args := append([]string{"run", "--private", "--quiet", "--datadir-parent", r.parent, "--out", out}, strings.Fields(e.flags)...)
	status, said := witnessed(t, r.seen, append(args, path)...)
	if r.Archive, err = result.Read(out); err != nil {
		t.Fatalf("exit status %d: %v\n%s", status, err, said)
	}
	want := 0
	lacking := e.check(t, r)
	if len(lacking) > 0 {
		want = 3
	}
	if status != want {
		t.Errorf("exit status %d, want %d\n%s", status, want, said)
	}
	checkTrials(t, r.Archive, lacking)
	checkComparison(t, r.Archive, e, lacking)
	if left, err := os.ReadDir(r.parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// witnessed runs the program under the eyes of a witness, and returns its exit
// status and all that it said.
func witnessed(t *testing.T, w *witness, args ...string) (status int, said string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "mysweep", args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.watch(cmd.Process.Pid)
	err := cmd.Wait()
	w.end()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

func checkTrials(t *testing.T, a *result.Archive, lacking []string) {
	t.Helper()
	for _, trial := range a.Trials {
		if want := statusOf(trial.Case, lacking); trial.Status != want {
			t.Errorf("case %s: a trial is %s, want %s: %s", trial.Case, trial.Status, want, trial.Error)
		}
	}
}

func statusOf(name string, lacking []string) result.Status {
	if slices.Contains(lacking, name) {
		return result.Skipped
	}
	return result.OK
}

// checkComparison looks at the table in which the report sets the cases side by
// side, and whether each that ran may be ranked against the first.
func checkComparison(t *testing.T, a *result.Archive, e example, lacking []string) {
	t.Helper()
	v := verdict.Of(a)
	list, err := charts.All(&charts.Data{Archive: a, Verdict: &v})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list, func(c charts.Chart) bool { return c.ID == "cases" })
	if at < 0 {
		t.Fatal("nothing compares the cases")
	}
	numbers := list[at].Numbers
	if numbers.Columns[1] != e.unit {
		t.Errorf("cases are compared by %s, want %s", numbers.Columns[1], e.unit)
	}
	var names []string
	least := math.Inf(1)
	for _, row := range numbers.Rows {
		names = append(names, row[0])
		if rate, err := strconv.ParseFloat(strings.ReplaceAll(row[1], ",", ""), 64); err == nil {
			if rate > least {
				t.Errorf("case %s: %s %s after %g; want the fastest first", row[0], row[1], e.unit, least)
			}
			least = rate
		}
		if known := strings.ContainsAny(row[1], "0123456789"); known != (statusOf(row[0], lacking) == result.OK) {
			t.Errorf("case %s: %s is %q", row[0], e.unit, row[1])
		}
	}
	if want := slices.Sorted(slices.Values(e.cases)); !slices.Equal(slices.Sorted(slices.Values(names)), want) {
		t.Errorf("cases %q,\nwant %q", names, want)
	}
	if math.IsInf(least, 1) {
		t.Errorf("no case has a rate: %q", numbers.Rows)
	}
	for i := range v.Cases {
		if c := &v.Cases[i]; statusOf(c.New.Name, lacking) == result.OK && c.Base.Name == e.cases[0] && !c.Ranked() {
			t.Errorf("case %s is not ranked against %s: %+v", c.New.Name, c.Base.Name, c.Differences)
		}
	}
}

// folder is an empty one on a disk, in which a server's account can make its own.
func folder(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp("/var/tmp", "mysweep-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(path) })
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
