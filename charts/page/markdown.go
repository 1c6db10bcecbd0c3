package page

import (
	"fmt"
	"github.com/mysweep/mysweep/charts/words"
	"io"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/charts"
)

// Markdown writes the summary for the job summary of a CI system: the answer as a heading, a table
// of what was reached, and the fastest cells. path is the archive's folder.
func Markdown(w io.Writer, d *charts.Data, path string) error {
	var b strings.Builder
	v := newView(d)
	fmt.Fprintf(&b, "### %s: %s\n\n| | |\n|---|---|\n", marked(v.Title), marked(d.Answer().Subject))
	for _, line := range slices.Concat(answerLines(d), runLines(d, v), noteLines(words.Notes(d.Verdict))) {
		if line.Value != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", line.Name, marked(line.Value))
		}
	}
	if fastest, _ := cells(d.Verdict); len(fastest.Rows) > 0 {
		b.WriteString("\n")
		markdownRow(&b, fastest.Columns)
		b.WriteString("|---" + strings.Repeat("|---:", len(fastest.Columns)-1) + "|\n")
		for _, r := range fastest.Rows {
			markdownRow(&b, r.Fields)
		}
	}
	fmt.Fprintf(&b, "\nArchive: %s\n", marked(path))
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownRow(b *strings.Builder, fields []string) {
	for _, f := range fields {
		b.WriteString("| " + marked(f) + " ")
	}
	b.WriteString("|\n")
}

// markup are the characters that mark up a text or a table.
var markup = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`)

// marked is a text in one line that means itself in Markdown.
func marked(text string) string { return markup.Replace(charts.Line(text)) }
