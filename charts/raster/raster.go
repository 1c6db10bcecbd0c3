// Package raster turns the drawings of package svg into PNG pictures, for readers that do not show
// SVG, as in mails. It owns just the part of SVG that ECharts writes: paths, polygons, rectangles,
// text, plain fills, horizontal gradients and strokes; it refuses to be a general renderer, and
// leaves out what it does not know.
package raster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// PNG draws an SVG text on white, scale pixels for each of its units.
func PNG(svg string, scale float64) ([]byte, error) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("raster: font: %w", err)
	}
	c := &canvas{scale: scale, font: parsed, gradients: gradients(svg)}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("raster: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if err := c.element(decoder, start); err != nil {
				return nil, fmt.Errorf("raster: %w", err)
			}
		}
	}
	if c.image == nil {
		return nil, errors.New("raster: no svg element")
	}
	var b bytes.Buffer
	if err := png.Encode(&b, c.image); err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	return b.Bytes(), nil
}

// canvas is the picture in the making.
type canvas struct {
	scale     float64
	font      *opentype.Font
	gradients map[string][]color.NRGBA
	image     *image.RGBA
}

func (c *canvas) element(decoder *xml.Decoder, e xml.StartElement) error {
	a := attributes(e)
	if c.image == nil && e.Name.Local != "svg" {
		return errors.New("the drawing does not begin with an svg element")
	}
	switch e.Name.Local {
	case "svg":
		box := numbers(a["viewBox"])
		if len(box) != 4 || box[2] < 1 || box[3] < 1 || box[2]*c.scale > 10000 || box[3]*c.scale > 10000 {
			return fmt.Errorf("the viewBox %q is not usable", a["viewBox"])
		}
		c.image = image.NewRGBA(image.Rect(0, 0, int(box[2]*c.scale), int(box[3]*c.scale)))
		draw.Draw(c.image, c.image.Bounds(), image.White, image.Point{}, draw.Src)
	case "defs":
		return decoder.Skip()
	case "path":
		c.shape(a, parsePath(a["d"]))
	case "polygon", "polyline":
		c.shape(a, []outline{{points: pairs(numbers(a["points"])), closed: e.Name.Local == "polygon"}})
	case "rect":
		x, y, w, h := number(a["x"]), number(a["y"]), number(a["width"]), number(a["height"])
		c.shape(a, []outline{{points: []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, closed: true}})
	case "text":
		var text string
		if err := decoder.DecodeElement(&text, &e); err != nil {
			return err
		}
		return c.text(a, text)
	}
	return nil
}

func attributes(e xml.StartElement) map[string]string {
	a := map[string]string{}
	for _, attribute := range e.Attr {
		a[attribute.Name.Local] = attribute.Value
	}
	return a
}

// text writes one line of text in one size; ECharts puts it at a point, by its middle line.
func (c *canvas) text(a map[string]string, text string) error {
	size := 12.0
	if _, rest, found := strings.Cut(a["style"], "font-size:"); found {
		value, _, _ := strings.Cut(rest, "px")
		size = number(value)
	}
	face, err := opentype.NewFace(c.font, &opentype.FaceOptions{Size: size * c.scale, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return err
	}
	at := transform(a["transform"])(point{number(a["x"]), number(a["y"])})
	ink, _ := c.colour(a["fill"], 1)
	width := float64(font.MeasureString(face, text)) / 64
	x, y := at.x*c.scale, (at.y+0.35*size)*c.scale
	switch a["text-anchor"] {
	case "middle":
		x -= width / 2
	case "end":
		x -= width
	}
	d := font.Drawer{Dst: c.image, Src: image.NewUniform(ink), Face: face, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(text)
	return face.Close()
}
