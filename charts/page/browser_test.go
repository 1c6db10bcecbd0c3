package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	cdpnet "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mysweep/mysweep/charts/sample"
)

// screenshots is where pictures of the page are left for a person to look at.
const screenshots = "../../build/screenshots"

// browser starts a headless Chromium with a profile of its own.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("opens a browser: run without -short")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium here: install the package chromium to test pages in a browser")
	}
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND")) // no network
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// witness notes what a page asks for and complains of.
type witness struct {
	sync.Mutex
	requests, complaints []string
}

func (w *witness) listen(ctx context.Context) error {
	return chromedp.Listen(ctx, func(event any) {
		w.Lock()
		defer w.Unlock()
		switch e := event.(type) {
		case *cdpnet.EventRequestWillBeSent:
			w.requests = append(w.requests, e.Request.URL)
		case *runtime.EventExceptionThrown:
			w.complaints = append(w.complaints, e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
				w.complaints = append(w.complaints, string(e.Type)+": "+string(e.Args[0].Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				w.complaints = append(w.complaints, e.Entry.Text)
			}
		}
	})
}

// look is what is measured of a page.
type look struct {
	Live       bool     `json:"live"`
	Figures    int      `json:"figures"`
	Hidden     []string `json:"hidden"` // figures without a drawing of some size
	Tiny       []string `json:"tiny"`   // texts in charts that are too small to read
	Wide       int      `json:"wide"`   // pixels of the content
	Window     int      `json:"window"`
	Duplicates []string `json:"duplicates"` // ids
	Overlaps   []string `json:"overlaps"`   // pairs of texts in charts, one over the other
	Outside    []string `json:"outside"`    // what leaves its card
}

const measure = `(() => {
	const figures = [...document.querySelectorAll('figure.chart')];
	const shown = f => [...f.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().height > 80 && s.getBoundingClientRect().width > 200);
	const size = t => parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getBoundingClientRect().width /
		((t.ownerSVGElement.viewBox.baseVal && t.ownerSVGElement.viewBox.baseVal.width) || t.ownerSVGElement.getBoundingClientRect().width);
	const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
	const texts = svg => [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => {
		const r = t.getBoundingClientRect();
		const inset = r.height * 0.15; // a line is taller than its letters
		return {text: t.textContent, left: r.left + 0.5, right: r.right - 0.5, top: r.top + inset, bottom: r.bottom - inset};
	}).filter(r => r.right > r.left);
	const pairs = list => list.flatMap((a, i) => list.slice(i + 1)
		.filter(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(b => a.text + ' | ' + b.text));
	const beyond = (r, s) => r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 3 || r.bottom > s.bottom + 3;
	const named = (f, list) => list.map(x => f.id + ': ' + x);
	return {
		live: document.documentElement.dataset.charts === 'live',
		figures: figures.length,
		hidden: figures.filter(f => shown(f).length !== 1).map(f => f.id),
		tiny: figures.flatMap(shown).flatMap(s => [...s.querySelectorAll('text')]).filter(t => size(t) < 10.5).map(t => t.textContent),
		wide: document.documentElement.scrollWidth, window: window.innerWidth,
		duplicates: ids.filter((id, i) => ids.indexOf(id) !== i),
		overlaps: figures.flatMap(f => named(f, shown(f).flatMap(s => pairs(texts(s))))),
		outside: figures.flatMap(f => named(f, shown(f).flatMap(s => texts(s).filter(t => beyond(t, s.getBoundingClientRect())).map(t => t.text))))
			.concat([...document.querySelectorAll('.card, figure.chart, .tile, .answer')].filter(c => c.scrollWidth > c.clientWidth + 1)
				.map(c => (c.id || c.className) + ' is wider than its card: ' + c.textContent.trim().slice(0, 40))),
	};
})()`

// The report in a browser: nothing is fetched, nothing complained of, every chart is seen and its
// text can be read, at a desk and on a phone, with scripts and without, light and dark.
func TestReportInBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(smallReport(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	for _, view := range []struct {
		name          string
		width, height int64
		scripts       bool
		scheme        string
	}{
		{"1280", 1280, 900, true, "light"},
		{"1280-plain", 1280, 900, false, "light"},
		{"1280-dark", 1280, 900, true, "dark"},
		{"380", 380, 800, true, "light"},
		{"380-plain", 380, 800, false, "light"},
		{"380-dark", 380, 800, false, "dark"},
	} {
		t.Run(view.name, func(t *testing.T) {
			tab, w := newTab(t, ctx)
			l, picture := open(t, tab, "file://"+path, view.width, view.height, view.scripts, view.scheme)
			save(t, "report-"+view.name, picture)
			check(t, l, view.scripts)
			w.check(t, "file://"+path)
		})
	}
}

// newTab opens a tab for at most a minute, with a witness of what it asks for and complains of.
func newTab(t *testing.T, browser context.Context) (context.Context, *witness) {
	t.Helper()
	tab, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	tab, cancel = context.WithTimeout(tab, time.Minute)
	t.Cleanup(cancel)
	w := &witness{}
	if err := w.listen(tab); err != nil {
		t.Fatal(err)
	}
	return tab, w
}

// open opens a page as a reader would see it, and measures and pictures it.
func open(t *testing.T, tab context.Context, url string, width, height int64, scripts bool, scheme string) (look, []byte) {
	t.Helper()
	ready := chromedp.WaitReady("footer")
	if scripts {
		// A page without charts has none to wait for.
		ready = chromedp.WaitReady(`html[data-charts="live"], body:not(:has(figure)) footer`)
	}
	err := errors.Join(
		call(tab, cdpnet.Enable, cdpnet.EnableParams{}),
		call(tab, log.Enable, cdp.Empty{}),
		call(tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts}),
		call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
		call(tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500}),
		chromedp.Do(tab, chromedp.Navigate(url), ready),
	)
	if err != nil {
		t.Fatal(err)
	}
	l, err := chromedp.Run(tab, chromedp.Evaluate[look](measure))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	return l, picture
}

func call[P, R any](tab context.Context, command cdp.Command[P, R], params P) error {
	_, err := chromedp.Call(tab, command, params)
	return err
}

// The pages over several runs, at a desk and on a phone.
func TestPagesOverRunsInBrowser(t *testing.T) {
	pages := map[string]string{
		"compare": comparePage(t, sample.Small(), faster(0.9, "later"), 0.05),
		"index":   indexPage(t, nights(24000, 24200, 23900, 24100, 24050, 19000, 24150, 24000, 26500, 26400, 26600)),
	}
	ctx := browser(t)
	for name, text := range pages {
		path := filepath.Join(t.TempDir(), name+".html")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{1280, 380} {
			t.Run(fmt.Sprint(name, "-", width), func(t *testing.T) {
				tab, w := newTab(t, ctx)
				l, picture := open(t, tab, "file://"+path, width, 900, true, "light")
				save(t, fmt.Sprint(name, "-", width), picture)
				if len(l.Hidden)+len(l.Duplicates)+len(l.Tiny) > 0 || l.Wide > l.Window || l.Figures == 0 {
					t.Errorf("the page does not show all: %+v", l)
				}
				w.check(t, "file://"+path)
			})
		}
	}
}

// TestIndexFilter types into the filter of the index; without scripts there is none, and all runs
// are shown.
func TestIndexFilter(t *testing.T) {
	runs := nights(24000, 24200, 23900)
	runs[1].Note, runs[2].Host = "after the upgrade", "db4"
	path := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(path, []byte(indexPage(t, runs)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	const shown = `document.querySelectorAll('tbody tr:not([hidden])').length - document.querySelectorAll('figure tbody tr').length`
	tab, _ := newTab(t, ctx)
	open(t, tab, "file://"+path, 1280, 900, true, "light")
	for text, want := range map[string]int{"": 3, "UPGRADE nightly": 1, "db4": 1, "2026-03": 3, "nothing has this": 0} {
		script := fmt.Sprintf(`(() => { const input = document.querySelector('.filter input'); input.value = %q;
			input.dispatchEvent(new Event('input')); return %s })()`, text, shown)
		if got, err := chromedp.Run(tab, chromedp.Evaluate[int](script)); err != nil || got != want {
			t.Errorf("%q shows %d runs, want %d (%v)", text, got, want, err)
		}
	}
	tab, _ = newTab(t, ctx)
	open(t, tab, "file://"+path, 1280, 900, false, "light")
	const without = `document.querySelector('.filter').offsetHeight === 0 ? ` + shown + ` : -1`
	if got, err := chromedp.Run(tab, chromedp.Evaluate[int](without)); err != nil || got != 3 {
		t.Errorf("without scripts %d runs are shown, want 3 and no filter (%v)", got, err)
	}
}

// save leaves a picture for a person to look at.
func save(t *testing.T, name string, picture []byte) {
	t.Helper()
	if err := os.MkdirAll(screenshots, 0o755); err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == "" {
		name += ".png"
	}
	if err := os.WriteFile(filepath.Join(screenshots, name), picture, 0o644); err != nil {
		t.Error(err)
	}
}

func check(t *testing.T, l look, scripts bool) {
	t.Helper()
	if l.Figures < 5 {
		t.Errorf("the page has %d charts", l.Figures)
	}
	if l.Live != scripts {
		t.Errorf("live charts: %v, want %v", l.Live, scripts)
	}
	if len(l.Hidden) > 0 {
		t.Errorf("figures that do not show exactly one drawing: %v", l.Hidden)
	}
	if len(l.Tiny) > 0 {
		t.Errorf("texts that are too small: %q", l.Tiny)
	}
	if l.Wide > l.Window {
		t.Errorf("the page is %d pixels wide in a window of %d", l.Wide, l.Window)
	}
	if len(l.Duplicates) > 0 {
		t.Errorf("ids that are there twice: %v", l.Duplicates)
	}
}

// checkPlaces: no text of a chart is over another, nothing leaves its card, and the page is as wide
// as its window.
func (l *look) checkPlaces(t *testing.T, name string) {
	t.Helper()
	if len(l.Overlaps) > 0 {
		t.Errorf("%s: texts over each other: %q", name, l.Overlaps)
	}
	if len(l.Outside) > 0 {
		t.Errorf("%s: outside of its card: %q", name, l.Outside)
	}
	if l.Wide > l.Window {
		t.Errorf("%s: the page is %d pixels wide in a window of %d", name, l.Wide, l.Window)
	}
}

func (w *witness) check(t *testing.T, page string) {
	t.Helper()
	w.Lock()
	defer w.Unlock()
	for _, url := range w.requests {
		if url != page && !strings.HasPrefix(url, "about:") {
			t.Errorf("the page asked for %s", url)
		}
	}
	if len(w.complaints) > 0 {
		t.Errorf("the browser complained: %q", w.complaints)
	}
}
