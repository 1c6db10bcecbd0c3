package verdict

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// TestDerivedVariables: a variable that was not set, such as made_up here,
// follows from what the plan varies on the same binary and machine, whatever
// it is called; one that somebody set does not.
func TestDerivedVariables(t *testing.T) {
	private := func(options ...string) result.Case {
		return result.Case{Private: true, Version: "10.11.14", Options: append([]string{"datadir=/x"}, options...)}
	}
	existing := func(set ...string) result.Case {
		return result.Case{Version: "8.0.40", Set: append([]string{}, set...)}
	}
	varied := plan.Case{Options: plan.Options{"innodb-buffer-pool-size": "64M"}}
	global := plan.Case{SetGlobal: plan.Options{"innodb_buffer_pool_size": "67108864"}}
	for _, c := range []struct {
		name           string
		a, b           result.Case
		pa, pb         plan.Case
		asked, follows bool
	}{
		{"nobody set it", private(), private("innodb-buffer-pool-size=64M"), plan.Case{}, varied, true, true},
		{"the plan varies it", private(), private("made-up=2"), plan.Case{}, plan.Case{Options: plan.Options{"made-up": "2"}}, true, false},
		{"an option that is in no plan sets it", private("made_up=1"), private("loose-made-up=2"), plan.Case{}, varied, false, false},
		{"both options set it alike", private("made_up=1"), private("made_up=1"), plan.Case{}, varied, false, false},
		{"an option switches it off", private("skip-made-up"), private(), plan.Case{}, varied, false, false},
		{"SQL of both cases sets it", private(), private(), plan.Case{AfterStart: plan.Texts{"SET GLOBAL Made_Up=RAND()"}},
			plan.Case{AfterStart: plan.Texts{"SET GLOBAL Made_Up=RAND()"}, Options: varied.Options}, false, false},
		{"nothing is varied", private(), private(), plan.Case{}, plan.Case{}, false, false},
		{"CPUs are varied", private(), private(), plan.Case{}, plan.Case{CPUs: plan.CPUs{Cores: 2}}, true, true},
		{"a wrapper is varied", private(), private(), plan.Case{}, plan.Case{Wrap: "taskset -c 1"}, true, true},
		{"another binary", private(), result.Case{Private: true, Version: "11.8.3"}, plan.Case{}, varied, false, false},
		{"another binary is asked for", private(), result.Case{Private: true, Version: "11.8.3"}, plan.Case{}, plan.Case{Mysqld: "/opt/mysqld"}, true, false},
		{"an existing server derived it", existing("port"), existing("port"), plan.Case{}, global, true, true},
		{"somebody set it on one existing server", existing("made_up"), existing(), plan.Case{}, global, false, false},
		{"an existing server gives no account", result.Case{Version: "5.7"}, result.Case{Version: "5.7"}, plan.Case{}, global, false, false},
	} {
		c.a.Name, c.b.Name, c.pa.Name, c.pb.Name = "a", "b", "a", "b"
		c.a.Variables = map[string]string{"made_up": "1", "same": "5"}
		c.b.Variables = map[string]string{"made_up": "2", "same": "5"}
		run := result.Run{Plan: plan.Plan{Cases: []plan.Case{c.pa, c.pb}}, Cases: []result.Case{c.a, c.b}}
		var found *Difference
		for _, d := range CaseDifferences(&run, "a", "b") {
			if d.What == "variable made_up" {
				found = &d
			}
		}
		if found == nil || found.Asked != c.asked || found.Follows != c.follows {
			t.Errorf("%s: %+v, want asked %v, follows %v", c.name, found, c.asked, c.follows)
		}
	}
}

// TestDerivedBetweenRuns: what follows from another number of threads or from
// options for all private servers, and nothing on another machine.
func TestDerivedBetweenRuns(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(base, fresh *result.Run)
		follows bool
	}{
		{"nothing", func(base, fresh *result.Run) {}, false},
		{"an option", func(base, fresh *result.Run) { fresh.Plan.Private.Options = plan.Texts{"same=6"} }, true},
		{"more threads", func(base, fresh *result.Run) { base.Plan.Threads, fresh.Plan.Threads = plan.Ints{1}, plan.Ints{500} }, true},
		{"an option, and another machine", func(base, fresh *result.Run) {
			fresh.Plan.Private.Options = plan.Texts{"same=6"}
			base.Client.Add("cpu.model", "E5-2630", "")
			fresh.Client.Add("cpu.model", "E5-2640", "")
		}, false},
	} {
		run := func(value, others string) *result.Run {
			return &result.Run{Plan: plan.Plan{Cases: []plan.Case{{Name: "a"}}}, Cases: []result.Case{{Name: "a", Private: true, Version: "10.11.14",
				Variables: map[string]string{"made_up": value, "same": others, "max_connections": others}}}}
		}
		base, fresh := run("1", "5"), run("2", "6")
		c.change(base, fresh)
		for _, d := range RunDifferences(base, fresh) {
			if d.What == "variable made_up" && (d.Follows != c.follows || d.Asked != c.follows) {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
	}
}
