package sweep

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Every case begins with the rows that were loaded, whoever inserted or deleted
// before it; who only reads or changes rows in place pays no load, and who only
// reads not even the counting.
func TestReload(t *testing.T) {
	for _, row := range []struct {
		workload string
		options  plan.Options
		counts   bool
		reloads  int // of case base and of the one that varies it
	}{
		{"oltp_insert", plan.Options{"tables": "1", "table-size": "500"}, true, 1},
		{"oltp_delete", plan.Options{"tables": "1", "table-size": "500"}, true, 1},
		{"bulk_insert", plan.Options{"tables": "2"}, true, 1},
		{"update-select", plan.Options{"rows": "500"}, true, 0},
		{"select-key", plan.Options{"rows": "500"}, false, 0},
	} {
		t.Run(row.workload, func(t *testing.T) {
			t.Parallel()
			job := smallJob(t, row.workload, row.options)
			job.Plan.Threads, job.Plan.Queries, job.Plan.Confirm = plan.Ints{2}, plan.Ints{60000}, 0
			if row.workload != "bulk_insert" { // whose rounds are rows of one long statement
				job.Plan.Queries = plan.Ints{20}
			}
			job.Plan.Cases = []plan.Case{{Name: "base", Vary: plan.Vary{{Name: "innodb_io_capacity", Values: []string{"333"}}}}}
			job.Plan.Expand()
			counts, again := 0, 0
			job.Watch = func(e Event) {
				if strings.HasPrefix(e.Doing, "counting") {
					counts++
				}
				if strings.HasPrefix(e.Doing, "loading") && strings.Contains(e.Doing, " again: ") {
					again++
				}
			}
			if _, err := Go(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			a, err := result.Read(job.Dir)
			if err != nil {
				t.Fatal(err)
			}
			// base, varied, base, varied: three switches.
			if want := map[bool]int{true: 3}[row.counts]; counts != want || again != 3*row.reloads {
				t.Errorf("counted %d times and loaded %d times again; want %d and %d", counts, again, want, 3*row.reloads)
			}
			for i, c := range a.Run.Cases {
				if row.reloads == 0 {
					if len(c.Reloads) > 0 {
						t.Errorf("case %s: %+v; want no reload", c.Name, c.Reloads)
					}
					continue
				}
				if len(c.Reloads) != 1 || c.Reloads[0].Times != i+1 || c.Reloads[0].Found == c.Reloads[0].Rows {
					t.Errorf("case %s: %+v; want %d reloads", c.Name, c.Reloads, i+1)
				}
			}
			for _, trial := range a.Trials {
				if trial.Status != result.OK {
					t.Errorf("%+v: %s %s", trial.Slot(), trial.Status, trial.Error)
				}
			}
		})
	}
}
