package page

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func storage(filesystem, mount, options, disks, transport string) *hwinfo.Facts {
	f := &hwinfo.Facts{}
	for _, p := range [][2]string{{"filesystem", filesystem}, {"mount", mount}, {"options", options}, {"disks", disks}, {"models", "MODEL X"}, {"transport", transport}} {
		f.Add("datadir."+p[0], p[1], "")
	}
	f.Add("datadir.fsync_4k_p99_seconds", 0.004, "")
	return f
}

// threeCases is a run of cases on a disk and in memory, one of which did not start.
func threeCases() *result.Archive {
	a := sample.Small()
	run := &a.Run
	fsync := 0.0016
	first := run.Cases[0]
	first.Private, first.FsyncP50 = true, &fsync
	memory := first
	first.Datadir, memory.Datadir = storage("ext4", "/", "rw,noatime", "sda", "sata"), storage("tmpfs", "/dev/shm", "rw,size=1g", "none", "memory")
	memory.Name = "memory"
	run.Cases = []result.Case{first, memory, {Name: "broken", Status: result.Failed, Error: "unknown option"}}
	run.Plan.Server = plan.Server{}
	run.Plan.Cases = []plan.Case{
		{Name: "default", Start: "warm"},
		{Name: "memory", DatadirParent: "/dev/shm", Wrap: "numactl --interleave=all", AfterStart: plan.Texts{"UPDATE performance_schema.setup_consumers SET ENABLED='NO'"}, Start: "warm"},
		{Name: "broken", Start: "warm"},
	}
	return a
}

// Cases are set side by side where they differ, and what all have is said once.
func TestSetupOfCases(t *testing.T) {
	s := newSetup(&threeCases().Run)
	if s == nil || s.Differing == nil {
		t.Fatal("nothing is said to differ")
	}
	if got := strings.Join(s.Differing.Columns, "|"); got != "what|default|memory|broken" {
		t.Errorf("columns %s", got)
	}
	rows := map[string]string{}
	for _, r := range s.Differing.Rows {
		rows[r.Fields[0]] = strings.Join(r.Fields[1:], "|")
	}
	for name, want := range map[string]string{
		"file system":    "ext4|tmpfs|–",
		"mount options":  "rw, noatime|rw, size=1g|–",
		"disk transport": "sata|memory|–",
		"wrap":           "–|numactl --interleave=all|–",
		"after_start":    "–|UPDATE performance_schema.setup_consumers SET ENABLED='NO'|–",
	} {
		if rows[name] != want {
			t.Errorf("%s: %q; want %q", name, rows[name], want)
		}
	}
	// All three are private, the one that did not start too.
	if want := "The same in all cases: server private, started by mysweep; write + fsync of 4 KiB 1.60 ms median, 4.00 ms p99; start warm."; s.Same != want {
		t.Errorf("%q; want %q", s.Same, want)
	}
	html := report(t, threeCases())
	for _, want := range []string{"How the cases are set up", "numactl --interleave=all", "ENABLED=&#39;NO&#39;"} {
		if !strings.Contains(html, want) {
			t.Errorf("the report does not have %q", want)
		}
	}
	if strings.Contains(withoutScripts(html), ">existing<") {
		t.Error("the case that did not start is called existing")
	}
}

// The machine's own row on the data directory is left to archives whose cases have none.
func TestDatadirOfMachine(t *testing.T) {
	for _, own := range []bool{true, false} {
		a := threeCases()
		if !own {
			a.Run.Cases[0].Datadir, a.Run.Cases[1].Datadir = nil, nil
		}
		shown := false
		for _, m := range machines(&a.Run) {
			for _, r := range m.Rows {
				shown = shown || r.Name == "datadir"
			}
		}
		if shown == own {
			t.Errorf("cases with facts of their own: %t, and the machine shows a data directory: %t", own, shown)
		}
	}
}

// When threads reconnect is what the trials have: workloads may do so by themselves.
func TestReconnectInWords(t *testing.T) {
	a := sample.Small()
	if text := strings.Join(how(data(a)), " "); !strings.Contains(text, "each thread keeps one connection") {
		t.Errorf("%s", text)
	}
	for i := range a.Trials {
		a.Trials[i].Reconnect = "round"
	}
	text := strings.Join(how(data(a)), " ")
	if strings.Contains(text, "keeps one connection") || !strings.Contains(text, "each thread reconnects for every round.") {
		t.Errorf("%s", text)
	}
}

// Many cases have a row each, and a case that did not start makes no difference in storage.
func TestSetupOfManyCases(t *testing.T) {
	a := threeCases()
	run := &a.Run
	run.Plan.Cases = nil
	run.Cases = []result.Case{run.Cases[0], run.Cases[0], run.Cases[0], run.Cases[0], {Name: "broken", Private: true, Status: result.Failed}}
	if s := newSetup(run); s.Differing != nil || !strings.Contains(s.Same, "file system ext4") {
		t.Errorf("a case that did not start differs: %+v, %s", s.Differing, s.Same)
	}
	run.Cases[1].Datadir = storage("xfs", "/", "rw,noatime", "sda", "sata")
	s := newSetup(run)
	if got := strings.Join(s.Differing.Columns, "|"); got != "case|file system" || len(s.Differing.Rows) != 5 {
		t.Fatalf("columns %s, %d rows; want a row per case", got, len(s.Differing.Rows))
	}
	if got := strings.Join(s.Differing.Rows[4].Fields, "|"); got != "broken|–" {
		t.Errorf("the last row is %s", got)
	}
}
