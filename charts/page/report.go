// Package page writes the report of an archive: report.html, which is one file without a reference to any other, and its
// plain-text sister summary.txt. It owns the order of a page and the words that no other package has said; it refuses to
// judge (package verdict), to draw (packages charts and svg) and to touch files.
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

	"mysweep/charts"
	"mysweep/charts/svg"
	"mysweep/templates"
)

// Report writes report.html. The same data give the same bytes.
func Report(w io.Writer, d *charts.Data) error {
	list, err := charts.All(d)
	if err != nil {
		return err
	}
	figures, err := draw(list)
	if err != nil {
		return err
	}
	page, err := template.New("report.html").Parse(templates.Report)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	v := newView(d)
	v.Figures = figures
	if len(figures) > 0 {
		if err := v.pack(); err != nil {
			return err
		}
	}
	var b bytes.Buffer // so that a fault leaves no half page
	if err := page.Execute(&b, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// figure is a chart with its drawings.
type figure struct {
	ID, Title, Aid string
	Wide, Narrow   template.HTML
	Option         template.JS
	Numbers        grid
}

// draw draws all charts in both sizes, on as many CPUs as there are; what is drawn does not depend on the order.
func draw(list []charts.Chart) ([]figure, error) {
	renderer, err := svg.New()
	if err != nil {
		return nil, err
	}
	figures := make([]figure, len(list))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range list {
		f := &figures[i]
		f.ID, f.Title, f.Aid, f.Option = c.ID, c.Title, c.Aid, template.JS(c.Option) // json.Marshal escapes <, > and &
		f.Numbers = plainTable(c.Numbers.Columns, c.Numbers.Rows)
		for _, size := range []struct {
			suffix string
			charts.Size
			to *template.HTML
		}{{"-w", c.Wide, &f.Wide}, {"-n", c.Narrow, &f.Narrow}} {
			group.Go(func() error {
				text, err := renderer.Draw(svg.Drawing{ID: c.ID + size.suffix, Option: c.Option, Width: size.Width, Height: size.Height})
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
func (v *view) pack() error {
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
	v.ECharts = template.HTML(base64.StdEncoding.EncodeToString(b.Bytes()))
	v.Theme = template.JS(templates.ChartTheme)
	v.Functions = template.JS(templates.ChartFunctions)
	v.Script = template.JS(templates.PageScript)
	return nil
}
