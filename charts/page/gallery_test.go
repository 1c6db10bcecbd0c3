package page

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
)

// gallery is the folder that make gallery fills.
func gallery(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MYSWEEP_GALLERY")
	if dir == "" {
		t.Skip("make gallery runs this")
	}
	return dir
}

// night is the small sweep as of another night: its rates are factor times as high, and each trial
// differs from the made-up one by noise.
func night(i int, factor, noise float64) *result.Archive {
	a := alone(sample.Archive([]int{1, 2, 4, 8, 16, 32, 64}, []int{100}, 3))
	source := rand.New(rand.NewPCG(uint64(i), 1))
	day := time.Duration(i) * 24 * time.Hour
	a.Run.ID, a.Run.Name = fmt.Sprintf("night-%02d", i), "nightly"
	a.Run.Plan.Name = "nightly"
	a.Run.StartedAt, a.Run.EndedAt = a.Run.StartedAt.Add(day), a.Run.EndedAt.Add(day)
	level := factor * math.Exp(noise*source.NormFloat64())
	for j := range a.Trials {
		t := &a.Trials[j]
		t.StartedAt = t.StartedAt.Add(day)
		by := level * math.Exp(noise*source.NormFloat64())
		t.Measure.Elapsed /= by
		t.Measure.ElapsedWithConnect /= by
	}
	return a
}

func writeArchive(t *testing.T, dir string, a *result.Archive) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := result.Begin(dir, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteRun(dir, &a.Run); err != nil {
		t.Fatal(err)
	}
	journal, err := result.OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Trials {
		if err := journal.Append(&a.Trials[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGalleryRuns writes the made-up runs of the gallery: a base and what it is compared with, and
// 30 nights of one host, of which the last twelve are on a slower level.
func TestGalleryRuns(t *testing.T) {
	made := filepath.Join(gallery(t), "made")
	different, broken := night(5, 1, 0.01), night(6, 1, 0.01)
	different.Run.Server.List[0].Value = "AMD EPYC 7302 16-Core Processor"
	for i := range broken.Trials {
		b := &broken.Trials[i]
		b.Status, b.Error = result.Failed, "connect db3:3306: connection refused"
		b.Measure = result.Measure{Threads: b.Threads}
	}
	broken.Run.Status = result.Failed
	for name, a := range map[string]*result.Archive{
		"base": night(1, 1, 0.01), "improved": night(2, 1.12, 0.01), "regressed": night(3, 0.88, 0.01),
		"undecided": night(4, 0.96, 0.06), "different": different, "broken": broken,
	} {
		a.Run.Name = name
		writeArchive(t, filepath.Join(made, "compare", name), a)
	}
	for i := range 30 {
		level := 1.0
		if i >= 18 {
			level = 0.94
		}
		a := night(i, level, 0.008)
		switch i {
		case 18:
			a.Run.Plan.Note = "after the kernel update"
		case 24:
			a.Run.Plan.Tags = map[string]string{"rack": "7"}
		}
		writeArchive(t, filepath.Join(made, "db3", fmt.Sprintf("%s-nightly", a.Run.StartedAt.Format("20060102T150405Z"))), a)
	}
}

// TestGalleryPictures pictures every page of the gallery at a desk, on a phone, in the dark, on
// paper and without scripts, and checks what each shows.
func TestGalleryPictures(t *testing.T) {
	dir := gallery(t)
	var pages []string
	for _, pattern := range []string{"*/report.html", "compare-*.html", "made/db3/index.html"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	chosen := strings.Fields(os.Getenv("MYSWEEP_GALLERY_PAGES"))
	pictures := filepath.Join(dir, "pictures")
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name, _ := filepath.Rel(dir, page)
		name = strings.NewReplacer("/report.html", "", "made/db3/", "", ".html", "").Replace(name)
		if kind, _, _ := strings.Cut(name, "-"); len(chosen) > 0 && !slices.Contains(chosen, name) && !slices.Contains(chosen, kind) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ctx := browser(t)
			for _, s := range sights {
				if only := os.Getenv("MYSWEEP_GALLERY_SIGHTS"); only != "" && !slices.Contains(strings.Fields(only), s.name) {
					continue
				}
				l, picture := s.open(t, ctx, page)
				if err := os.WriteFile(filepath.Join(pictures, name+"-"+s.name+".png"), picture, 0o644); err != nil {
					t.Fatal(err)
				}
				l.checkPlaces(t, s.name)
			}
		})
	}
}

// sight is a way to look at a page.
type sight struct {
	name    string
	width   int64
	scripts bool
	scheme  string
	media   string
}

var sights = []sight{
	{"1280", 1280, true, "light", ""},
	{"1280-plain", 1280, false, "light", ""},
	{"1280-dark", 1280, true, "dark", ""},
	{"390", 390, true, "light", ""},
	{"390-plain", 390, false, "light", ""},
	{"390-dark", 390, true, "dark", ""},
	{"print", paper, true, "light", "print"},
}

func (s sight) open(t *testing.T, ctx context.Context, page string) (look, []byte) {
	t.Helper()
	tab, _ := newTab(t, ctx)
	l, picture := open(t, tab, "file://"+page, s.width, 900, s.scripts, s.scheme)
	if s.media == "" {
		return l, picture
	}
	if err := call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: s.media}); err != nil {
		t.Fatal(err)
	}
	l, err := chromedp.Run(tab, chromedp.Evaluate[look](measure))
	if err != nil {
		t.Fatal(err)
	}
	if picture, err = chromedp.Run(tab, chromedp.FullScreenshot(100)); err != nil {
		t.Fatal(err)
	}
	return l, picture
}
