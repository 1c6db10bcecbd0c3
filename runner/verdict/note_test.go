package verdict

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// quiet is a trial of one second with evidence in which nothing stands out.
func quiet() result.Trial {
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

// An open loop is measured by what was due, not by the rate that was asked for:
// random arrivals are more or fewer by chance.
func TestRateMissed(t *testing.T) {
	for _, c := range []struct {
		name              string
		time              time.Duration
		answered, dropped int64
		missed            bool
	}{
		{"17 of 20 arrivals came, all answered", time.Second, 17, 0, false},
		{"all that were due but one in 200", time.Second, 199, 1, false},
		{"one in ten dropped", time.Second, 18, 2, true},
		{"by rounds, a little late by chance", 0, 90, 0, false},
		{"by rounds, half as fast", 0, 50, 0, true},
	} {
		run, x := quietRun(), quiet()
		run.Plan.Time = plan.Duration(c.time)
		x.Rate = ptr(map[bool]float64{true: 20, false: 100}[c.time > 0])
		x.Measure.Transactions, x.Measure.Dropped = c.answered, c.dropped
		missed := false
		for _, n := range TrialNotes(run, &x) {
			missed = missed || n.Code == "rate-missed"
		}
		if missed != c.missed {
			t.Errorf("%s: missed %v, want %v", c.name, missed, c.missed)
		}
	}
}

// A server that takes CPUs from a load generator beside it does not starve it.
func TestNotStarvedByTheServer(t *testing.T) {
	x := quiet()
	shared(&x)
	x.Evidence.ServerCPUSeconds, x.Measure.Client.LoopRunDelay = ptr(0.6), ptr(0.37)
	x.Evidence.Client.BusyRatio = ptr(0.55)
	for _, n := range TrialNotes(quietRun(), &x) {
		if n.Code == "client-starved" {
			t.Errorf("%+v", n)
		}
	}
}

// A trial without evidence, or without a measure, has no notes and no panic.
func TestTrialNotesDegenerate(t *testing.T) {
	for _, trial := range []result.Trial{{}, {Status: result.Failed, Threads: 5}} {
		if notes := TrialNotes(&result.Run{}, &trial); len(notes) > 0 {
			t.Errorf("%v", notes)
		}
	}
	bare := trial(1, 1, 1, 100)
	if notes := TrialNotes(&result.Run{}, &bare); len(notes) > 0 {
		t.Errorf("%v", notes)
	}
}

func TestRunNotes(t *testing.T) {
	tmpfs := hwinfo.Facts{}
	tmpfs.Add("datadir.filesystem", "tmpfs", "")
	for _, c := range []struct {
		code   string
		where  string
		change func(a *result.Archive)
	}{
		{"interrupted", "all", func(a *result.Archive) { a.Run.Status = result.Interrupted }},
		{"unfinished", "all", func(a *result.Archive) { a.Run.Status = "" }},
		{"torn-journal", "all", func(a *result.Archive) { a.Torn = 1 }},
		{"datadir-tmpfs", "all", func(a *result.Archive) { a.Run.Server = &tmpfs }},
		// The machine's own fact is of another folder.
		{"datadir-tmpfs", "memory", func(a *result.Archive) {
			a.Run.Server, a.Run.Cases[0].Datadir = &tmpfs, &hwinfo.Facts{}
			a.Run.Cases = append(a.Run.Cases, result.Case{Name: "memory", Status: result.OK, Datadir: &tmpfs})
			a.Run.Plan.Cases = []plan.Case{{Name: "a"}, {Name: "memory"}}
		}},
		{"not-idle", "client", func(a *result.Archive) {
			a.Run.Client.Add("load.1m", 3.0, "")
			a.Run.Client.Add("cpu.usable", 2.0, "")
		}},
		{"not-idle", "client", func(a *result.Archive) {
			a.Run.Client.Notes = []hwinfo.Note{{Code: "not-idle", Text: "backup uses a CPU"}, {Code: "unknown", Text: "x"}}
		}},
		{"no-repeats", "all", func(a *result.Archive) { a.Run.Plan.Repeat = 1 }},
		{"unconfirmed", "all", func(a *result.Archive) { a.Run.Plan.Confirm = 3 }},
		{"server-unseen", "all", func(a *result.Archive) {
			for i := range a.Trials {
				a.Trials[i].Evidence.Server = nil
			}
		}},
		{"failed-case", "b", func(a *result.Archive) {
			a.Run.Cases = append(a.Run.Cases, result.Case{Name: "b", Status: result.Failed, Error: "unknown variable x"})
		}},
		{"noisy", "all", func(a *result.Archive) { a.Trials[0].Measure.Queries = 500000 }},
		{"few-samples", "all", func(a *result.Archive) {
			for i := range a.Trials {
				a.Trials[i].Measure.Latency = result.Distribution{Count: 150, P99: ptr(1.0)}
			}
		}},
	} {
		a := archive(quiet(), quiet(), quiet())
		for i := range a.Trials {
			a.Trials[i].Repeat = i + 1
		}
		run := quietRun()
		run.Cases[0].Name, run.Trials = "a", 3
		a.Run = *run
		a.Run.Status = result.OK
		c.change(a)
		v := Of(a)
		note, ok := codes(v.Notes)[c.code]
		if !ok || noteScope(note) != c.where || len(v.Notes) != 1 {
			t.Errorf("%s: %+v", c.code, v.Notes)
		}
	}
}

// Every code that the sources write is documented, once, and no other.
func TestCatalogue(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{"failed-case": true, "skipped-case": true} // made from the status
	for _, code := range []string{"option-file-ignored", "no-baseline", "baseline-left-out", "defaults-unknown", "variables-unknown", "option-dropped", "option-moved"} {
		written[code] = true // by package server, and by the command line
	}
	for _, dir := range []string{"sweep", "observe", "testbed"} {
		more, err := filepath.Glob("../" + dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	pattern := regexp.MustCompile(`(?:say\(|[nN]ote\(|[cC]ode: |finding\{\{?(?:code: )?|\{\{code: )"([a-z-]+)"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range pattern.FindAllStringSubmatch(string(source), -1) {
			written[match[1]] = true
		}
	}
	seen := map[string]bool{}
	for _, c := range Catalogue() {
		if seen[c.Code] || !written[c.Code] {
			t.Errorf("twice, or never written: %+v", c)
		}
		seen[c.Code] = true
	}
	for code := range written {
		if !seen[code] {
			t.Errorf("not in the catalogue: %s", code)
		}
	}
}

// noteScope is where a note holds as a whole: "all" too when it holds in all cells, of which the
// archives of these tests have one.
func noteScope(n Note) string {
	if n.Scope == "" && len(n.Cells) == 1 {
		return "all"
	}
	return n.Scope
}
