package raster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/charts/svg"
	"github.com/mysweep/mysweep/runner/verdict"
)

func picture(t *testing.T, body string) image.Image {
	t.Helper()
	data, err := PNG(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">`+body+`</svg>`, 2)
	if err != nil {
		t.Fatal(err)
	}
	im, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name, body string
		x, y       int // pixel to look at
		want       color.NRGBA
	}{
		{"nothing", ``, 10, 10, color.NRGBA{255, 255, 255, 255}},
		{"rectangle", `<rect x="2" y="2" width="10" height="10" fill="#ff0000"></rect>`, 10, 10, color.NRGBA{255, 0, 0, 255}},
		{"no fill", `<rect x="2" y="2" width="10" height="10" fill="none"></rect>`, 10, 10, color.NRGBA{255, 255, 255, 255}},
		{"half", `<rect x="2" y="2" width="10" height="10" fill="rgb(0,0,0)" fill-opacity="0.5"></rect>`, 10, 10, color.NRGBA{127, 127, 127, 255}},
		{"relative path", `<path d="M2 2l10 0l0 10l-10 0Z" fill="#00f"></path>`, 10, 10, color.NRGBA{0, 0, 255, 255}},
		{"circle", `<path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix(4,0,0,4,10,10)" fill="#0f0"></path>`, 16, 18, color.NRGBA{0, 255, 0, 255}},
		{"stroke", `<path d="M0 5L40 5" fill="none" stroke="#f0f" stroke-width="4"></path>`, 40, 10, color.NRGBA{255, 0, 255, 255}},
		{"moved", `<polygon points="0 0 8 0 8 8 0 8" transform="translate(20 5)" fill="#0ff"></polygon>`, 48, 18, color.NRGBA{0, 255, 255, 255}},
	} {
		r, g, b, _ := picture(t, c.body).At(c.x, c.y).RGBA()
		for i, pair := range [][2]int{{int(r >> 8), int(c.want.R)}, {int(g >> 8), int(c.want.G)}, {int(b >> 8), int(c.want.B)}} {
			if diff := pair[0] - pair[1]; diff > 3 || diff < -3 {
				t.Errorf("%s: channel %d is %d, want %d", c.name, i, pair[0], pair[1])
			}
		}
	}
}

func TestWhatIsNoDrawing(t *testing.T) {
	for _, text := range []string{"", "<svg", `<svg viewBox="0 0 0 0"></svg>`, `<svg viewBox="0 0 1e9 1e9"></svg>`, `<path d="M0 0"/>`} {
		if _, err := PNG(text, 1); err == nil {
			t.Errorf("%q became a picture", text)
		}
	}
}

// Every chart becomes a picture with many colours in it; they are left for a person to look at.
func TestCharts(t *testing.T) {
	a := sample.Small()
	v := verdict.Of(a)
	list, err := charts.All(&charts.Data{Archive: a, Verdict: &v})
	if err != nil {
		t.Fatal(err)
	}
	renderer, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	folder := "../../build/screenshots"
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range list[:2] {
		text, err := renderer.Draw(svg.Drawing{ID: c.ID, Option: c.Option, Width: c.Wide.Width, Height: c.Wide.Height})
		if err != nil {
			t.Fatal(err)
		}
		data, err := PNG(text, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "mail-"+c.ID+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		im, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[color.Color]bool{}
		for y := 0; y < im.Bounds().Dy(); y += 3 {
			for x := 0; x < im.Bounds().Dx(); x += 3 {
				seen[im.At(x, y)] = true
			}
		}
		if len(seen) < 12 {
			t.Errorf("chart %s has %d colours: something was not drawn", c.ID, len(seen))
		}
	}
}
