package verdict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// sweepOf is a run of three thread counts at 100, 200 and 400 queries a
// second times factor, with repeats that differ by ± 1 %.
func sweepOf(factor float64, repeats int) *result.Archive {
	var trials []result.Trial
	for i, n := range []int{1, 2, 4} {
		for r := range repeats {
			rate := 10000 * math.Exp2(float64(i)) * factor * (1 + 0.01*float64(r-repeats/2))
			trials = append(trials, trial(n, 10, r+1, rate))
		}
	}
	a := archive(trials...)
	a.Run.Version = "1.0"
	return a
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name        string
		factor      float64
		repeats     int
		want        Decision // by more than 5 %
		reason      Reason
		significant bool // each cell
	}{
		{"the same", 1, 5, NoRegression, "", false},
		{"20 % slower", 0.8, 5, Regression, "", true},
		{"20 % slower, three repeats", 0.8, 3, Regression, "", true},
		{"10 % slower than a single run", 0.9, 5, Undecided, FewRuns, true},
		{"3 % slower", 0.97, 5, NoRegression, "", true},
		{"10 % faster", 1.1, 5, NoRegression, "", true},
	} {
		got := Compare([]*result.Archive{sweepOf(1, c.repeats)}, sweepOf(c.factor, c.repeats), Limits{Rate: 0.05})
		about(t, c.name+": overall", &got.Overall.Value, c.factor, 1e-3)
		if g := got.Gate; g.Decision != c.want || g.Reason != c.reason || g.Extra != 0.1 {
			t.Errorf("%s: %s, %s, want %s, %s", c.name, g.Decision, g.Reason, c.want, c.reason)
		}
		if len(got.Cells) != 3 || got.Method != OverTrials || got.Peak.Threads != 4 {
			t.Errorf("%s: %+v", c.name, got)
		}
		for _, cell := range got.Cells {
			about(t, c.name+": cell", &cell.Ratio.Value, c.factor, 1e-3)
			if cell.Significant != c.significant || (cell.RankP != nil) != (c.repeats >= 4) {
				t.Errorf("%s: significant %v, p %v", c.name, cell.Significant, *cell.P())
			}
		}
	}
	if got := Compare([]*result.Archive{sweepOf(1, 3)}, sweepOf(0.5, 3), Limits{}); got.Gate.Decision != "" || got.Gate.Refused(true) {
		t.Errorf("without a limit: %+v", got.Gate)
	}
}

// A run against several is judged by how much they differ among themselves.
func TestCompareRuns(t *testing.T) {
	base := []*result.Archive{sweepOf(1, 3), sweepOf(0.98, 3), sweepOf(1.02, 3), sweepOf(1, 3)}
	for _, c := range []struct {
		factor float64
		limit  float64
		want   Decision
		nights int // that would decide it, 0 = none are named
	}{
		// The runs differ by a deviation of 1.63 %. Told from chance with two figures at
		// risk are 2.576 + 0.842 = 3.42 of them even after endless nights; 5 % are 3.14.
		{0.96, 0.05, Undecided, 0},
		// 8 % are 5.11. With 7 nights t(6) 3.707 + 0.906 = 4.61 are needed, × √(1+1/7) = 4.93;
		// with 6 t(5) 4.032 + 0.920 = 4.95, × √(1+1/6) = 5.35.
		{0.96, 0.08, Undecided, 7},
		{0.98, 0.08, NoRegression, 0}, // 2 % and its interval, 5.8 %, are within 8 %
		{0.98, 0.20, NoRegression, 0},
		{0.80, 0.05, Regression, 0},
	} {
		got := Compare(base, sweepOf(c.factor, 3), Limits{Rate: c.limit})
		if got.Method != OverRuns || got.Base.Runs != 4 || got.Gate.Decision != c.want || got.Gate.Extra != 0 {
			t.Errorf("%v, %v: %s, %+v, overall %+v", c.factor, c.limit, got.Method, got.Gate, got.Overall)
		}
		if n := got.Gate.Nights; (n != nil) != (c.nights > 0) || n != nil && *n != c.nights {
			t.Errorf("%v, %v: %v nights, want %d", c.factor, c.limit, n, c.nights)
		}
		// logs 0, -0.0202, 0.0198, 0: s = 0.016331, t(3) = 3.182446, √(1+1/4) = 1.118034
		about(t, "spread", got.Spread, math.Expm1(0.016331*3.182446*1.118034), 1e-3)
	}
}

// No interval comes from single trials, however well the cells agree.
func TestCompareSingleTrials(t *testing.T) {
	base := archive(trial(1, 10, 1, 10000), trial(2, 10, 1, 10000), trial(4, 10, 1, 10000))
	fresh := archive(trial(1, 10, 1, 9000), trial(2, 10, 1, 9000), trial(4, 10, 1, 8100))
	got := Compare([]*result.Archive{base}, fresh, Limits{Rate: 0.05})
	if got.Overall.Low != nil || got.Method != "" || !got.Overall.Vague() {
		t.Errorf("overall %+v, method %q", got.Overall, got.Method)
	}
	for _, c := range got.Cells {
		if c.Ratio.Low != nil || c.P() != nil || c.Significant {
			t.Errorf("cell %+v", c)
		}
	}
	if g := got.Gate; g.Decision != Undecided || g.Reason != SingleTrials || g.Refused(false) || !g.Refused(true) {
		t.Errorf("gate %+v", g)
	}
}

func TestCompareDegenerate(t *testing.T) {
	empty := archive()
	empty.Run.Version = "1.0"
	other := sweepOf(1, 3)
	for i := range other.Trials {
		other.Trials[i].Workload = "another"
	}
	for _, c := range []struct {
		name string
		base []*result.Archive
		new  *result.Archive
	}{
		{"no base", nil, sweepOf(1, 3)},
		{"empty base", []*result.Archive{empty}, sweepOf(1, 3)},
		{"empty new", []*result.Archive{sweepOf(1, 3)}, empty},
		{"nothing in common", []*result.Archive{other}, sweepOf(1, 3)},
	} {
		got := Compare(c.base, c.new, Limits{Rate: 0.01})
		if got.Overall != nil || got.Ranked() || got.Peak != nil {
			t.Errorf("%s: %+v", c.name, got)
		}
		if g := got.Gate; g.Decision != CannotCompare || g.Reason != NothingCommon || !g.Refused(false) {
			t.Errorf("%s: gate %+v", c.name, g)
		}
	}
}

// What differs unasked forbids the ranking and is named; what was asked for
// does not.
func TestFairness(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(a, b *result.Run)
		want   string // of the only difference
		ranked bool
	}{
		{"nothing", func(a, b *result.Run) {}, "", true},
		{"a variable", func(a, b *result.Run) { b.Cases[0].Variables["innodb_io_capacity"] = "2000" },
			"variable innodb_io_capacity: 200 against 2000", false},
		{"a variable that the plan sets", func(a, b *result.Run) {
			b.Cases[0].Variables["innodb_io_capacity"] = "2000"
			b.Plan.Private.Options = plan.Texts{"innodb-io-capacity=2000"}
		}, "variable innodb_io_capacity: 200 against 2000", true},
		{"an identity", func(a, b *result.Run) { b.Cases[0].Variables["server_uuid"] = "x" }, "", true},
		{"version", func(a, b *result.Run) { b.Cases[0].Version = "11.4.2" }, "server version: 10.11.14-MariaDB against 11.4.2", false},
		{"mysweep", func(a, b *result.Run) { b.Version = "2.0" }, "mysweep version: 1.0 against 2.0", false},
		{"machine", func(a, b *result.Run) {
			a.Client.Add("cpu.model", "E5-2630", "")
			b.Client.Add("cpu.model", "E5-2640", "")
		}, "client cpu.model: E5-2630 against E5-2640", false},
		{"a fact that one side does not know", func(a, b *result.Run) { b.Client.Add("cpu.model", "E5-2640", "") }, "", true},
		{"a little memory", func(a, b *result.Run) {
			a.Client.Add("memory.total_bytes", int64(1000000), "")
			b.Client.Add("memory.total_bytes", int64(1000100), "")
		}, "", true},
		{"protocol", func(a, b *result.Run) { a.Plan.Protocol, b.Plan.Protocol = "text", "prepared" }, "plan protocol: text against prepared", false},
		{"rows", func(a, b *result.Run) { b.Plan.Workloads[0].Options = map[string]string{"rows": "5"} },
			"options of workload w:  against rows=5", false},
		{"another server asked for", func(a, b *result.Run) {
			a.Plan.Server.Host, b.Plan.Server.Host = "db1", "db2"
			b.Cases[0].Variables["innodb_io_capacity"] = "2000"
		}, "variable innodb_io_capacity: 200 against 2000", true},
		{"max_connections follows the threads", func(a, b *result.Run) {
			a.Plan.Threads, b.Plan.Threads = plan.Ints{1}, plan.Ints{500}
			b.Cases[0].Variables["max_connections"] = "510"
		}, "variable max_connections: 151 against 510", true},
	} {
		a, b := sweepOf(1, 3), sweepOf(0.5, 3)
		for _, r := range []*result.Run{&a.Run, &b.Run} {
			r.Cases[0].Variables = map[string]string{"innodb_io_capacity": "200", "server_uuid": "u", "max_connections": "151"}
			r.Plan.Workloads = []plan.Workload{{Name: "w"}}
			r.Client = hwinfo.Facts{}
		}
		c.change(&a.Run, &b.Run)
		got := Compare([]*result.Archive{a}, b, Limits{Rate: 0.05})
		want := map[bool]Decision{true: Regression, false: CannotCompare}[c.ranked]
		if got.Ranked() != c.ranked || got.Gate.Decision != want || !got.Gate.Refused(false) {
			t.Errorf("%s: ranked %v, %+v: %v", c.name, got.Ranked(), got.Gate, got.Differences)
		}
		var texts []string
		for _, d := range got.Differences {
			texts = append(texts, d.What+": "+d.Base+" against "+d.New)
		}
		if strings.Join(texts, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, texts, c.want)
		}
	}
	a, b := sweepOf(1, 3), sweepOf(1, 3)
	a.Run.Plan.Protocol, b.Run.Plan.Protocol = "text", "prepared"
	if got := Compare([]*result.Archive{a}, b, Limits{}, "protocol"); !got.Ranked() {
		t.Errorf("asked for, and not ranked: %v", got.Differences)
	}
}

// The baseline is made of the runs that may be compared; it is archived with
// the run and judged from there.
func TestBaseline(t *testing.T) {
	upgraded := sweepOf(1, 3)
	upgraded.Run.Cases[0].Version, upgraded.Run.ID = "9.9", "old"
	fresh := sweepOf(0.5, 3)
	b, left := NewBaseline([]*result.Archive{upgraded, sweepOf(1, 3), sweepOf(1.01, 3), sweepOf(0.99, 3)}, &fresh.Run)
	if b.Runs != 3 || len(b.Differences) > 0 || len(left) != 1 || left[0].RunID != "old" || left[0].What != "server version" || left[0].Base != "9.9" {
		t.Errorf("%+v, left %v", b, left)
	}
	if len(b.Cells) != 3 || len(b.Cells[0].Rates) != 3 {
		t.Errorf("%+v", b.Cells)
	}
	fresh.Run.Baseline, fresh.Run.Plan.FailAbove = &b.Baseline, 0.05
	v := Of(fresh)
	if !v.Worse() || !v.Refused() {
		t.Errorf("worse %v, %+v", v.Worse(), v.Gate)
	}

	b, left = NewBaseline([]*result.Archive{upgraded}, &fresh.Run)
	if b.Runs != 1 || len(b.Differences) != 1 || len(left) != 0 {
		t.Errorf("only one that differs: %+v, left %v", b, left)
	}
	b.Baseline.Differences = []string{"as an archive stores it"}
	fresh.Run.Baseline = &b.Baseline
	v = Of(fresh)
	if v.Worse() || v.Baseline.Ranked() {
		t.Errorf("worse %v, %v", v.Worse(), v.Baseline.Unasked())
	}
}

func TestCompareCases(t *testing.T) {
	two := func(change func(r *result.Run)) Verdict {
		a, b := sweepOf(1, 4), sweepOf(1.2, 4)
		for i := range b.Trials {
			b.Trials[i].Case = "b"
		}
		a.Trials = append(a.Trials, b.Trials...)
		a.Run.Plan.Cases = []plan.Case{{Name: "a"}, {Name: "b", Options: map[string]string{"performance-schema": "OFF"}}}
		a.Run.Cases[0].Variables = map[string]string{"performance_schema": "ON", "thread_cache_size": "9"}
		a.Run.Cases = append(a.Run.Cases, result.Case{Name: "b", Status: result.OK, Version: a.Run.Cases[0].Version,
			Variables: map[string]string{"performance_schema": "OFF", "thread_cache_size": "9"}})
		change(&a.Run)
		return Of(a)
	}
	v := two(func(*result.Run) {})
	if len(v.Cases) != 1 || !v.Cases[0].Ranked() || v.Main().Case != "b" {
		t.Fatalf("%+v", v.Cases)
	}
	if d := v.Cases[0].Differences; len(d) != 1 || !d[0].Asked || d[0].Follows {
		t.Errorf("%v", d)
	}
	// Each private server has places of its own, which nobody asked for.
	v = two(func(r *result.Run) {
		r.Plan.Cases[1] = plan.Case{Name: "b"}
		r.Cases[0].Variables = map[string]string{"tmpdir": "/var/tmp/1/tmp", "socket": "/var/tmp/1/s", "datadir": "/var/tmp/1/data", "pid_file": "1", "port": "1",
			"server_id": "1", "hostname": "h", "log_error": "/var/tmp/1/e", "slave_load_tmpdir": "/var/tmp/1/tmp", "init_file": "/var/tmp/1/init.sql"}
		r.Cases[1].Variables = map[string]string{"tmpdir": "/var/tmp/2/tmp", "socket": "/var/tmp/2/s", "datadir": "/var/tmp/2/data", "pid_file": "2", "port": "2",
			"server_id": "2", "hostname": "i", "log_error": "/var/tmp/2/e", "slave_load_tmpdir": "/var/tmp/2/tmp", "init_file": "/var/tmp/2/init.sql"}
	})
	if d := v.Cases[0].Differences; len(d) != 0 {
		t.Errorf("places: %v", d)
	}
	v = two(func(r *result.Run) { // a place that a case asks for is shown
		r.Plan.Cases[1] = plan.Case{Name: "b", Options: map[string]string{"tmpdir": "/dev/shm"}}
		r.Cases[0].Variables = map[string]string{"tmpdir": "/var/tmp/1/tmp"}
		r.Cases[1].Variables = map[string]string{"tmpdir": "/dev/shm"}
	})
	if d := v.Cases[0].Differences; len(d) != 1 || !d[0].Asked || d[0].What != "variable tmpdir" {
		t.Errorf("a place that was asked for: %v", d)
	}
	v = two(func(r *result.Run) { // a private server for clients over TCP listens
		r.Plan.Cases[1] = plan.Case{Name: "b", Transport: "tcp"}
		r.Cases[0].Transport, r.Cases[0].Variables = "socket", map[string]string{"skip_networking": "ON"}
		r.Cases[1].Transport, r.Cases[1].Variables = "tcp", map[string]string{"skip_networking": "OFF"}
	})
	if d := v.Cases[0].Unasked(); len(d) != 0 {
		t.Errorf("transport: %v", d)
	}
	// Replicas need the binary log, which shows in the version as well, and a port.
	v = two(func(r *result.Run) {
		r.Plan.Cases[1] = plan.Case{Name: "b", Replicas: 1}
		r.Cases[1].Version += "-log"
		r.Cases[0].Variables = map[string]string{"skip_networking": "ON", "log_bin": "OFF"}
		r.Cases[1].Variables = map[string]string{"skip_networking": "OFF", "log_bin": "ON"}
	})
	if !v.Cases[0].Ranked() {
		t.Errorf("replicas: %v", v.Cases[0].Unasked())
	}
	v = two(func(r *result.Run) { r.Cases[1].Variables["thread_cache_size"] = "0" })
	if v.Cases[0].Ranked() || v.Main().Case != "a" {
		t.Errorf("a hidden second difference: %v", v.Cases[0].Unasked())
	}
	v = two(func(r *result.Run) {
		r.Cases[1].Variables["thread_cache_size"] = "0"
		r.Plan.Cases[1].AfterStart = plan.Texts{"SET GLOBAL thread_cache_size = 0"}
	})
	if !v.Cases[0].Ranked() {
		t.Errorf("asked for in SQL: %v", v.Cases[0].Unasked())
	}
}

// Among cases of one workload the best is marked, and those that lie apart.
func TestMarkCases(t *testing.T) {
	for _, c := range []struct {
		name   string
		ratios []float64 // of the cases after the first
		best   int       // -1 = none
		odd    []int
	}{
		// Median 1, MAD 0.01.
		{"one better, one odd", []float64{1.01, 0.99, 1.10, 1.0, 0.6}, 2, []int{2, 4}},
		{"none better", []float64{0.99, 0.98}, -1, nil},
		{"too few to be odd", []float64{0.5, 1.5}, 1, nil},
	} {
		a := sweepOf(1, 3)
		a.Run.Plan.Cases = []plan.Case{{Name: "a"}}
		for i, ratio := range c.ratios {
			name := string(rune('b' + i))
			for _, x := range sweepOf(ratio, 3).Trials {
				x.Case = name
				a.Trials = append(a.Trials, x)
			}
			a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: name})
		}
		best, odd := -1, []int(nil)
		for i, v := range Of(a).Cases {
			if v.Best {
				best = i
			}
			if v.Odd {
				odd = append(odd, i)
			}
		}
		if best != c.best || !slices.Equal(odd, c.odd) {
			t.Errorf("%s: best %d, odd %v; want %d, %v", c.name, best, odd, c.best, c.odd)
		}
	}
}

// TestCaseThatDidNotRun: a case without figures is said to have none and why, and forbids no
// ranking of the others, wherever it stands.
func TestCaseThatDidNotRun(t *testing.T) {
	for _, order := range [][]string{{"a", "b", "broken"}, {"a", "broken", "b"}, {"broken", "a", "b"}} {
		a, b := sweepOf(1, 4), sweepOf(1.2, 4)
		for i := range b.Trials {
			b.Trials[i].Case = "b"
		}
		skipped := result.Trial{Case: "broken", Workload: "w", Threads: 1, Queries: a.Trials[0].Queries, Repeat: 1, Status: result.Skipped}
		a.Trials = append(append(a.Trials, b.Trials...), skipped)
		a.Run.Plan.Cases, a.Run.Cases = nil, nil
		for _, name := range order {
			c := result.Case{Name: name, Status: result.OK, Version: "10.11", Variables: map[string]string{"x": "1"}}
			if name == "broken" {
				c = result.Case{Name: name, Status: result.Failed,
					Error: "case broken: private server /usr/sbin/mariadbd: it ended with status 7; its error log says:\n1 [ERROR] mariadbd: unknown variable 'nonsense=1'\n2 [ERROR] Aborting"}
			}
			a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: name})
			a.Run.Cases = append(a.Run.Cases, c)
		}
		v := Of(a)
		if v.Main().Case != "b" {
			t.Errorf("%v: the best is %s, want b", order, v.Main().Case)
		}
		for _, c := range v.Cases {
			if ran := c.Overall != nil; ran == (c.New.Name == "broken") {
				t.Errorf("%v: %s: %+v", order, c.New.Name, c.Overall)
			}
		}
	}
}
