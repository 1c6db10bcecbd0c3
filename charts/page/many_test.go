package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// faster is the small archive as another run, with rates so many times as high.
func faster(factor float64, id string) *result.Archive {
	a := sample.Small()
	a.Run.ID, a.Run.Name = id, "after the upgrade"
	for i := range a.Trials {
		m := &a.Trials[i].Measure
		m.Elapsed /= factor
		m.ElapsedWithConnect /= factor
	}
	return a
}

// alone is the archive as of a client machine that nobody else used.
func alone(a *result.Archive) *result.Archive {
	for i := range a.Trials {
		busy := 0.01
		a.Trials[i].Evidence.Client.BusyRatio = &busy
	}
	return a
}

func comparePage(t *testing.T, base, fresh *result.Archive, failAbove float64) string {
	t.Helper()
	c := verdict.Compare([]*result.Archive{base}, fresh, verdict.Limits{Rate: failAbove})
	var b bytes.Buffer
	if err := Compare(&b, &c, "1.0.0"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestComparePage(t *testing.T) {
	text := comparePage(t, alone(sample.Small()), alone(faster(0.8, "later")), 0.05)
	for _, want := range []string{"REGRESSION", "−20 %", "Significantly slower in 24 of 24 cells, faster in 0", "&lt; 0.001", "later"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	other := faster(1.1, "other")
	other.Run.Server.List[0].Value = "another CPU"
	if text := comparePage(t, sample.Small(), other, 0.05); !strings.Contains(text, "CANNOT COMPARE") || !strings.Contains(text, "another CPU") {
		t.Error("two machines were ranked, or their difference is not named")
	}
	// Others used the client's machine: neither good nor bad news.
	text = comparePage(t, sample.Small(), faster(0.8, "later"), 0.05)
	if !strings.Contains(text, "UNDECIDED") || !strings.Contains(text, "(other-load)") || !strings.Contains(text, `class="answer "`) {
		t.Error("a comparison beside other load is not undecided, or has a colour")
	}
}

// nights are runs of one host, with these rates.
func nights(rates ...float64) []verdict.Past {
	var runs []verdict.Past
	for i := range rates {
		runs = append(runs, verdict.Past{
			Dir: fmt.Sprintf("/srv/a/db3/run%d", i), RunID: fmt.Sprint("run", i), Host: "db3", Name: "nightly", Status: result.OK,
			StartedAt: time.Date(2026, 3, 1+i, 3, 0, 0, 0, time.UTC), ServerVersion: "10.11.14-MariaDB",
			Cells: []verdict.PastCell{{Cell: plan.Cell{Case: "default", Workload: "select-key", Threads: 60, Queries: 100}, QueriesPerSecond: &rates[i]}},
		})
	}
	return runs
}

func indexPage(t *testing.T, runs []verdict.Past) string {
	t.Helper()
	var b bytes.Buffer
	if err := Index(&b, verdict.Trends(runs), LinkBelow("/srv/a"), "1.0.0"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestIndexPage(t *testing.T) {
	runs := nights(24000, 24200, 23900, 24100, 24050, 19000, 24150)
	runs = append(runs, verdict.Past{Dir: "/elsewhere/x", Host: "<b>db4", Status: result.Interrupted, Cells: runs[0].Cells})
	runs[5].Tags, runs[5].Note = map[string]string{"rack": "7", "env": "prod"}, "after the <upgrade>"
	runs[5].PastAnswer = verdict.PastAnswer{Requirement: verdict.Pass, Decision: verdict.Regression}
	runs[4].PastAnswer = verdict.PastAnswer{Requirement: verdict.Pass, Decision: verdict.Undecided}
	runs[5].Changed = []string{"a 1 -> 2", "b 1 -> 2", "c 1 -> 2", "d 1 -> 2", "e 1 -> 2", "f 1 -> 2"}
	text := indexPage(t, runs)
	for _, want := range []string{
		`<small>env=prod rack=7</small>`, "after the &lt;upgrade&gt;", `<b class="FAIL">FAIL</b>`, `<b class="UNDECIDED">UNDECIDED</b>`,
		"a 1 -&gt; 2<br>", "2 more changes", `<p class="filter" hidden>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if !regexp.MustCompile(`>2026-03-0[1-8]</text>`).MatchString(text) {
		t.Error("the time axis of the trend has no dates")
	}
	for _, want := range []string{`href="db3/run5/report.html"`, "slower", "&lt;b&gt;db4", "interrupted", "19,000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "elsewhere") {
		t.Error("a run outside of the index's folder has a link")
	}
}
