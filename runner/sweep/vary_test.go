package sweep

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Cases that vary a base share its server and tables: what can be set is set
// and restored, the rest comes by a restart; they run at the knee alone. What
// the server does not know fails by name, or is left out with if_known.
func TestVary(t *testing.T) {
	job := smallJob(t, "select-key", map[string]string{"rows": "300"})
	job.Plan.At, job.Plan.Queries, job.Plan.Confirm, job.Plan.Repeat = "knee", plan.Ints{5}, 0, 1
	job.Plan.Cases = []plan.Case{
		{Name: "base", Options: plan.Options{"innodb_io_capacity": "200"}, Vary: plan.Vary{
			{Name: "innodb_io_capacity", Values: []string{"333"}},
			{Name: "innodb_buffer_pool_size", Values: []string{"16M"}},
			{Name: "thread_cache_size", Values: []string{"7"}},
			{Name: "no_such_variable", Values: []string{"1"}},
		}},
		{Name: "historic", Around: "base", IfKnown: true, Vary: plan.Vary{{Name: "no_such_old_variable", Values: []string{"1", "2"}}}},
	}
	job.Plan.Expand()
	job.Knee = func(trials []result.Trial, caseName, workload string) (plan.Cell, bool) {
		return plan.Cell{Case: caseName, Workload: workload, Threads: 3, Queries: 5}, len(trials) == 2
	}
	loads := 0
	job.Watch = func(e Event) {
		if strings.HasPrefix(e.Doing, "loading") {
			loads++
		}
	}
	if _, err := Go(context.Background(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v, for the variable that does not exist", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "base 1 ok|base 3 ok|base 3 ok|base, innodb_io_capacity=333 3 ok|base, innodb_buffer_pool_size=16M 3 ok|base, thread_cache_size=7 3 ok|base, no_such_variable=1 3 skipped"
	var got []string
	for _, trial := range a.Trials {
		got = append(got, strings.Join([]string{trial.Case, map[int]string{1: "1", 3: "3"}[trial.Threads], string(trial.Status)}, " "))
		if trial.Status == result.OK && (trial.TableRows == nil || *trial.TableRows != 300) {
			t.Errorf("%+v: table rows %v; want 300", trial.Slot(), trial.TableRows)
		}
	}
	sortFirstTwo(got)
	if strings.Join(got, "|") != want || loads != 1 || a.Run.Trials != 7 {
		t.Errorf("trials %s\nwant   %s; %d loads, %d planned", strings.Join(got, "|"), want, loads, a.Run.Trials)
	}
	checkVaried(t, a)
}

// sortFirstTwo undoes the shuffle of the base's two cells.
func sortFirstTwo(list []string) {
	if len(list) > 1 && list[0] > list[1] {
		list[0], list[1] = list[1], list[0]
	}
}

func checkVaried(t *testing.T, a *result.Archive) {
	t.Helper()
	cases := map[string]result.Case{}
	for _, c := range a.Run.Cases {
		cases[c.Name] = c
	}
	for _, row := range []struct{ caseName, capacity, pool, threads string }{
		{"base", "200", "134217728", "256"},
		{"base, innodb_io_capacity=333", "333", "134217728", "256"},
		{"base, innodb_buffer_pool_size=16M", "200", "16777216", "256"},
		// From a restarted server back to the base's.
		{"base, thread_cache_size=7", "200", "134217728", "7"},
	} {
		v := cases[row.caseName].Variables
		if v["innodb_io_capacity"] != row.capacity || v["innodb_buffer_pool_size"] != row.pool || row.threads == "7" && v["thread_cache_size"] != "7" {
			t.Errorf("%s: capacity %s, pool %s, threads %s", row.caseName, v["innodb_io_capacity"], v["innodb_buffer_pool_size"], v["thread_cache_size"])
		}
		if f := cases[row.caseName].FsyncP50; f == nil || *f <= 0 {
			t.Errorf("%s: fsync took %v", row.caseName, f)
		}
	}
	if c := cases["base, no_such_variable=1"]; c.Status != result.Failed || !strings.Contains(c.Error, "does not know no_such_variable") {
		t.Errorf("%s is %s: %s", c.Name, c.Status, c.Error)
	}
	if c := cases["base, no_such_old_variable=1"]; c.Status != result.Skipped || len(c.UnknownOptions) != 1 {
		t.Errorf("%s is %s: %s", c.Name, c.Status, c.Error)
	}
}
