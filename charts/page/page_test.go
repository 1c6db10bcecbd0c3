package page

import (
	"bytes"
	"flag"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/charts/svg"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

func data(a *result.Archive) *charts.Data {
	v := verdict.Of(a)
	return &charts.Data{Archive: a, Verdict: &v}
}

func report(t *testing.T, a *result.Archive) string {
	t.Helper()
	var b bytes.Buffer
	if err := Report(&b, data(a)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func summaryOf(t *testing.T, a *result.Archive) string {
	t.Helper()
	var b bytes.Buffer
	if err := Summary(&b, data(a), a.Dir); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldenSummary(t *testing.T) {
	sample.Golden(t, "summary.txt", summaryOf(t, sample.Small()), *update)
}

// One drawing stands for all: it changes when ECharts, the options or the
// clean-up do.
func TestGoldenDrawing(t *testing.T) {
	list, err := charts.All(data(sample.Small()))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(c charts.Chart) bool { return c.ID == "rate" })
	if i < 0 {
		t.Fatalf("no chart is called rate")
	}
	renderer, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	c := list[i]
	text, err := renderer.Draw(svg.Drawing{ID: c.ID, Option: c.Option, Width: c.Wide.Width, Height: c.Wide.Height})
	if err != nil {
		t.Fatal(err)
	}
	// One element a line makes differences readable.
	sample.Golden(t, "rate.svg", strings.ReplaceAll(text, "><", ">\n<")+"\n", *update)
}

// The last line of a summary is the archive's folder: scripts read it.
func TestSummaryEndsWithThePath(t *testing.T) {
	a := sample.Small()
	lines := strings.Split(strings.TrimSuffix(summaryOf(t, a), "\n"), "\n")
	if last := lines[len(lines)-1]; last != a.Dir {
		t.Errorf("the last line is %q, want %q", last, a.Dir)
	}
}

// small is the report of the small archive, drawn once for all tests.
var small = sync.OnceValues(func() (string, error) {
	var b bytes.Buffer
	err := Report(&b, data(sample.Small()))
	return b.String(), err
})

func smallReport(t *testing.T) string {
	t.Helper()
	text, err := small()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReportIsTheSameTwice(t *testing.T) {
	if smallReport(t) != report(t, sample.Small()) {
		t.Error("the same archive gave two different reports")
	}
}

// reference is what makes a browser fetch something; anchors within the page are none.
var reference = regexp.MustCompile(`(?i)(?:src|href|data|action|poster|srcset)\s*=\s*["']?([^"'\s>]+)|url\(([^)]*)\)|@import`)

func TestReportRefersToNothingElse(t *testing.T) {
	text := smallReport(t)
	for _, m := range reference.FindAllStringSubmatch(withoutScripts(text), -1) {
		if target := m[1] + m[2]; !strings.HasPrefix(target, "#") {
			t.Errorf("the report refers to %q in %q", target, m[0])
		}
	}
	if strings.Contains(text, "://") && regexp.MustCompile(`https?://`).MatchString(strings.ReplaceAll(text, "http://www.w3.org/", "")) {
		t.Error("the report names a host")
	}
}

var script = regexp.MustCompile(`(?s)<script.*?</script>`)

func withoutScripts(text string) string { return script.ReplaceAllString(text, "") }

// Whatever a name holds is shown as it is, and starts neither a script nor an element.
func TestHostileNames(t *testing.T) {
	const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`
	a := sample.Archive([]int{1, 4, 16}, []int{10, 100}, 1)
	a.Run.Name, a.Run.ServerHost, a.Run.Command = hostile, hostile, hostile
	a.Run.Plan.Cases[0].Name = hostile
	a.Run.Cases[0].Name, a.Run.Cases[0].Comment, a.Run.Cases[0].Version = hostile, hostile, hostile
	for i := range a.Trials {
		a.Trials[i].Case = hostile
	}
	a.Trials[0].Status, a.Trials[0].Error = result.Failed, hostile
	other := a.Trials[1] // a second case, so that names of cases get into the charts
	other.Case = hostile + "2"
	a.Trials = append(a.Trials, other)
	other.Threads = 7
	a.Trials = append(a.Trials, other)
	text := report(t, a)
	if strings.Contains(text, "<img") || strings.Contains(text, "<script>alert") {
		t.Error("a name became an element")
	}
	if got, want := strings.Count(text, "<script"), strings.Count(text, "</script>"); got != want {
		t.Errorf("%d script elements begin and %d end", got, want)
	}
	if !strings.Contains(text, "&lt;/script&gt;") {
		t.Error("the name is not shown literally")
	}
}

// An archive in which nothing worked still gives a page that says so, and no number that is none.
func TestNothingMeasured(t *testing.T) {
	empty := sample.Archive([]int{1, 4}, []int{10}, 1)
	empty.Trials = nil
	failed := sample.Archive([]int{1, 4}, []int{10, 20}, 1)
	for i := range failed.Trials {
		f := &failed.Trials[i]
		f.Status, f.Error, f.Measure = result.Failed, "connect /run/x.sock: no such file", result.Measure{Threads: f.Threads, Errors: 3}
	}
	one := sample.Archive([]int{1}, []int{10}, 1)
	bare := sample.Archive([]int{1, 2, 4}, []int{10, 20}, 1) // nothing seen of any machine
	bare.Run.Server, bare.Run.Cases = nil, nil
	for i := range bare.Trials {
		bare.Trials[i].Evidence = result.Evidence{}
	}
	for name, a := range map[string]*result.Archive{"empty": empty, "failed": failed, "one trial": one, "bare": bare} {
		text := withoutScripts(report(t, a)) + summaryOf(t, a)
		for _, bad := range []string{"NaN", "Inf", "%!", "<nil>", "ZgotmplZ"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the report contains %s", name, bad)
			}
		}
	}
	if text := report(t, failed); !strings.Contains(text, "no such file") {
		t.Error("the report does not say why nothing was measured")
	}
}

// What mysweep sets to give a private server a place of its own is not worth a
// reader's time; the same variable is, when a case asks for it.
func TestServerSettings(t *testing.T) {
	for _, c := range []struct {
		name            string
		private, asked  bool
		shown           bool
		started         string
		option, comment string
	}{
		{name: "tmpdir", private: true, option: "tmpdir=/x", comment: "ours"},
		{name: "tmpdir", private: true, asked: true, option: "tmpdir=/x", shown: true, started: "tmpdir=/x", comment: "asked for"},
		{name: "server_id", private: true, option: "server_id=7", comment: "ours"},
		{name: "server_id", shown: true, comment: "an existing server's own"},
		{name: "innodb_io_capacity", private: true, option: "innodb_io_capacity=7", shown: true, started: "innodb_io_capacity=7", comment: "no place"},
	} {
		kase := result.Case{Name: "a", Private: c.private, Variables: map[string]string{c.name: "7"}, Changed: []result.Changed{{Name: c.name, Value: "7"}}}
		if c.option != "" {
			kase.Options = []string{c.option}
		}
		s := newServer(&result.Run{Cases: []result.Case{kase}}, &kase, map[string]bool{c.name: c.asked})
		if got := len(s.Settings) == 1; got != c.shown || got != (s.SettingsTitle != "") {
			t.Errorf("%s, %s: settings %v", c.name, c.comment, s.Settings)
		}
		started := ""
		for _, r := range s.Rows {
			if r.Name == "started with" {
				started = r.Value
			}
		}
		if started != c.started {
			t.Errorf("%s, %s: started with %q; want %q", c.name, c.comment, started, c.started)
		}
	}
}

// A summary is a mail's body: about ten lines that no reader wraps.
func TestSummaryIsShort(t *testing.T) {
	for name, a := range map[string]*result.Archive{"one case": sample.Small(), "many notes": troubled(), "cases": sample.Cases()} {
		text := summaryOf(t, a)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) > 19 && name != "cases" || len(lines) > 45 {
			t.Errorf("%s: %d lines:\n%s", name, len(lines), text)
		}
		for _, line := range lines[:len(lines)-1] {
			if len([]rune(line)) > 79 {
				t.Errorf("%s: wider than a terminal: %s", name, line)
			}
		}
		if strings.Count(text, "see report.html") < 1 {
			t.Errorf("%s: the rest is not named:\n%s", name, text)
		}
	}
}

// troubled has more notes than a summary shows, and one with the control
// characters of somebody else's message.
func troubled() *result.Archive {
	a := sample.Small()
	for _, code := range []string{"failed-case", "unsettled", "no-lock", "left-behind", "foreign-queries"} {
		a.Run.Notes = append(a.Run.Notes, result.Note{Code: code, Text: "the server said \x1b[31m" + strings.Repeat("no\n", 50)})
	}
	a.Run.Name = "two\nlines"
	return a
}

func TestSummaryShowsControlCharacters(t *testing.T) {
	text := summaryOf(t, troubled())
	if strings.Contains(text, "\x1b") || !strings.Contains(text, `\x1b[31m`) {
		t.Errorf("%q", text)
	}
	if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, "two lines: ") {
		t.Errorf("headline %q", first)
	}
}

// The user's remark is in the report and in the summary, which has its other lines all the same.
func TestNoteIsShown(t *testing.T) {
	a := sample.Small()
	plain := strings.Count(summaryOf(t, a), "\n")
	a.Run.Plan.Note = "before the <upgrade>"
	if text := summaryOf(t, a); !strings.Contains(text, "\nremark   before the <upgrade>\n") || strings.Count(text, "\n") != plain+1 {
		t.Errorf("summary:\n%s", text)
	}
	if !strings.Contains(report(t, a), "before the &lt;upgrade&gt;") {
		t.Error("the report does not show the remark")
	}
}
