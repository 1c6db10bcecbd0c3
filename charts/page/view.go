package page

import (
	"fmt"
	"github.com/mysweep/mysweep/charts/words"
	"strings"
	"time"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/result"
)

// view is what the template of a report is filled with.
type view struct {
	frame
	RunID, Title string
	Sub          []string
	Answer       answer
	Tiles        []tile
	Figures      []figure
	Cells        grid
	AllCells     *folded
	Trouble      grid
	Notes        []words.Note
	Machines     []machine
	Setup        *setup
	Differing    *grid
	Servers      []server
	Traced       []traced
	How          []string
	Command      string
}

// folded is a table behind a line that opens it.
type folded struct {
	Summary string
	Table   grid
}

// row is a row of a table; its first field names it.
type row struct {
	Class  string
	Fields []string
}

// grid is a table as a page shows it.
type grid struct {
	Columns []string
	Rows    []row
	numeric []bool
}

// Numeric reports whether a column holds numbers, which are set to the right.
func (t grid) Numeric(column int) bool { return column < len(t.numeric) && t.numeric[column] }

// Column is a column's name.
func (t grid) Column(i int) string { return t.Columns[i] }

// plainTable is a table of numbers, the first column aside.
func plainTable(columns []string, rows [][]string) grid {
	t := grid{Columns: columns, numeric: make([]bool, len(columns))}
	for i := 1; i < len(columns); i++ {
		t.numeric[i] = true
	}
	for _, fields := range rows {
		t.Rows = append(t.Rows, row{Fields: fields})
	}
	return t
}

func newView(d *charts.Data) *view {
	run := &d.Archive.Run
	v := &view{
		RunID: run.ID, Title: title(run), Sub: sub(d), Answer: newAnswer(d),
		Tiles: tiles(d.Verdict), Trouble: trouble(d.Archive), Notes: words.Notes(d.Verdict),
		Machines: machines(run), Setup: newSetup(run), Differing: differing(run, d.Verdict), Servers: servers(run),
		Traced: traces(run), How: how(d), Command: run.Command,
	}
	v.frame = newFrame(run.Version, strings.TrimSuffix("mysweep · "+v.Title+" · "+v.Answer.Word, " · "))
	v.Cells, v.AllCells = cells(d.Verdict)
	return v
}

// title names the run: the host and what was run there.
func title(run *result.Run) string {
	name := run.Name
	if name == "" {
		labels := make([]string, len(run.Plan.Workloads))
		for i, w := range run.Plan.Workloads {
			labels[i] = w.Label()
		}
		name = strings.Join(labels, ", ")
	}
	if run.ServerHost == "" {
		return name
	}
	return run.ServerHost + " · " + name
}

// sub says what was measured, where and when, a line each, after the user's remark.
func sub(d *charts.Data) []string {
	run := &d.Archive.Run
	var what []string
	for _, text := range []string{serverInShort(run), machineInShort(run)} {
		if text != "" {
			what = append(what, text)
		}
	}
	lines := []string{}
	if run.Plan.Note != "" {
		lines = append(lines, run.Plan.Note)
	}
	if len(what) > 0 {
		lines = append(lines, strings.Join(what, " on "))
	}
	when := run.StartedAt.UTC().Format("2006-01-02 15:04 UTC")
	if !run.EndedAt.IsZero() {
		when += ", " + lasted(run.EndedAt.Sub(run.StartedAt))
	}
	when += ", " + trials(len(d.Archive.Trials), run.Trials)
	return append(lines, when)
}

func trials(n, planned int) string {
	switch {
	case n == 1 && planned <= 1:
		return "1 trial"
	case planned > n:
		return fmt.Sprintf("%d of %d trials", n, planned)
	}
	return fmt.Sprintf("%d trials", n)
}

func lasted(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

// serverInShort is the server's flavour and version, of all cases where they differ.
func serverInShort(run *result.Run) string {
	var list []string
	for _, c := range run.Cases {
		text := version(&c)
		if text != "" && !contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// version is the server's flavour and version, without what the version says twice.
func version(c *result.Case) string {
	flavour := c.Flavour
	for _, name := range []string{"MariaDB", "MySQL", "Percona", "Aurora", "TiDB", "Vitess", "Dolt", "ProxySQL", "MaxScale"} {
		if strings.EqualFold(name, flavour) {
			flavour = name
		}
	}
	return strings.TrimSpace(flavour + " " + strings.Replace(c.Version, "-MariaDB", "", 1))
}

func contains(list []string, text string) bool {
	for _, t := range list {
		if t == text {
			return true
		}
	}
	return false
}
