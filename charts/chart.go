// Package charts turns what a run found into charts: each is defined once, with go-echarts, as an
// ECharts option in which functions are named, not written. The same option is drawn to SVG
// (package svg) and made interactive in a browser. It owns what is drawn, the words of a chart's
// title and the numbers behind it; it refuses to judge (package verdict does) and to write pages
// (package page does).
package charts

// Chart is one figure of a report.
type Chart struct {
	ID      string // fixed name in a page, [a-z0-9-]
	Title   string // the finding, in a few words
	Aid     string // how to read the chart, one or two sentences
	Option  []byte // ECharts option as JSON, with what differs on a narrow screen under "media"
	Class   Class
	Wide    Size
	Narrow  Size
	Numbers Numbers
}

// Class is how much of a page's width a chart takes: half by default.
type Class string

// The classes of charts.
const (
	Full  Class = "full"  // all of it
	Paper Class = "paper" // all of it on paper, where the narrow drawing lacks something
)

// Size is a drawing's size in CSS pixels.
type Size struct{ Width, Height int }

// Numbers is the table behind a chart, as text ready to be shown; the first column names the row.
type Numbers struct {
	Columns []string
	Rows    [][]string
}

// NarrowBelow is the width in CSS pixels below which the narrow form of a chart is drawn.
const NarrowBelow = 440
