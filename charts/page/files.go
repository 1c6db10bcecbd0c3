package page

import (
	"errors"
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
	var files []File
	for _, f := range trialFiles() {
		files = append(files, File{f.name, func(w io.Writer) error {
			rows, err := f.begin(w, d.Archive)
			if err != nil {
				return err
			}
			for t := range d.Archive.Full() {
				if err := rows(t); err != nil {
					return err
				}
			}
			return d.Archive.Err()
		}})
	}
	return append(files, wholeFiles(d)...)
}

// trialFile is a file with rows for each trial.
type trialFile struct {
	name  string
	begin func(io.Writer, *result.Archive) (table.Rows, error)
}

func trialFiles() []trialFile {
	return []trialFile{
		{"results.csv", table.Results}, {"queries.csv", table.Queries}, {"series.csv", table.Series}, {"cpu.csv", table.CPUs}, {"status.csv", table.Statuses},
	}
}

func wholeFiles(d *charts.Data) []File {
	a, v := d.Archive, d.Verdict
	files := []File{
		{"cells.csv", func(w io.Writer) error { return table.Cells(w, &a.Run, v) }},
		{"fits.csv", func(w io.Writer) error { return table.Fits(w, &a.Run, v) }},
		{"facts.csv", func(w io.Writer) error { return table.Facts(w, &a.Run) }},
		// The path is where the run was archived, so that a copy elsewhere has the same bytes.
		{"summary.txt", func(w io.Writer) error { return Summary(w, d, a.Run.Archive) }},
	}
	files = append(files, flameFiles(&a.Run)...)
	return append(files, File{"report.html", func(w io.Writer) error { return Report(w, d) }})
}

// Sink takes a file, which appears when it is closed. After Fail it does not, and Close returns the
// error.
type Sink interface {
	io.WriteCloser
	Fail(error)
}

// WriteFiles writes all files. Those with rows for each trial are written side by side, so that
// the trials are read once. A file that cannot be written is missing; the others are written all
// the same.
func WriteFiles(d *charts.Data, create func(name string) (Sink, error)) error {
	faults := []error{writeTrials(d, create)}
	for _, f := range wholeFiles(d) {
		sink, err := create(f.Name)
		if err == nil {
			sink.Fail(f.Write(sink))
			err = sink.Close()
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func writeTrials(d *charts.Data, create func(name string) (Sink, error)) error {
	var faults []error
	var sinks []Sink
	visit := []func(*result.Trial){d.Observe()}
	for _, f := range trialFiles() {
		sink, err := create(f.name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		sinks = append(sinks, sink)
		rows, err := f.begin(sink, d.Archive)
		visit = append(visit, func(t *result.Trial) {
			if err == nil {
				err = rows(t)
			}
			sink.Fail(err)
		})
	}
	for t := range d.Archive.Full() {
		for _, v := range visit {
			v(t)
		}
	}
	for _, sink := range sinks {
		sink.Fail(d.Archive.Err())
		faults = append(faults, sink.Close())
	}
	return errors.Join(faults...)
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
