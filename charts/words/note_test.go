package words

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

var update = flag.Bool("update", false, "write NOTES.md anew")

// measuredTrial is a trial of one second with evidence in which nothing stands out.
func measuredTrial() result.Trial {
	t := trial(10, 10, 1, 1e6)
	t.StorageEngine = "InnoDB"
	t.Measure.Transport = "tcp"
	t.Measure.FullConcurrency = result.Window{Elapsed: 0.9, Queries: 900000}
	t.Measure.Latency = result.Distribution{Count: 1e6, P50: ptr(1e-3), P99: ptr(2e-3), P999: ptr(3e-3)}
	t.Measure.Client = result.ClientCost{Engine: "loop", Loops: 1, UserSeconds: 0.4, SystemSeconds: 0.1, LoopBusy: ptr(0.5),
		Lag: result.Distribution{P50: ptr(1e-5)}}
	machine := func(device string) *result.Machine {
		return &result.Machine{
			UsableCPUs: 2, BusyRatio: ptr(0.3), RunnableMean: ptr(1.0), LoadBefore: &result.Load{One: 0.1}, LoadAfter: &result.Load{One: 0.5},
			CPUs: []result.CPU{{ID: 0, User: 0.3, Idle: 0.7}, {ID: 1, SoftIRQ: 0.1, User: 0.2, Idle: 0.7}},
			Samples: []result.Sample{{Values: map[string]float64{
				"nic." + device + ".link_ratio": 0.1, "disk.sda.busy_ratio": 0.2, "tcp.timewait": 10,
				"memory.swap_in_bytes_per_second": 0, "memory.swap_out_bytes_per_second": 0,
			}}},
		}
	}
	t.Evidence = result.Evidence{Client: machine("eth0"), Server: machine("eth1"), ForeignQueries: ptr(int64(0)), ThreadsRunningMean: ptr(2.0)}
	return t
}

func quietRun() *result.Run {
	a := archive()
	r := &a.Run
	r.Plan.MinTime = plan.Duration(500 * time.Millisecond)
	r.Client.Add("sysctl.net.ipv4.ip_local_port_range", "32768\t60999", "")
	r.Cases[0].Variables = map[string]string{"innodb_buffer_pool_size": "1073741824", "innodb_flush_log_at_trx_commit": "1"}
	return r
}

// TestTrialNotes: a quiet trial has no note; each change brings its own note
// and no other, with its evidence.
func TestTrialNotes(t *testing.T) {
	sample := func(m *result.Machine, name string, v float64) { m.Samples[0].Values[name] = v }
	for _, c := range []struct {
		code   string
		text   string // part of it
		change func(r *result.Run, t *result.Trial)
	}{
		{"", "", func(*result.Run, *result.Trial) {}},
		{"client-saturated", "95 % busy", func(_ *result.Run, t *result.Trial) { t.Measure.Client.LoopBusy = ptr(0.95) }},
		// 1.92 CPUs of the 2 that it may use.
		{"client-saturated", "96 % busy", func(_ *result.Run, t *result.Trial) {
			t.Measure.Client = result.ClientCost{Engine: "goroutine", Loops: 2, UserSeconds: 1.5, SystemSeconds: 0.42}
		}},
		{"loop-lag", "waited 60 µs in the load generator before they were read, 6.0 % of the median latency of 1 ms", func(_ *result.Run, t *result.Trial) {
			t.Measure.Client.Lag.P50 = ptr(6e-5)
		}},
		{"too-short", "400 ms were measured, less than 500 ms", func(_ *result.Run, t *result.Trial) {
			t.Measure.Elapsed, t.Measure.FullConcurrency.Elapsed = 0.4, 0.4
		}},
		{"uneven-threads", "only 30 % of the time", func(_ *result.Run, t *result.Trial) { t.Measure.FullConcurrency.Elapsed = 0.3 }},
		{"session-set", "3 sessions began with a SET within the measured time", func(_ *result.Run, t *result.Trial) {
			t.Measure.SessionSets, t.Measure.Reconnects = 3, 3
		}},
		{"sent-as-text", "return rows: checksum, optimize", func(_ *result.Run, t *result.Trial) {
			t.Measure.SentAsText = []string{"checksum", "optimize"}
		}},
		{"left-running", "2 statements given up at a limit may still run on the server, into the next trials: no KILL", func(_ *result.Run, t *result.Trial) {
			t.Measure.LeftRunning, t.Measure.LeftRunningWhy = 2, "no KILL"
		}},
		{"errors", "2 of 1,000,002 statements failed: 2 × timeout", func(_ *result.Run, t *result.Trial) {
			t.Measure.Errors, t.Measure.ErrorsBy = 2, []result.ErrorCount{{Class: "timeout", Count: 2}}
		}},
		{"deadlocks", "5 of 1,000,005 rounds", func(_ *result.Run, t *result.Trial) { t.Measure.Deadlocks = 5 }},
		{"dropped", "7 rounds that were due", func(_ *result.Run, t *result.Trial) { t.Measure.Dropped = 7 }},
		{"rate-missed", "1,000,000 of the requested 2,000,000 rounds/s", func(_ *result.Run, t *result.Trial) { t.Rate = ptr(2e6) }},
		// Taskset to a CPU with three burners.
		{"client-starved", "waited for a CPU 72 % of the time", func(_ *result.Run, t *result.Trial) {
			t.Evidence.SharedHost, t.Evidence.Server = true, nil
			t.Evidence.Notes, t.Evidence.ServerCPUSeconds = nil, ptr(0.6)
			t.Measure.Client.LoopRunDelay = ptr(0.72)
		}},
		{"client-starved", "waited for a CPU 20 % of the time, and the hypervisor took another 10 %", func(_ *result.Run, t *result.Trial) {
			t.Measure.Client.LoopRunDelay = ptr(0.2)
			t.Evidence.Client.CPUs[0].Steal, t.Evidence.Client.CPUs[1].Steal = 0.1, 0.1
		}},
		{"long-statements", "a statement takes 50 ms, 5.0 % of the trial", func(r *result.Run, t *result.Trial) {
			r.Plan.Time, r.Plan.MinTime = plan.Duration(time.Second), 0
			t.Measure.Latency.Mean = ptr(0.05)
		}},
		{"port-exhaustion-near", "25,000 sockets were in TIME_WAIT, 89 % of the 28,232 ephemeral ports: the kernel's search for a free one takes the client's CPU time and makes connects slow: widen net.ipv4.ip_local_port_range", func(_ *result.Run, t *result.Trial) {
			sample(t.Evidence.Client, "tcp.timewait", 25000)
		}},
		{"shared-host", "one machine", func(_ *result.Run, t *result.Trial) { t.Evidence.SharedHost, t.Evidence.Server = true, nil }},
		{"server-cpu-saturated", "97 % busy", func(_ *result.Run, t *result.Trial) { t.Evidence.Server.BusyRatio = ptr(0.97) }},
		{"client-cpu-saturated", "91 % busy", func(_ *result.Run, t *result.Trial) {
			t.Evidence.Client.BusyRatio, t.Measure.Client.UserSeconds = ptr(0.91), 1.7
		}},
		// 0.7 × 2 - 0.5.
		{"other-load", "other processes used 0.9 of the 2 CPUs", func(_ *result.Run, t *result.Trial) {
			t.Evidence.Client.BusyRatio = ptr(0.7)
		}},
		{"nic-saturated", "network eth1 of the server was at 92 %", func(_ *result.Run, t *result.Trial) {
			sample(t.Evidence.Server, "nic.eth1.link_ratio", 0.92)
		}},
		{"disk-saturated", "disk sda of the server was busy 99 %", func(_ *result.Run, t *result.Trial) {
			sample(t.Evidence.Server, "disk.sda.busy_ratio", 0.99)
		}},
		{"one-cpu-saturated", "CPU 1 of the server spent 88 % of its time on interrupts", func(_ *result.Run, t *result.Trial) {
			t.Evidence.Server.CPUs[1] = result.CPU{ID: 1, SoftIRQ: 0.85, IRQ: 0.03, Idle: 0.12}
		}},
		{"steal", "gave 5.0 % of the CPU time of the client", func(_ *result.Run, t *result.Trial) { t.Evidence.Client.CPUs[0].Steal = 0.1 }},
		{"cpu-throttled", "quota of the control group of the server was used up 2.5 times a second", func(_ *result.Run, t *result.Trial) {
			sample(t.Evidence.Server, "cgroup.throttled_periods_per_second", 2.5)
		}},
		{"swapping", "memory of the server was swapped, 1 MiB a second", func(_ *result.Run, t *result.Trial) {
			sample(t.Evidence.Server, "memory.swap_out_bytes_per_second", 1<<20)
		}},
		{"foreign-queries", "other clients sent 500 statements", func(_ *result.Run, t *result.Trial) { t.Evidence.ForeignQueries = ptr(int64(500)) }},
		{"in-memory", "data set (90,000 rows, 31 MiB) fits in the buffer pool (1 GiB)", func(_ *result.Run, t *result.Trial) {
			t.DataBytes, t.TableRows = ptr(int64(31<<20)), ptr(int64(90000))
		}},
		{"io-bound", "data set (4 GiB) is 4 times the buffer pool (1 GiB)", func(_ *result.Run, t *result.Trial) { t.DataBytes = ptr(int64(4 << 30)) }},
		{"stock-buffer-pool", "128 MiB", func(r *result.Run, _ *result.Trial) { r.Cases[0].Variables["innodb_buffer_pool_size"] = "134217728" }},
		{"not-durable", "innodb_flush_log_at_trx_commit is 2", func(r *result.Run, t *result.Trial) {
			r.Cases[0].Variables["innodb_flush_log_at_trx_commit"], t.Measure.Writes = "2", 1
		}},
		{"query-cache", "1 MiB", func(r *result.Run, _ *result.Trial) {
			r.Cases[0].Variables["query_cache_size"], r.Cases[0].Variables["query_cache_type"] = "1048576", "ON"
		}},
		{"scale-below-threads", "scale 4 is less than 10 threads", func(r *result.Run, t *result.Trial) {
			r.Plan.Workloads, t.Workload = []plan.Workload{{Name: "tpcb", Options: map[string]string{"scale": "4"}}}, "tpcb"
		}},
		{"customers-scaled", "1,000 customers were loaded for 10 users, for whom DBT-1 has 28,800", func(r *result.Run, t *result.Trial) {
			r.Plan.Workloads, t.Workload = []plan.Workload{{Name: "dbt1", Options: map[string]string{"customers": "1000"}}}, "dbt1"
		}},
		{"from-the-run-side", "as it was said", func(_ *result.Run, t *result.Trial) {
			t.Evidence.Notes = []result.Note{{Code: "from-the-run-side", Text: "as it was said"}}
		}},
	} {
		run, trial := quietRun(), measuredTrial()
		c.change(run, &trial)
		notes := verdict.TrialNotes(run, &trial)
		if c.code == "client-starved" { // comes with what starves it
			notes = slices.DeleteFunc(notes, func(n verdict.Note) bool { return n.Code == "shared-host" || n.Code == "steal" })
		}
		switch {
		case c.code == "" && len(notes) > 0:
			t.Errorf("a quiet trial has notes: %v", notes)
		case c.code != "" && (len(notes) != 1 || notes[0].Code != c.code || !strings.Contains(NoteText(&notes[0]), c.text)):
			t.Errorf("%s: %v, want %q", c.code, notes, c.text)
		}
	}
}

// The text of a note that holds in many places is that of the worst.
func TestNotesTellTheWorst(t *testing.T) {
	a := archive(measuredTrial(), measuredTrial(), measuredTrial())
	for i := range a.Trials {
		a.Trials[i].Threads = []int{1, 2, 4}[i]
		a.Trials[i].Measure.Client.LoopBusy = ptr([]float64{0.5, 0.99, 0.92}[i])
	}
	v := verdict.Of(a)
	var n Note
	for _, n = range Notes(&v) {
		if n.Code == "client-saturated" {
			break
		}
	}
	if n.Trials != 2 || n.Where != "2,4 threads" || !strings.Contains(n.Text, "99 %") || n.Severity != verdict.Fault {
		t.Errorf("%+v", n)
	}
	if got := v.Sweeps[0].Cell(2, 10).Notes; len(got) != 1 || got[0] != "client-saturated" {
		t.Errorf("codes of a cell: %v", got)
	}
}

// NOTES.md is the catalogue for readers; go test -update writes it anew.
func TestNotesDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Notes\n\nA note is a warning that travels with the data: a code, and a sentence with its evidence. A fault means that figures are\n" +
		"missing, wrong or only a bound; a caution weakens them; a remark gives context.\n\n| code | severity | meaning |\n|---|---|---|\n")
	for _, c := range verdict.Catalogue() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Code, c.Severity, meanings[c.Code])
	}
	if *update {
		if err := os.WriteFile("NOTES.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("NOTES.md")
	if err != nil || string(got) != b.String() {
		t.Errorf("NOTES.md is not the catalogue (%v): go test ./charts/words -run TestNotesDocument -update", err)
	}
}

// Each code has a meaning, and each sentence is that of a code.
func TestNotesHaveMeanings(t *testing.T) {
	known := map[string]bool{}
	for _, c := range verdict.Catalogue() {
		known[c.Code] = true
		if !strings.HasSuffix(meanings[c.Code], ".") {
			t.Errorf("%s has no meaning", c.Code)
		}
	}
	for code := range meanings {
		if !known[code] {
			t.Errorf("%s has a meaning and is not in the catalogue", code)
		}
	}
	for code := range noteSentences {
		if !known[code] {
			t.Errorf("%s has a sentence and is not in the catalogue", code)
		}
	}
}
