package page

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// paper is as wide as what an A4 page has between its margins, 186 mm.
const paper = 703

// On paper every chart is there once, its text can be read, nothing is cut at
// the edge, and the whole fits a few pages.
func TestReportOnPaper(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(smallReport(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	tab, cancel := chromedp.NewContext(browser(t))
	defer cancel()
	tab, cancel = context.WithTimeout(tab, time.Minute)
	defer cancel()
	open(t, tab, "file://"+path, paper, 1000, true, "light")
	if err := call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	l, err := chromedp.Run(tab, chromedp.Evaluate[look](measure))
	if err != nil {
		t.Fatal(err)
	}
	check(t, l, true)
	if parts, err := chromedp.Run(tab, chromedp.Evaluate[[]string](divisible)); err != nil || len(parts) > 0 {
		t.Errorf("these may be parted by the end of a page: %q, %v", parts, err)
	}
	yes := true
	pdf, err := chromedp.Call(tab, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PreferCSSPageSize: &yes})
	if err != nil {
		t.Fatal(err)
	}
	save(t, "report.pdf", pdf.Data)
	if n := bytes.Count(pdf.Data, []byte("/Type /Page\n")); n < 2 || n > 6 {
		t.Errorf("%d pages", n)
	}
}

// divisible lists what should stay whole and would not.
const divisible = `[...document.querySelectorAll('figure, tr, .tile, .answer, pre')].filter(e => getComputedStyle(e).breakInside !== 'avoid').map(e => e.tagName + ' ' + e.id)`
