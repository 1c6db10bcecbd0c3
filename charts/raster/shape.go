package raster

import (
	"image"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/vector"
)

type point struct{ x, y float64 }

// outline is one line of a shape.
type outline struct {
	points []point
	closed bool
}

// shape fills and strokes outlines.
func (c *canvas) shape(a map[string]string, lines []outline) {
	move := transform(a["transform"])
	for i := range lines {
		for j, p := range lines[i].points {
			p = move(p)
			lines[i].points[j] = point{p.x * c.scale, p.y * c.scale}
		}
	}
	fill := a["fill"]
	if fill == "" {
		fill = "#000"
	}
	if src := c.source(fill, opacity(a, "fill-opacity"), lines); src != nil {
		c.paint(src, lines)
	}
	width := 1.0
	if a["stroke-width"] != "" {
		width = number(a["stroke-width"])
	}
	if ink, ok := c.colour(a["stroke"], opacity(a, "stroke-opacity")); ok && width > 0 {
		c.paint(image.NewUniform(ink), strokes(lines, width*c.scale/2, dashes(a["stroke-dasharray"], c.scale)))
	}
}

func opacity(a map[string]string, name string) float64 {
	if a[name] == "" {
		return 1
	}
	return number(a[name])
}

// paint fills outlines with a source.
func (c *canvas) paint(src image.Image, lines []outline) {
	bounds := c.image.Bounds()
	r := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	for _, l := range lines {
		if len(l.points) < 3 {
			continue
		}
		r.MoveTo(float32(l.points[0].x), float32(l.points[0].y))
		for _, p := range l.points[1:] {
			r.LineTo(float32(p.x), float32(p.y))
		}
		r.ClosePath()
	}
	r.Draw(c.image, bounds, src, image.Point{})
}

// strokes are outlines around lines: a box around each piece, and a disc where pieces meet. All
// turn the same way, so that where they overlap they do not cancel.
func strokes(lines []outline, half float64, dash []float64) []outline {
	var around []outline
	for _, l := range lines {
		points := l.points
		if l.closed && len(points) > 0 {
			points = append(points[:len(points):len(points)], points[0])
		}
		for i := 1; i < len(points); i++ {
			around = append(around, pieces(points[i-1], points[i], half, dash)...)
			if i > 1 && half > 0.6 && dash == nil {
				around = append(around, disc(points[i-1], half))
			}
		}
	}
	return around
}

// pieces are the boxes along one straight line, cut into dashes.
func pieces(a, b point, half float64, dash []float64) []outline {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return nil
	}
	ux, uy := (b.x-a.x)/length, (b.y-a.y)/length
	box := func(from, to float64) outline {
		p, q := point{a.x + ux*from, a.y + uy*from}, point{a.x + ux*to, a.y + uy*to}
		nx, ny := -uy*half, ux*half
		return outline{closed: true, points: []point{{p.x - nx, p.y - ny}, {q.x - nx, q.y - ny}, {q.x + nx, q.y + ny}, {p.x + nx, p.y + ny}}}
	}
	if len(dash) < 2 || dash[0]+dash[1] <= 0 {
		return []outline{box(0, length)}
	}
	var list []outline
	for at := 0.0; at < length; at += dash[0] + dash[1] {
		list = append(list, box(at, math.Min(at+dash[0], length)))
	}
	return list
}

func disc(at point, radius float64) outline {
	const corners = 10
	d := outline{closed: true}
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		d.points = append(d.points, point{at.x + radius*cos, at.y + radius*sin})
	}
	return d
}

func dashes(text string, scale float64) []float64 {
	list := numbers(strings.ReplaceAll(text, ",", " "))
	for i := range list {
		list[i] *= scale
	}
	if len(list) == 1 {
		list = append(list, list[0])
	}
	return list
}

// source is what a shape is filled with: a colour, or a gradient from its left to its right; nil
// for nothing.
func (c *canvas) source(fill string, opacity float64, lines []outline) image.Image {
	id, isURL := strings.CutPrefix(fill, "url(#")
	if !isURL {
		if ink, ok := c.colour(fill, opacity); ok {
			return image.NewUniform(ink)
		}
		return nil
	}
	stops := c.gradients[strings.TrimSuffix(id, ")")]
	if len(stops) == 0 {
		return nil
	}
	left, right := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, p := range l.points {
			left, right = math.Min(left, p.x), math.Max(right, p.x)
		}
	}
	return ramp{stops, left, math.Max(right-left, 1), c.image.Bounds()}
}

// ramp is a horizontal gradient with evenly spaced colours.
type ramp struct {
	stops       []color.NRGBA
	left, width float64
	bounds      image.Rectangle
}

func (r ramp) ColorModel() color.Model { return color.NRGBAModel }
func (r ramp) Bounds() image.Rectangle { return r.bounds }

func (r ramp) At(x, _ int) color.Color {
	at := math.Min(1, math.Max(0, (float64(x)-r.left)/r.width)) * float64(len(r.stops)-1)
	i := min(int(at), len(r.stops)-1)
	next := r.stops[min(i+1, len(r.stops)-1)]
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*(at-float64(i))) }
	s := r.stops[i]
	return color.NRGBA{mix(s.R, next.R), mix(s.G, next.G), mix(s.B, next.B), 255}
}
