package page

import (
	"fmt"
	"html/template"
	"path"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/flame"
	"github.com/mysweep/mysweep/runner/result"
)

// traced is a case with the deeper looks that were taken at it.
type traced struct {
	Title string
	Looks []lookAt
}

// lookAt is what one tracer saw.
type lookAt struct {
	Summary string
	Remarks []string
	Flames  []flames
	Table   *grid
}

// flames is a flame graph, for a desk (class wide) or for a phone (narrow).
type flames struct {
	Class   string
	Drawing template.HTML
	Aid     string
}

// traceMost is how many rows of a trace's table the report shows; all are in its file.
const traceMost = 20

// The widths in which flame graphs are drawn: those of a card on a wide page and on a phone.
const wideFlame, narrowFlame = 1110, 336

func traces(run *result.Run) []traced {
	var list []traced
	for i := range run.Cases {
		c := &run.Cases[i]
		if len(c.Traces) == 0 {
			continue
		}
		t := traced{Title: caseTitle(c, len(run.Cases) == 1)}
		for j := range c.Traces {
			t.Looks = append(t.Looks, newLook(&c.Traces[j]))
		}
		list = append(list, t)
	}
	return list
}

func newLook(t *result.Trace) lookAt {
	l := lookAt{Summary: traceInWords(t)}
	if t.Note != "" {
		l.Remarks = append(l.Remarks, sentence(t.Note))
	}
	if len(t.Stacks) > 0 {
		l.Flames = []flames{newFlames(t, "wide", wideFlame), newFlames(t, "narrow", narrowFlame)}
	}
	if len(t.Rows) > 1 {
		l.Table = traceTable(t.Rows)
	}
	if t.File != "" {
		l.Remarks = append(l.Remarks, whereInWords(t))
	}
	return l
}

// flameFile is where the archive keeps the flame graph of a trace.
func flameFile(t *result.Trace) string { return path.Join(path.Dir(t.File), "flame.svg") }

// whereInWords names what the archive keeps of a trace.
func whereInWords(t *result.Trace) string {
	text := "In the archive: " + t.File
	if len(t.Stacks) > 0 {
		text += ", " + flameFile(t)
	}
	if len(t.Rows) > traceMost+1 {
		text = fmt.Sprintf("The first %d are shown. %s", traceMost, text)
	}
	return text + "."
}

func newFlames(t *result.Trace, class string, width int) flames {
	d := flame.Draw(t.Stacks, width)
	// Package flame escapes the names.
	return flames{Class: class, Drawing: template.HTML(d.SVG), Aid: flameInWords(d)}
}

// traceInWords is what a trace tells in a line.
func traceInWords(t *result.Trace) string {
	switch t.Kind {
	case "syscalls":
		if len(t.Rows) > 1 {
			return "System calls: " + flushes(t.Rows[1:])
		}
		return "System calls"
	case "perf":
		return "CPU time by function"
	case "slow-log":
		return "Each statement of a trial, in the slow query log"
	case "innodb-status":
		return "InnoDB's own status after the trials"
	case "file-waits":
		return "Waits for files, as performance_schema counted them"
	}
	return t.Kind
}

// flushes says how often something was flushed to the disk, and how long that took; rows are those
// of a table of system calls.
func flushes(rows [][]string) string {
	var parts []string
	for _, row := range rows {
		switch row[0] {
		case "fsync", "fdatasync", "sync_file_range", "msync", "sync", "syncfs":
			parts = append(parts, fmt.Sprintf("%s %s times, %s each", row[0], traceField("calls", row[1]), traceField("mean_seconds", row[4])))
		}
	}
	if parts == nil {
		return "none that flushes to the disk"
	}
	return strings.Join(parts, ", ")
}

func flameInWords(d flame.Drawing) string {
	text := "Each box is a function, drawn on top of its caller, as wide as its share of the samples; the order from left to right has no meaning."
	if d.Dropped == 1 {
		text += " One box is too narrow to be drawn."
	} else if d.Dropped > 1 {
		n := float64(d.Dropped)
		text += fmt.Sprintf(" %s boxes are too narrow to be drawn.", charts.Grouped(&n))
	}
	return text
}

// traceTable shows the rows of a trace, whose first holds the names of the columns.
func traceTable(rows [][]string) *grid {
	t := &grid{numeric: make([]bool, len(rows[0]))}
	for i, name := range rows[0] {
		title, ok := traceColumns[name]
		if !ok {
			title = name
		}
		t.Columns = append(t.Columns, title)
		t.numeric[i] = i > 0 && name != "object"
	}
	for _, fields := range rows[1:min(len(rows), traceMost+1)] {
		shown := make([]string, len(fields))
		for i, text := range fields {
			shown[i] = traceField(rows[0][i], text)
		}
		t.Rows = append(t.Rows, row{Fields: shown})
	}
	return t
}

// traceColumns are the titles of columns whose values are shown with a unit.
var traceColumns = map[string]string{
	"seconds": "in all", "mean_seconds": "mean", "min_seconds": "shortest", "max_seconds": "longest",
	"write_seconds": "writing", "fsync_and_other_seconds": "fsync and other", "object": "where",
}

// traceField writes a number as the column wants it; what is no number stays as it is.
func traceField(column, text string) string {
	if column == "object" { // a path, or e.g. [kernel.kallsyms]
		return strings.TrimSuffix(path.Base(strings.Trim(text, "[]")), ".kallsyms")
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return text
	case column == "share":
		return charts.Percent(&x)
	case strings.HasSuffix(column, "seconds"):
		return charts.Span(&x)
	case column == "calls", column == "errors", column == "samples", column == "waits":
		return charts.Grouped(&x)
	}
	return text
}

// sentence makes a note one.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
