package page

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
)

// The answer is the heading, tables have the same number of columns in each row, and texts of
// others mark up nothing.
func TestMarkdown(t *testing.T) {
	a := sample.Small()
	a.Run.Name = "a|b <script> [x](y)"
	var b strings.Builder
	if err := Markdown(&b, data(a), "/var/lib/mysweep/db3/one_run"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	heading, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(heading, "### ") || !strings.Contains(heading, "queries/s") || !strings.Contains(heading, `a\|b &lt;script> \[x](y)`) {
		t.Errorf("heading %q", heading)
	}
	columns, tables := 0, 0
	for line := range strings.Lines(text) {
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		switch {
		case !strings.HasPrefix(line, "|"):
			columns = 0
		case columns == 0:
			columns, tables = n, tables+1
		case n != columns:
			t.Errorf("%d columns, want %d: %s", n, columns, line)
		}
	}
	if tables != 2 || !strings.HasSuffix(text, "\nArchive: /var/lib/mysweep/db3/one\\_run\n") {
		t.Errorf("%d tables in\n%s", tables, text)
	}
}
