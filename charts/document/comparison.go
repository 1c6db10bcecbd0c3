package document

import (
	"io"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// comparison is a comparison as JSON. Changes are fractions: -0.05 is 5 % less. What is not known
// is null.
type comparison struct {
	Schema int `json:"schema_version"`
	// Decision is "regression", "no regression", "undecided", "cannot compare"; "": no limit.
	Decision string   `json:"decision"`
	Reason   string   `json:"reason"` // of the latter two
	Text     []string `json:"text"`
	Base     side     `json:"base"`
	New      side     `json:"new"`
	Overall  *change  `json:"overall"` // mean over the common cells
	Peak     *cell    `json:"peak"`
	Cells    []cell   `json:"cells"`
	OnlyBase int      `json:"cells_only_in_base"`
	OnlyNew  int      `json:"cells_only_in_new"`
	Varied   []differ `json:"varied"`
	Differ   []differ `json:"differences"` // that forbid a ranking
	Repeats  *int     `json:"repeats_needed"`
	Nights   *int     `json:"base_runs_needed"`
}

type side struct {
	RunID string `json:"run_id"`
	Name  string `json:"name"`
	Runs  int    `json:"runs"`
}

type change struct {
	Change float64  `json:"change"`
	Low    *float64 `json:"low"` // 95 % interval
	High   *float64 `json:"high"`
	P      *float64 `json:"p"`
}

type cell struct {
	Case     string   `json:"case"`
	Workload string   `json:"workload"`
	Threads  int      `json:"threads"`
	Queries  *int     `json:"queries"`
	Figure   string   `json:"figure"` // queries, transactions or connects per second
	Base     *float64 `json:"base"`
	New      *float64 `json:"new"`
	change
	P50   *change  `json:"latency_p50"`
	P99   *change  `json:"latency_p99"`
	Notes []string `json:"notes"` // codes of notes that put the cell in doubt
}

type differ struct {
	What string `json:"what"`
	Base string `json:"base"`
	New  string `json:"new"`
}

// Comparison writes a comparison as one object, see comparison.schema.json.
func Comparison(w io.Writer, c *verdict.Comparison) error { return write(w, comparisonOf(c)) }

func comparisonOf(c *verdict.Comparison) comparison {
	d := comparison{
		Schema: 1, Text: []string{}, Decision: string(c.Gate.Decision), Reason: string(c.Gate.Reason), Base: sideOf(c.Base), New: sideOf(c.New),
		Overall: changeOf(c.Overall), Cells: []cell{}, OnlyBase: c.OnlyBase, OnlyNew: c.OnlyNew,
		Varied: differOf(c.Varied()), Differ: differOf(c.Unasked()), Repeats: c.Gate.Repeats, Nights: c.Gate.Nights,
	}
	for _, s := range words.Comparison(c) {
		d.Text = append(d.Text, s.Text())
	}
	for i := range c.Cells {
		d.Cells = append(d.Cells, cellOf(&c.Cells[i]))
	}
	if c.Peak != nil {
		peak := cellOf(c.Peak)
		d.Peak = &peak
	}
	return d
}

func sideOf(p verdict.Party) side { return side{p.RunID, p.Name, p.Runs} }

func changeOf(r *verdict.Ratio) *change {
	if r == nil {
		return nil
	}
	less := func(ratio *float64) *float64 {
		if ratio == nil {
			return nil
		}
		share := *ratio - 1
		return &share
	}
	return &change{r.Value - 1, less(r.Low), less(r.High), r.P}
}

func cellOf(c *verdict.CellComparison) cell {
	out := cell{Case: c.Case, Workload: c.Workload, Threads: c.Threads, Figure: perSecond(c.Headline), Queries: queriesOf(c.Cell),
		Base: c.Base.Geometric(), New: c.New.Geometric(), change: *changeOf(c.Ratio), Notes: append([]string{}, c.Notes...)}
	if c.P50 != nil {
		out.P50 = changeOf(c.P50.Ratio)
	}
	if c.P99 != nil {
		out.P99 = changeOf(c.P99.Ratio)
	}
	return out
}

func differOf(list []verdict.Difference) []differ {
	out := []differ{}
	for _, d := range list {
		out = append(out, differ{d.What, d.Base, d.New})
	}
	return out
}
