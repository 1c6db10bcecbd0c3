package sweep

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Two cases, interleaved: each gets its options, variables, statements and
// CPUs, comes back after the other with its tables, and leaves nothing behind.
func TestCases(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one CPU: a server and its client cannot be kept apart")
	}
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	job.Plan.Confirm = 0
	job.Plan.Cases = []plan.Case{
		{Name: "base"},
		{Name: "tuned", Options: map[string]string{"performance_schema": "ON", "thread_cache_size": "0"},
			SetGlobal: map[string]string{"max_connect_errors": "77"}, AfterStart: plan.Texts{"SET GLOBAL long_query_time=9"},
			CPUs: plan.CPUs{List: "0"}, BeforeTrial: plan.Texts{"SET @a=1"}},
	}
	before := allowed(t, "self")
	loads := 0
	job.Watch = func(e Event) {
		if strings.HasPrefix(e.Doing, "loading") {
			loads++
		}
	}
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	if after := allowed(t, "self"); after != before {
		t.Errorf("the process may use CPUs %s, before the run %s", after, before)
	}
	if loads != 1 {
		t.Errorf("tables were loaded %d times; want once, and copied", loads)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	checkCases(t, a)
}

func checkCases(t *testing.T, a *result.Archive) {
	t.Helper()
	if len(a.Trials) != 16 {
		t.Errorf("%d trials; want 16", len(a.Trials))
	}
	order, seen := "", 0
	for trial := range a.Full() {
		if trial.Status != result.OK {
			t.Errorf("%+v: %s %s", trial.Slot(), trial.Status, trial.Error)
		}
		order += trial.Case[:1]
		if trial.Case != "tuned" {
			continue
		}
		// A trial of some milliseconds may pass between two ticks of the CPU's account.
		m := trial.Evidence.Server
		if m == nil || m.UsableCPUs != 1 || slices.ContainsFunc(m.CPUs, func(c result.CPU) bool { return c.ID != 0 }) {
			t.Errorf("%+v: the server's machine is %+v; want CPU 0 alone", trial.Slot(), m)
			continue
		}
		seen += len(m.CPUs)
	}
	if seen == 0 {
		t.Error("no trial of tuned shows the use of its CPU")
	}
	if order != "bbbbttttbbbbtttt" {
		t.Errorf("cases ran as %s; want interleaved by repeat", order)
	}
	for name, want := range map[string]string{"performance_schema": "ON", "thread_cache_size": "0", "max_connect_errors": "77", "long_query_time": "9.000000"} {
		if base, tuned := a.Run.Cases[0].Variables[name], a.Run.Cases[1].Variables[name]; tuned != want || base == want {
			t.Errorf("%s is %q in base and %q in tuned; want %q in tuned alone", name, base, tuned, want)
		}
	}
	if cpus := a.Run.Cases[1].CPUs; cpus != "0" {
		t.Errorf("tuned ran on CPUs %q; want 0", cpus)
	}
}

// allowed is the kernel's list of CPUs that a process may use.
func allowed(t *testing.T, pid string) string {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "Cpus_allowed_list:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// A machine without the CPUs of a case skips it, with the reason.
func TestCaseWithoutItsCPUs(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	job.Plan.Cases = []plan.Case{{Name: "huge", CPUs: plan.CPUs{Cores: 5000, ThreadsPerCore: 2}}, {Name: "base"}}
	job.Plan.Repeat, job.Plan.Confirm = 1, 0
	if _, err := Go(context.Background(), job); err != ErrTrials {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if c := a.Run.Cases[0]; c.Status != result.Skipped || !strings.Contains(c.Error, "cores: 5000 with threads_per_core: 2") {
		t.Errorf("case huge is %s: %s; want skipped for its CPUs", c.Status, c.Error)
	}
}

// Caches: a cold start and a restart are fresh processes on the same data.
func TestStartModes(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	job.Plan.Repeat, job.Plan.Confirm = 1, 0
	for _, mode := range []string{"cold", "restart", "warm"} {
		job.Plan.Cases = append(job.Plan.Cases, plan.Case{Name: mode, Start: mode})
	}
	job.Plan.Cases = job.Plan.Cases[1:] // without the default one
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Trials) != 12 {
		t.Errorf("%d trials; want 12", len(a.Trials))
	}
}

// A fresh server reads its pages from the disk: it has neither kept nor loaded
// those of before, unless the case asks for that.
func TestFreshStart(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "20000"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Repeat, job.Plan.Confirm = plan.Ints{2}, plan.Ints{200}, 1, 0
	job.Plan.Cases = []plan.Case{
		{Name: "warm", Start: "warm"}, {Name: "restart", Start: "restart"}, {Name: "cold", Start: "cold"},
		{Name: "asked", Start: "restart", Options: plan.Options{"innodb-buffer-pool-load-at-startup": "ON"}},
	}
	if _, err := Go(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]float64{}
	for trial := range a.Full() {
		reads[trial.Case] += trial.Evidence.Status["Innodb_buffer_pool_reads"]
	}
	if reads["warm"] > 0 || reads["restart"] < 20 || reads["cold"] < 20 {
		t.Errorf("pages read from files during trials: %v; want none when warm, and most of the table's when fresh", reads)
	}
	want := map[string]string{"warm": "ON ON", "restart": "OFF OFF", "cold": "OFF OFF", "asked": "OFF ON"}
	for _, c := range a.Run.Cases {
		if got := c.Variables["innodb_buffer_pool_dump_at_shutdown"] + " " + c.Variables["innodb_buffer_pool_load_at_startup"]; got != want[c.Name] {
			t.Errorf("case %s dumps and loads its buffer pool: %s; want %s", c.Name, got, want[c.Name])
		}
	}
}
