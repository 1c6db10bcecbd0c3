package page

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/templates"
)

// comparison is what the template of compare.html is filled with.
type comparison struct {
	frame
	Title       string
	Sub         []string
	Class, Word string
	Lead        string
	More        []string
	Differences grid
	Figures     []figure
	Cells       grid
	Method      string
}

// Compare writes compare.html: a new run against one or several earlier ones, with what its gate
// decides. version is mysweep's.
func Compare(w io.Writer, c *verdict.Comparison, version string) error {
	list, err := charts.Comparison(c)
	if err != nil {
		return err
	}
	p := comparison{Title: party(c.New) + " against " + party(c.Base), Method: method(c)}
	p.frame = newFrame(version, "mysweep · "+p.Title)
	p.judge(c)
	p.Differences = differences(c)
	p.Cells = changes(c)
	if p.Figures, err = p.draw(list); err != nil {
		return err
	}
	return execute(w, "compare.html", templates.Compare, &p)
}

func party(p verdict.Party) string {
	name := p.Name
	if name == "" {
		name = p.RunID
	}
	if p.Runs > 1 {
		return fmt.Sprintf("%s (%d runs)", name, p.Runs)
	}
	return name
}

func method(c *verdict.Comparison) string {
	if c.Method == "" {
		return "no interval"
	}
	return "interval from the " + c.Method
}

func (p *comparison) judge(c *verdict.Comparison) {
	p.Sub = []string{fmt.Sprintf("base: run %s; new: run %s", c.Base.RunID, c.New.RunID)}
	p.Word, p.Class = decisionWord(&c.Gate)
	for i, s := range words.Comparison(c) {
		switch {
		case i > 0:
			p.More = append(p.More, s.Text())
		case p.Word != "":
			p.Lead = s.Body
		default:
			p.Lead = s.Text()
		}
	}
	if n := significant(c); n > 0 {
		p.More = append(p.More, fmt.Sprintf("%d of %s differ significantly (p < 5 %%; by chance one in twenty does).", n, plural(len(c.Cells), "cell")))
	}
	if c.OnlyBase+c.OnlyNew > 0 {
		p.More = append(p.More, fmt.Sprintf("Without a partner: %s of the base and %d of the new run.", plural(c.OnlyBase, "cell"), c.OnlyNew))
	}
	if c.Tainted > 0 {
		p.More = append(p.More, fmt.Sprintf("%s in doubt: see the column notes.", plural(c.Tainted, "cell")))
	}
}

// decisionWord is a gate's decision as a page stamps it, with the class of its colour: what is open
// is neither good nor bad.
func decisionWord(g *verdict.Gate) (word, class string) {
	switch g.Decision {
	case verdict.Regression:
		return "REGRESSION", "fail"
	case verdict.CannotCompare:
		if g.Limits.Any() {
			return "CANNOT COMPARE", "fail"
		}
		return "CANNOT COMPARE", ""
	case verdict.NoRegression:
		return "NO REGRESSION", "pass"
	case verdict.Undecided:
		return "UNDECIDED", ""
	}
	return "", ""
}

func times(queries int) string {
	if queries == 0 {
		return ""
	}
	return fmt.Sprintf(" × %d queries", queries)
}

func significant(c *verdict.Comparison) int {
	n := 0
	for i := range c.Cells {
		if c.Cells[i].Significant {
			n++
		}
	}
	return n
}

func differences(c *verdict.Comparison) grid {
	g := grid{Columns: []string{"what", "base", "new", "asked for"}}
	for _, d := range c.Differences {
		g.Rows = append(g.Rows, row{Fields: []string{d.What, shown(d.Base), shown(d.New), askedFor(d)}})
	}
	return g
}

func askedFor(d verdict.Difference) string {
	switch {
	case d.Follows:
		return "no, derived by the server"
	case d.Asked:
		return "yes"
	}
	return "no"
}

// changes is the table of all cells.
func changes(c *verdict.Comparison) grid {
	g := plainTable([]string{"cell", "base", "new", "per second", "change", "95 % interval", "p", "p50", "p99"}, nil)
	if c.Tainted > 0 {
		g.Columns = append(g.Columns, "notes")
	}
	for i := range c.Cells {
		cell := &c.Cells[i]
		fields := []string{
			fmt.Sprintf("%s, %s, %d%s", cell.Case, cell.Workload, cell.Threads, times(cell.Queries)),
			charts.Grouped(cell.Base.Geometric()), charts.Grouped(cell.New.Geometric()), string(cell.Headline),
			charts.Signed(cell.Ratio.Value - 1), interval(cell.Ratio), probability(cell.Ratio.P), latencyChange(cell.P50), latencyChange(cell.P99),
		}
		if c.Tainted > 0 {
			fields = append(fields, strings.Join(cell.Notes, " "))
		}
		r := row{Fields: fields}
		if cell.Significant {
			r.Class = "best"
		}
		g.Rows = append(g.Rows, r)
	}
	return g
}

// interval is the 95 % interval of a change.
func interval(r *verdict.Ratio) string {
	switch {
	case r.Low == nil:
		return "–"
	case r.Vague():
		return "too few trials to say"
	}
	return charts.Signed(*r.Low-1) + " … " + charts.Signed(*r.High-1)
}

func probability(p *float64) string {
	switch {
	case p == nil:
		return "–"
	case *p < 0.001:
		return "< 0.001"
	}
	return strconv.FormatFloat(*p, 'f', 3, 64)
}

func latencyChange(l *verdict.LatencyChange) string {
	if l == nil {
		return "–"
	}
	return charts.Signed(l.Ratio.Value - 1)
}
