package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/svg"
	"github.com/mysweep/mysweep/templates"
)

// frame is what every page has: its head, and at its foot the scripts for its charts, when it has
// charts.
type frame struct {
	Version   string // of mysweep
	PageTitle string
	Style     template.CSS

	renderer                 *svg.Renderer
	Live                     bool
	ECharts                  template.HTML // base64 of the gzipped build
	Theme, Functions, Script template.JS
}

func newFrame(version, title string) frame {
	return frame{Version: version, PageTitle: title, Style: template.CSS(templates.PageStyle)}
}

// execute writes a page, whole or not at all.
func execute(w io.Writer, name, text string, data any) error {
	page, err := template.New("parts").Parse(templates.PageParts)
	if err == nil {
		page, err = page.New(name).Parse(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// figure is a chart with its drawings.
type figure struct {
	ID, Title, Aid string
	Class          charts.Class
	Wide, Narrow   template.HTML
	Option         template.JS
	Numbers        grid
}

// draw draws all charts in both sizes, on as many CPUs as there are; what is drawn does not depend
// on the order.
func (f *frame) draw(list []charts.Chart) ([]figure, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if err := f.pack(); err != nil {
		return nil, err
	}
	if f.renderer == nil {
		renderer, err := svg.New()
		if err != nil {
			return nil, err
		}
		f.renderer = renderer
	}
	figures := make([]figure, len(list))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range list {
		drawn := &figures[i]
		// The option is safe in a script element: json.Marshal escapes <, > and &.
		drawn.ID, drawn.Title, drawn.Aid, drawn.Class, drawn.Option = c.ID, c.Title, c.Aid, c.Class, template.JS(c.Option)
		drawn.Numbers = plainTable(c.Numbers.Columns, c.Numbers.Rows)
		for _, size := range []struct {
			suffix string
			charts.Size
			to *template.HTML
		}{{"-w", c.Wide, &drawn.Wide}, {"-n", c.Narrow, &drawn.Narrow}} {
			group.Go(func() error {
				text, err := f.renderer.Draw(svg.Drawing{ID: c.ID + size.suffix, Option: c.Option, Width: size.Width, Height: size.Height})
				*size.to = template.HTML(text) // written by ECharts, which escapes names
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("draw charts: %w", err)
	}
	return figures, nil
}

// pack adds what makes the charts interactive.
func (f *frame) pack() error {
	if f.Live {
		return nil
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("pack echarts: %w", err)
	}
	if _, err := io.WriteString(z, templates.ECharts); err != nil {
		return fmt.Errorf("pack echarts: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("pack echarts: %w", err)
	}
	f.Live = true
	f.ECharts = template.HTML(base64.StdEncoding.EncodeToString(b.Bytes()))
	f.Theme = template.JS(templates.ChartTheme)
	f.Functions = template.JS(templates.ChartFunctions)
	f.Script = template.JS(templates.PageScript)
	return nil
}
