package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Markdown writes a comparison for a job summary: the decision, then a table for each case and
// workload.
func Markdown(w io.Writer, c *verdict.Comparison) error {
	var b strings.Builder
	for i, s := range words.Comparison(c) {
		text := escape(charts.Line(s.Text()))
		if i == 0 {
			text = "**" + text + "**"
		}
		b.WriteString(text + "\n\n")
	}
	for _, g := range groups(c) {
		fmt.Fprintf(&b, "### %s, in %s\n\n", escape(g.heading), g.unit)
		head := g.head()
		b.WriteString("| " + strings.Join(head, " | ") + " |\n|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
		for _, cell := range g.cells {
			b.WriteString("| " + strings.Join(g.row(cell), " | ") + " |\n")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escape takes the meaning off characters that mark up a text or a table.
func escape(text string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "`", "\\`").Replace(text)
}
