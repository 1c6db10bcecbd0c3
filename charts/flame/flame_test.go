package flame

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// drawn is what a drawing holds, read as XML.
type drawn struct {
	ViewBox string     `xml:"viewBox,attr"`
	Boxes   []drawnBox `xml:"g"`
}

type drawnBox struct {
	Title string `xml:"title"`
	Rect  struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Class  string  `xml:"class,attr"`
	} `xml:"rect"`
	Text string `xml:"text"`
}

func read(t *testing.T, d Drawing) drawn {
	t.Helper()
	var got drawn
	if err := xml.NewDecoder(strings.NewReader(d.SVG)).Decode(&got); err != nil && err != io.EOF {
		t.Fatalf("%v in %s", err, d.SVG)
	}
	return got
}

// small is a server of 100 samples: 60 in reads, 30 of them in the index itself.
var small = map[string]int{
	"mariadbd;handle;read;index":       30,
	"mariadbd;handle;read;index;latch": 20,
	"mariadbd;handle;read":             10,
	"mariadbd;handle;write":            25,
	"mariadbd;purge":                   14,
	"mariadbd;[unknown];a<b>&c":        1,
}

func TestWidths(t *testing.T) {
	got := read(t, Draw(small, 1000))
	if got.ViewBox != "0 0 1000 85" { // five rows of 17
		t.Errorf("view box %s", got.ViewBox)
	}
	for _, want := range []struct {
		title       string
		x, y, width float64
		text        string
	}{
		{"mariadbd: 100 samples, 100.0 %", 0, 68, 1000, "mariadbd"},
		{"[unknown]: 1 sample, 1.0 %", 0, 51, 10, ""}, // names stand in their order
		{"a<b>&c: 1 sample, 1.0 %", 0, 34, 10, ""},
		{"handle: 85 samples, 85.0 %", 10, 51, 850, "handle"},
		{"read: 60 samples, 60.0 %", 10, 34, 600, "read"},
		{"index: 50 samples, 50.0 %", 110, 17, 500, "index"}, // ten were in read itself
		{"latch: 20 samples, 20.0 %", 410, 0, 200, "latch"},
		{"write: 25 samples, 25.0 %", 610, 34, 250, "write"},
		{"purge: 14 samples, 14.0 %", 860, 51, 140, "purge"},
	} {
		found := false
		for _, b := range got.Boxes {
			if b.Title != want.title {
				continue
			}
			found = true
			if b.Rect.X != want.x || b.Rect.Y != want.y || b.Rect.Width != want.width-0.5 || b.Text != want.text {
				t.Errorf("%s: %+v %q; want %+v", want.title, b.Rect, b.Text, want)
			}
		}
		if !found {
			t.Errorf("no box %s", want.title)
		}
	}
	if len(got.Boxes) != 9 {
		t.Errorf("%d boxes, want 9", len(got.Boxes))
	}
}

func TestSameStacksSameBytes(t *testing.T) {
	first := Draw(small, 340)
	for range 20 {
		if again := Draw(small, 340); again != first {
			t.Fatal("two drawings of the same stacks differ")
		}
	}
}

// What is left out is counted, and nothing hangs in the air.
func TestDropped(t *testing.T) {
	d := Draw(small, 60) // a sample is 0.6 pixels wide
	if got := read(t, d); d.Dropped != 2 || d.Samples != 100 || len(got.Boxes) != 7 {
		t.Errorf("%d boxes, %d dropped of %d samples; want 7 and 2 of 100", len(got.Boxes), d.Dropped, d.Samples)
	}
	many := map[string]int{}
	for i := range 300 {
		for j := range 30 {
			many[fmt.Sprintf("main;f%d;g%d;h", i, j)] = 1 + i + j
		}
	}
	many["deep"+strings.Repeat(";f", 400)] = 1000
	d = Draw(many, 1<<20)
	got := read(t, d)
	if n := len(got.Boxes); n > mostBoxes || n < mostBoxes/2 || n+d.Dropped != 1+300+2*300*30+401 {
		t.Errorf("%d boxes, %d dropped", n, d.Dropped)
	}
	if len(d.SVG) > 500_000 {
		t.Errorf("a drawing of %d bytes", len(d.SVG))
	}
	for _, b := range got.Boxes {
		if b.Rect.Y+2*rowHeight <= float64(deepest*rowHeight) && !slices.ContainsFunc(got.Boxes, func(under drawnBox) bool {
			return under.Rect.Y == b.Rect.Y+rowHeight && under.Rect.X <= b.Rect.X && under.Rect.X+under.Rect.Width >= b.Rect.X+b.Rect.Width-0.1
		}) {
			t.Errorf("nothing is below the box %s at %g", b.Title, b.Rect.X)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, row := range []struct {
		name  string
		width float64
		want  string
	}{
		{"row_search_mvcc", 200, "row_search_mvcc"},
		// Arguments are left out.
		{"row_search_mvcc(unsigned char*, page_cur_mode_t)", 200, "row_search_mvcc"},
		{"row_search_mvcc", 60, "row_se…"}, // seven letters fit
		{"row_search_mvcc", 30, ""},        // three would say nothing
		{"do", 30, "do"},                   // but for a name that has no more
		{"(anonymous namespace)::read(int)", 400, "(anonymous namespace)::read"},
		{"Cmp::operator()(int)", 400, "Cmp::operator()"},
		{"bad\x00\x1b[31mname", 400, "bad[31mname"}, // XML may not hold these
	} {
		if got := label(row.name, row.width); got != row.want {
			t.Errorf("%q on %g pixels: %q, want %q", row.name, row.width, got, row.want)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, stacks := range []map[string]int{nil, {}, {"a;b": 0}} {
		d := Draw(stacks, 500)
		if got := read(t, d); len(got.Boxes) != 0 || d.Samples != 0 || d.Dropped != 0 {
			t.Errorf("%v: %+v", stacks, d)
		}
	}
}
