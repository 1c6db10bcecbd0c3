package page

import (
	"fmt"
	"io"
	"strconv"

	"github.com/mysweep/mysweep/charts"
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

// Compare writes compare.html: a new run against one or several earlier ones, judged by failAbove, the share by which it
// may be worse (0 = it never fails). version is mysweep's.
func Compare(w io.Writer, c *verdict.Comparison, failAbove float64, version string) error {
	list, err := charts.Comparison(c)
	if err != nil {
		return err
	}
	p := comparison{Title: party(c.New) + " against " + party(c.Base), Method: method(c)}
	p.frame = newFrame(version, "mysweep · "+p.Title)
	p.judge(c, failAbove)
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

func (p *comparison) judge(c *verdict.Comparison, failAbove float64) {
	p.Sub = []string{fmt.Sprintf("base: run %s; new: run %s", c.Base.RunID, c.New.RunID)}
	switch {
	case c.Overall == nil:
		p.Lead = "They have no cell in common, so there is nothing to compare."
		return
	case !c.Ranked():
		p.Word, p.Class = "NOT RANKED", "fail"
	case c.Worse(failAbove):
		p.Word, p.Class = "WORSE", "fail"
	case failAbove > 0:
		p.Word, p.Class = "NOT WORSE", "pass"
	}
	p.Lead = fmt.Sprintf("Overall %s over %s", charts.Signed(c.Overall.Value-1), plural(len(c.Cells), "cell"))
	if c.Overall.Low != nil && c.Overall.High != nil {
		p.Lead += fmt.Sprintf(" (95 %% interval %s to %s)", charts.Signed(*c.Overall.Low-1), charts.Signed(*c.Overall.High-1))
	}
	p.Lead += "."
	if !c.Ranked() {
		p.More = append(p.More, "They differ in what nobody asked to vary, so neither may be called the better one; see what differs.")
	}
	if k := c.Peak; k != nil && k.Ratio != nil {
		p.More = append(p.More, fmt.Sprintf("Where both are fastest, at %d %s%s: %s against %s queries/s, %s.",
			k.Threads, threadsWord(k.Threads), times(k.Queries), charts.Grouped(k.New.Median), charts.Grouped(k.Base.Median), charts.Signed(k.Ratio.Value-1)))
	}
	if n := significant(c); n > 0 {
		p.More = append(p.More, fmt.Sprintf("Of the cells, %d differ by more than chance lets one expect (p < 5 %%); of twenty in which nothing changed, one does.", n))
	}
	if c.OnlyBase+c.OnlyNew > 0 {
		p.More = append(p.More, fmt.Sprintf("Without a partner: %s of the base and %d of the new run.", plural(c.OnlyBase, "cell"), c.OnlyNew))
	}
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
		g.Rows = append(g.Rows, row{Fields: []string{d.What, shown(d.Base), shown(d.New), map[bool]string{true: "yes", false: "no"}[d.Asked]}})
	}
	return g
}

// changes is the table of all cells.
func changes(c *verdict.Comparison) grid {
	g := plainTable([]string{"cell", "base q/s", "new q/s", "change", "95 % interval", "p"}, nil)
	for i := range c.Cells {
		cell := &c.Cells[i]
		name := fmt.Sprintf("%s, %s, %d%s", cell.Case, cell.Workload, cell.Threads, times(cell.Queries))
		fields := []string{name, charts.Grouped(cell.Base.Median), charts.Grouped(cell.New.Median), "–", "–", "–"}
		if r := cell.Ratio; r != nil {
			fields[3] = charts.Signed(r.Value - 1)
			if r.Low != nil && r.High != nil {
				fields[4] = charts.Signed(*r.Low-1) + " … " + charts.Signed(*r.High-1)
			}
		}
		if cell.P != nil {
			fields[5] = strconv.FormatFloat(*cell.P, 'f', 3, 64)
		}
		r := row{Fields: fields}
		if cell.Significant {
			r.Class = "best"
		}
		g.Rows = append(g.Rows, r)
	}
	return g
}
