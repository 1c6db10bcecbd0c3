package raster

import (
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var numeral = regexp.MustCompile(`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)

func numbers(text string) []float64 {
	var list []float64
	for _, word := range numeral.FindAllString(text, -1) {
		list = append(list, number(word))
	}
	return list
}

// number is 0 for what is none.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func pairs(list []float64) []point {
	var points []point
	for i := 0; i+1 < len(list); i += 2 {
		points = append(points, point{list[i], list[i+1]})
	}
	return points
}

// transform reads translate(x y) and matrix(a b c d e f); anything else moves nothing.
func transform(text string) func(point) point {
	n := numbers(text)
	switch {
	case strings.HasPrefix(text, "translate(") && len(n) >= 2:
		return func(p point) point { return point{p.x + n[0], p.y + n[1]} }
	case strings.HasPrefix(text, "matrix(") && len(n) == 6:
		return func(p point) point { return point{n[0]*p.x + n[2]*p.y + n[4], n[1]*p.x + n[3]*p.y + n[5]} }
	}
	return func(p point) point { return p }
}

var command = regexp.MustCompile(`[A-Za-z][^A-Za-z]*`)

// parsePath reads the commands that ECharts writes: M L H V C A Z, and l.
func parsePath(d string) []outline {
	var lines []outline
	var at point
	add := func(p point) {
		if len(lines) > 0 {
			l := &lines[len(lines)-1]
			l.points = append(l.points, p)
			at = p
		}
	}
	for _, text := range command.FindAllString(d, -1) {
		n := numbers(text[1:])
		switch text[0] {
		case 'M':
			for i, p := range pairs(n) {
				if i == 0 {
					lines = append(lines, outline{})
				}
				add(p)
			}
		case 'L':
			for _, p := range pairs(n) {
				add(p)
			}
		case 'l':
			for _, p := range pairs(n) {
				add(point{at.x + p.x, at.y + p.y})
			}
		case 'H':
			for _, x := range n {
				add(point{x, at.y})
			}
		case 'V':
			for _, y := range n {
				add(point{at.x, y})
			}
		case 'C':
			for p := pairs(n); len(p) >= 3; p = p[3:] {
				curve(at, p[0], p[1], p[2], add)
			}
		case 'A':
			for ; len(n) >= 7; n = n[7:] {
				arc(at, n[0], n[3] != 0, n[4] != 0, point{n[5], n[6]}, add)
			}
		case 'Z', 'z':
			if len(lines) > 0 {
				lines[len(lines)-1].closed = true
			}
		}
	}
	return lines
}

func curve(a, b, c, d point, add func(point)) {
	const steps = 12
	for i := 1; i <= steps; i++ {
		t := float64(i) / steps
		u := 1 - t
		w := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
		add(point{w[0]*a.x + w[1]*b.x + w[2]*c.x + w[3]*d.x, w[0]*a.y + w[1]*b.y + w[2]*c.y + w[3]*d.y})
	}
}

// arc is a part of a circle from a to b (SVG 1.1, appendix F.6.5, with equal radii).
func arc(a point, r float64, large, sweep bool, b point, add func(point)) {
	dx, dy := (b.x-a.x)/2, (b.y-a.y)/2
	half := math.Hypot(dx, dy)
	if half == 0 || r <= 0 {
		add(b)
		return
	}
	r = math.Max(r, half)
	height := math.Sqrt(r*r-half*half) / half
	if large == sweep {
		height = -height
	}
	centre := point{a.x + dx - height*dy, a.y + dy + height*dx}
	from, to := math.Atan2(a.y-centre.y, a.x-centre.x), math.Atan2(b.y-centre.y, b.x-centre.x)
	switch {
	case sweep && to < from:
		to += 2 * math.Pi
	case !sweep && to > from:
		to -= 2 * math.Pi
	}
	steps := max(1, int(math.Ceil(math.Abs(to-from)/0.4)))
	for i := 1; i < steps; i++ {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/float64(steps))
		add(point{centre.x + r*cos, centre.y + r*sin})
	}
	add(b)
}

// colour reads #rgb, #rrggbb, rgb() and rgba(); false for none.
func (c *canvas) colour(text string, opacity float64) (color.NRGBA, bool) {
	n, alpha := numbers(text), opacity
	ink := color.NRGBA{A: 255}
	hex, isHex := strings.CutPrefix(text, "#")
	switch {
	case isHex && len(hex) == 3:
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		fallthrough
	case isHex && len(hex) == 6:
		v, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			return ink, false
		}
		ink.R, ink.G, ink.B = uint8(v>>16), uint8(v>>8), uint8(v)
	case strings.HasPrefix(text, "rgb") && len(n) >= 3:
		ink.R, ink.G, ink.B = uint8(n[0]), uint8(n[1]), uint8(n[2])
		if len(n) == 4 {
			alpha *= n[3]
		}
	default:
		return ink, false
	}
	ink.A = uint8(math.Round(255 * math.Min(1, math.Max(0, alpha))))
	return ink, ink.A > 0
}

var (
	gradient = regexp.MustCompile(`(?s)<linearGradient[^>]* id="([^"]+)".*?</linearGradient>`)
	stop     = regexp.MustCompile(`stop-color="([^"]+)"`)
)

// gradients are the colours of the horizontal gradients by id, taken to be evenly spaced.
func gradients(svg string) map[string][]color.NRGBA {
	found := map[string][]color.NRGBA{}
	for _, g := range gradient.FindAllStringSubmatch(svg, -1) {
		for _, s := range stop.FindAllStringSubmatch(g[0], -1) {
			if ink, ok := (&canvas{}).colour(s[1], 1); ok {
				found[g[1]] = append(found[g[1]], ink)
			}
		}
	}
	return found
}
