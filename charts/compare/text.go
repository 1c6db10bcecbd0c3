// Package compare writes a comparison of runs for terminals and scripts: text
// of 80 columns, Markdown, CSV. The page with charts is that of package page.
package compare

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// columns is the width of a terminal.
const columns = 80

// unknown is shown where a figure is not known.
const unknown = "–"

// Text writes a comparison as text: what is decided, then a table for each case
// and workload, whose heading has what the keys of its cells share.
func Text(w io.Writer, c *verdict.Comparison) error {
	var b strings.Builder
	for _, s := range words.Comparison(c) {
		fold(&b, charts.Line(s.Text()))
	}
	fmt.Fprintf(&b, "\nbase  %s\nnew   %s\n", party(c.Base), party(c.New))
	for _, g := range groups(c) {
		b.WriteByte('\n')
		g.text(&b)
	}
	if c.OnlyBase+c.OnlyNew > 0 {
		fmt.Fprintf(&b, "\nCells without a partner: %d of the base, %d of the new run.\n", c.OnlyBase, c.OnlyNew)
	}
	if len(c.Cells) > 0 {
		b.WriteByte('\n')
		fold(&b, "Rates are geometric means; p is Student's t test of the logarithms"+method(c)+".")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func method(c *verdict.Comparison) string {
	switch c.Method {
	case verdict.OverRuns:
		return ", each run counted as a whole"
	case verdict.OverTrials:
		return " over the trials, which do not show how much whole runs differ"
	}
	return ""
}

func party(p verdict.Party) string {
	text := p.RunID
	if p.Name != "" {
		text += " " + p.Name
	}
	if p.Runs > 1 {
		text += fmt.Sprintf(" and %d earlier runs", p.Runs-1)
	}
	return charts.Line(text)
}

// group are the cells of one case and workload.
type group struct {
	heading string
	key     string // what distinguishes the cells
	unit    string
	latency bool
	notes   bool
	cells   []*verdict.CellComparison
}

// groups parts the cells by case and workload, in their order.
func groups(c *verdict.Comparison) []*group {
	var list []*group
	for i := range c.Cells {
		cell := &c.Cells[i]
		if n := len(list); n == 0 || list[n-1].cells[0].Case != cell.Case || list[n-1].cells[0].Workload != cell.Workload {
			list = append(list, &group{})
		}
		g := list[len(list)-1]
		g.cells = append(g.cells, cell)
	}
	for _, g := range list {
		g.describe()
	}
	return list
}

// describe sets the heading, and what the rows need to say.
func (g *group) describe() {
	first := g.cells[0]
	threads, queries := true, true // are the same in all cells
	for _, c := range g.cells {
		threads = threads && c.Threads == first.Threads
		queries = queries && c.Queries == first.Queries
		g.latency = g.latency || c.P50 != nil || c.P99 != nil
		g.notes = g.notes || len(c.Notes) > 0
	}
	parts := []string{first.Workload}
	if first.Case != "" && first.Case != "default" {
		parts = []string{"case " + first.Case, first.Workload}
	}
	switch {
	case queries && first.Queries > 0:
		parts = append(parts, fmt.Sprintf("%d queries per thread", first.Queries))
	case threads && len(g.cells) > 1:
		parts = append(parts, fmt.Sprintf("%d threads", first.Threads))
	}
	g.heading = charts.Line(strings.Join(parts, ", "))
	g.unit = string(first.Headline) + "/s"
	g.key = "threads"
	switch {
	case queries:
	case threads && len(g.cells) > 1:
		g.key = "queries"
	default:
		g.key = "threads × queries"
	}
}

func (g *group) name(c *verdict.CellComparison) string {
	switch g.key {
	case "threads":
		return fmt.Sprint(c.Threads)
	case "queries":
		return fmt.Sprint(c.Queries)
	}
	return fmt.Sprintf("%d × %d", c.Threads, c.Queries)
}

// head are the names of the columns.
func (g *group) head() []string {
	head := []string{g.key, "base", "new", "change", "95 % interval", "p"}
	if g.latency {
		head = append(head, "p50", "p99")
	}
	return head
}

// row are the fields of a cell.
func (g *group) row(c *verdict.CellComparison) []string {
	fields := []string{g.name(c), charts.Grouped(c.Base.Geometric()), charts.Grouped(c.New.Geometric()), charts.Signed(c.Ratio.Value - 1),
		interval(c.Ratio), probability(c.Ratio.P)}
	if g.latency {
		fields = append(fields, latency(c.P50), latency(c.P99))
	}
	return fields
}

func interval(r *verdict.Ratio) string {
	switch {
	case r.Low == nil:
		return unknown
	case r.Vague():
		return "too few trials"
	}
	return charts.Signed(*r.Low-1) + ".." + charts.Signed(*r.High-1)
}

func probability(p *float64) string {
	switch {
	case p == nil:
		return unknown
	case *p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", *p)
}

func latency(l *verdict.LatencyChange) string {
	if l == nil {
		return unknown
	}
	return charts.Signed(l.Ratio.Value - 1)
}

// text writes the group as a table: names to the left, figures to the right.
func (g *group) text(b *strings.Builder) {
	fold(b, g.heading+", in "+g.unit)
	rows := [][]string{g.head()}
	for _, c := range g.cells {
		rows = append(rows, g.row(c))
	}
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = strings.ReplaceAll(rows[i][j], " %", "%") // no room for blanks
		}
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, field := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(field))
		}
	}
	for n, row := range rows {
		for i, field := range row {
			blanks := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(field))
			if i == 0 {
				b.WriteString(field + blanks)
			} else {
				b.WriteString("  " + blanks + field)
			}
		}
		if n > 0 && len(g.cells[n-1].Notes) > 0 {
			b.WriteString(" *")
		}
		b.WriteByte('\n')
	}
	if g.notes {
		fold(b, "* in doubt: "+strings.Join(g.codes(), ", "))
	}
}

// codes are the notes of all cells of the group, each once.
func (g *group) codes() []string {
	var list []string
	seen := map[string]bool{}
	for _, c := range g.cells {
		for _, code := range c.Notes {
			if !seen[code] {
				seen[code] = true
				list = append(list, code)
			}
		}
	}
	return list
}

// fold writes a text in lines of at most the terminal's width.
func fold(b *strings.Builder, text string) {
	used := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > columns:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}
