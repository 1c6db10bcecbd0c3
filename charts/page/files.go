package page

import (
	"io"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/flame"
	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/runner/result"
)

// File is a file of an archive that is made from its sources.
type File struct {
	Name  string // in the archive's folder
	Write func(io.Writer) error
}

// Files are all files that are made from an archive's sources, in the order in which they are best
// written: the report, which takes longest, comes last.
func Files(d *charts.Data) []File {
	a, v := d.Archive, d.Verdict
	files := []File{
		{"results.csv", func(w io.Writer) error { return table.Results(w, a) }},
		{"cells.csv", func(w io.Writer) error { return table.Cells(w, &a.Run, v) }},
		{"queries.csv", func(w io.Writer) error { return table.Queries(w, a) }},
		{"fits.csv", func(w io.Writer) error { return table.Fits(w, &a.Run, v) }},
		{"series.csv", func(w io.Writer) error { return table.Series(w, a) }},
		{"cpu.csv", func(w io.Writer) error { return table.CPUs(w, a) }},
		{"status.csv", func(w io.Writer) error { return table.Statuses(w, a) }},
		{"facts.csv", func(w io.Writer) error { return table.Facts(w, &a.Run) }},
		// The path is where the run was archived, so that a copy elsewhere has the same bytes.
		{"summary.txt", func(w io.Writer) error { return Summary(w, d, a.Run.Archive) }},
	}
	files = append(files, flameFiles(&a.Run)...)
	return append(files, File{"report.html", func(w io.Writer) error { return Report(w, d) }})
}

// flameFiles are the flame graphs of all traces, each beside the stacks that it shows.
func flameFiles(run *result.Run) []File {
	var files []File
	for i := range run.Cases {
		for j := range run.Cases[i].Traces {
			if t := &run.Cases[i].Traces[j]; len(t.Stacks) > 0 {
				files = append(files, File{flameFile(t), func(w io.Writer) error {
					_, err := io.WriteString(w, flame.Draw(t.Stacks, wideFlame).SVG+"\n")
					return err
				}})
			}
		}
	}
	return files
}
