package page

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/templates"
)

// tracedRun has a case with a trace of each kind, as a run leaves them.
func tracedRun() *result.Archive {
	a := sample.Small()
	stacks := map[string]int{"mariadbd;start_thread;handle<THD>;read": 600, "mariadbd;start_thread;handle<THD>;write;fdatasync": 300}
	for i := range 200 {
		stacks[fmt.Sprintf("mariadbd;purge;f%03d", i)] = 1 + i%3
	}
	a.Run.Cases[0].Traces = []result.Trace{
		{Kind: "syscalls", File: "trace/default/strace.txt", Note: "times include strace's own cost", Rows: [][]string{
			{"system call", "calls", "errors", "seconds", "mean_seconds", "min_seconds", "max_seconds"},
			{"futex", "12345", "6", "3.13", "0.000253", "1.4e-05", "0.99"},
			{"fdatasync", "500", "0", "0.268", "0.000536", "0.000221", "0.0274"},
			{"fsync", "2", "0", "0.02", "0.01", "0.01", "0.01"}}},
		{Kind: "perf", File: "trace/default/perf.folded", Stacks: stacks, Rows: [][]string{
			{"function", "samples", "share", "object"},
			{"Cmp<int>::read", "600", "0.4615", "/usr/sbin/mariadbd"}, {"do_syscall_64", "300", "0.23", "[kernel.kallsyms]"}}},
		{Kind: "slow-log", Note: "no trace: the log is its own"},
		{Kind: "innodb-status", File: "trace/default/innodb-status.txt"},
	}
	return a
}

// withoutCharts is the report without what takes long to draw.
func withoutCharts(t *testing.T, a *result.Archive) string {
	t.Helper()
	var b bytes.Buffer
	if err := execute(&b, "report.html", templates.Report, newView(data(a))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTraces(t *testing.T) {
	a := tracedRun()
	looks := traces(&a.Run)[0].Looks
	for i, want := range []struct {
		summary string
		row     []string // one of the table's
		remarks string   // the last
	}{
		{"System calls: fdatasync 500 times, 536 µs each, fsync 2 times, 10 ms each",
			[]string{"futex", "12,345", "6", "3.13 s", "253 µs", "14 µs", "990 ms"}, "In the archive: trace/default/strace.txt."},
		{"CPU time by function", []string{"do_syscall_64", "300", "23 %", "kernel"}, "In the archive: trace/default/perf.folded, trace/default/flame.svg."},
		{"Each statement of a trial, in the slow query log", nil, "No trace: the log is its own."},
		{"InnoDB's own status after the trials", nil, "In the archive: trace/default/innodb-status.txt."},
	} {
		l := looks[i]
		if l.Summary != want.summary || l.Remarks[len(l.Remarks)-1] != want.remarks {
			t.Errorf("%q, %q; want %q, %q", l.Summary, l.Remarks, want.summary, want.remarks)
		}
		if want.row != nil && !slices.ContainsFunc(l.Table.Rows, func(r row) bool { return slices.Equal(r.Fields, want.row) }) {
			t.Errorf("%s: %q; want %q among them", l.Summary, l.Table.Rows, want.row)
		}
	}
	if text := withoutCharts(t, a); strings.Count(text, `class="flame"`) != 2 || strings.Contains(text, "<THD>") || strings.Contains(text, "Cmp<int>") {
		t.Error("the report does not hold one flame graph in two sizes with its names escaped")
	}
}

func TestFlameFile(t *testing.T) {
	files := Files(data(tracedRun()))
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == "trace/default/flame.svg" })
	if i < 0 {
		t.Fatal("no flame graph among the files")
	}
	var b bytes.Buffer
	if err := files[i].Write(&b); err != nil || !strings.HasPrefix(b.String(), "<svg ") {
		t.Errorf("%v, %.80q", err, b.String())
	}
}

const measureTraces = `(() => {
	const open = [...document.querySelectorAll('#traces details')];
	open.forEach(d => d.open = true);
	const shown = [...document.querySelectorAll('svg.flame')].filter(s => s.getBoundingClientRect().width > 0);
	const box = s => s.getBoundingClientRect();
	const scale = s => box(s).width / s.viewBox.baseVal.width;
	const texts = shown.flatMap(s => [...s.querySelectorAll('text')]);
	return {
		details: open.length, flames: shown.length, texts: texts.length,
		width: shown.length ? box(shown[0]).width : 0,
		spilled: texts.filter(t => box(t).right > box(t.previousElementSibling).right).map(t => t.textContent),
		tiny: texts.filter(t => parseFloat(getComputedStyle(t).fontSize) * scale(t.ownerSVGElement) < 10).length,
		wide: document.documentElement.scrollWidth, window: window.innerWidth,
	};
})()`

// Flame graphs at a desk and on a phone, light and dark: one is seen, its texts
// can be read and stay on their boxes.
func TestTracesInBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(withoutCharts(t, tracedRun())), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	for _, view := range []struct {
		name   string
		width  int64
		scheme string
		least  float64 // pixels of the drawing
	}{
		{"1280-dark", 1280, "dark", 1000},
		{"800", 800, "light", 900}, // scrolls
		{"380", 380, "light", 300},
	} {
		t.Run(view.name, func(t *testing.T) {
			tab, w := newTab(t, ctx)
			open(t, tab, "file://"+path, view.width, 900, false, view.scheme)
			l, err := chromedp.Run(tab, chromedp.Evaluate[struct {
				Details, Flames, Texts, Tiny, Wide, Window int
				Width                                      float64
				Spilled                                    []string
			}](measureTraces))
			if err != nil {
				t.Fatal(err)
			}
			if picture, err := chromedp.Run(tab, chromedp.FullScreenshot(100)); err == nil {
				save(t, "traces-"+view.name, picture)
			}
			if l.Details != 2 || l.Flames != 1 || l.Texts < 4 || l.Tiny > 0 || len(l.Spilled) > 0 || l.Width < view.least || l.Wide > l.Window {
				t.Errorf("the page does not show all: %+v", l)
			}
			w.check(t, "file://"+path)
		})
	}
}
