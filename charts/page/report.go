// Package page writes the report of an archive: report.html, which is one file without a reference
// to any other, and its plain-text sister summary.txt; and the pages over several runs,
// compare.html and index.html. It owns the order of a page and the words that no other package has
// said; it refuses to judge (package verdict), to draw (packages charts and svg) and to touch
// files.
package page

import (
	"io"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/templates"
)

// Report writes report.html. The same data give the same bytes.
func Report(w io.Writer, d *charts.Data) error {
	list, err := charts.All(d)
	if err != nil {
		return err
	}
	v := newView(d)
	if v.Figures, err = v.draw(list); err != nil {
		return err
	}
	return execute(w, "report.html", templates.Report, v)
}
