package command_test

import (
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// examples are the plans of the folder examples, each with flags that scale it
// down to seconds.
var examples = []struct {
	file  string
	flags string
	cases map[string]string // case: the status of its trials, "" = whatever machine and server allow
	exits []int
}{
	{
		file:  "performance-schema.yaml",
		flags: "--threads 4 --time 1s --repeat 1 --warmup 0s --oltp-table-size 1000",
		cases: map[string]string{
			"ps-off": "ok", "ps-off, no thread cache": "ok",
			"ps-on, no instruments": "ok", "ps-on, no instruments, no thread cache": "ok",
		},
		exits: []int{0},
	},
	{ // a folder that is not there fails its case alone
		file:  "storage.yaml",
		flags: "--time 1s --repeat 1 --warmup 0s --tables 1 --table-size 1000",
		cases: map[string]string{"disk": "ok", "nvme": "", "tmpfs": ""},
		exits: []int{0, 3},
	},
	{ // so does a program
		file:  "builds.yaml",
		flags: "--threads 2 --queries 20 --repeat 1 --warmup 0s --scale 1 --settle load1=1000,timeout=1s",
		cases: map[string]string{"mariadb": "ok", "mariadb, flush each second": "ok", "mysql": "", "mysql, flush each second": ""},
		exits: []int{0, 3},
	},
	{ // and a machine with too few cores
		file:  "cores.yaml",
		flags: "--threads 4 --time 2s --ramp-up 0s --repeat 1 --warmup 0s --items 100 --customers 100 --think-time 50ms",
		cases: map[string]string{"1 core": "", "2 cores": "", "2 cores, both threads": ""},
		exits: []int{0, 1, 3},
	},
	{
		file:  "tuning.yaml",
		flags: "--threads 1,2 --time 500ms --repeat 1 --warmup 0s --tables 1 --table-size 1000",
		cases: map[string]string{
			"base": "ok", "base, innodb_flush_log_at_trx_commit=2": "ok", "base, innodb_flush_log_at_trx_commit=0": "ok",
			"base, innodb_buffer_pool_size=64M": "ok", "base, innodb_buffer_pool_size=128M": "ok",
			"base, innodb_io_capacity=1000": "ok", "base, innodb_io_capacity=4000": "ok",
			"base, innodb_sync_spin_loops=0": "ok", "base, innodb_sync_spin_loops=100": "ok", "base, thread_cache_size=0": "ok",
			"base, innodb_thread_concurrency=8": "", "base, innodb_thread_concurrency=16": "",
			"base, innodb_concurrency_tickets=500": "", "base, innodb_thread_sleep_delay=0": "",
		},
		exits: []int{0, 3},
	},
}

// TestExamples runs the plans in the folder examples.
func TestExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, example := range examples {
		seen[example.file] = true
		t.Run(strings.TrimSuffix(example.file, ".yaml"), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out")
			args := append([]string{"run", "--private", "--quiet", "--out", out}, strings.Fields(example.flags)...)
			status, text := mysweep(t, append(args, plan(t, example.file))...)
			if !slices.Contains(example.exits, status) {
				t.Fatalf("exit status %d, want one of %v\n%s", status, example.exits, text)
			}
			got := casesOf(t, filepath.Join(out, "results.csv"))
			for name := range got {
				if _, known := example.cases[name]; !known {
					t.Errorf("case %s was not expected", name)
				}
			}
			for name, want := range example.cases {
				if want != "" && got[name] != want {
					t.Errorf("case %s is %s, want %s\n%s", name, got[name], want, text)
				}
			}
		})
	}
	files, err := filepath.Glob("../../examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !seen[filepath.Base(file)] {
			t.Errorf("nobody runs %s", file)
		}
	}
}

// plan is the path of an example, or of a copy with the second server program
// of this machine in it.
func plan(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "examples", name)
	mysqld := os.Getenv("MYSWEEP_TEST_MYSQLD")
	if mysqld == "" {
		return path
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(copied, []byte(strings.ReplaceAll(string(text), "/usr/local/mysql/bin/mysqld", mysqld)), 0o644); err != nil {
		t.Fatal(err)
	}
	return copied
}

// mysweep runs the program and returns its exit status and all that it said.
func mysweep(t *testing.T, args ...string) (status int, text string) {
	t.Helper()
	out, err := exec.Command("mysweep", args...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// casesOf returns the cases in results.csv with the status of their trials;
// several are joined by blanks.
func casesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	name, status := slices.Index(rows[0], "case"), slices.Index(rows[0], "status")
	cases := map[string]string{}
	for _, row := range rows[1:] {
		if !strings.Contains(cases[row[name]], row[status]) {
			cases[row[name]] = strings.TrimSpace(cases[row[name]] + " " + row[status])
		}
	}
	return cases
}
