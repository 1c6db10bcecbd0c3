package document

import (
	"io"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// outcome is the verdict on a run as JSON.
type outcome struct {
	Schema      int          `json:"schema_version"`
	RunID       string       `json:"run_id"`
	Name        string       `json:"name"`
	Archive     string       `json:"archive"`  // folder
	Status      string       `json:"status"`   // of the run: ok, failed, interrupted
	Complete    bool         `json:"complete"` // every planned trial ran and is ok
	Refused     bool         `json:"refused"`  // a requirement is not met, or the gate fails
	Trials      tally        `json:"trials"`
	Text        []string     `json:"text"` // the sentences of the summary
	Peak        *point       `json:"peak"` // of the sweep that the summary speaks of first
	Sweeps      []sweep      `json:"sweeps"`
	Requirement *requirement `json:"requirement"`
	Gate        *gate        `json:"gate"`
	Baseline    *comparison  `json:"baseline"`
	Cases       []caseOf     `json:"cases"` // each further case against its base
	Notes       []note       `json:"notes"`
}

type tally struct {
	Planned     int `json:"planned"`
	OK          int `json:"ok"`
	Invalid     int `json:"invalid"`
	Failed      int `json:"failed"`
	Skipped     int `json:"skipped"`
	Interrupted int `json:"interrupted"`
	Missing     int `json:"missing"`
}

// sweep is one case with one workload.
type sweep struct {
	Case     string   `json:"case"`
	Workload string   `json:"workload"`
	Figure   string   `json:"figure"` // queries, transactions or connects per second
	Peak     *point   `json:"peak"`
	Knee     *point   `json:"knee"`
	Rising   bool     `json:"rising"` // still at the highest thread count tested
	Plateau  *plateau `json:"plateau"`
	Limit    limit    `json:"limit"`
	Cells    []point  `json:"cells"`
}

// point is a cell with its figures.
type point struct {
	Case      string   `json:"case"`
	Workload  string   `json:"workload"`
	Threads   int      `json:"threads"`
	Queries   *int     `json:"queries"` // per thread
	Trials    int      `json:"trials"`  // that are ok
	Confirmed bool     `json:"confirmed"`
	Rate      *float64 `json:"rate"` // median over the trials
	Low       *float64 `json:"low"`  // 95 % interval
	High      *float64 `json:"high"`
	P50       *float64 `json:"latency_p50"`
	P99       *float64 `json:"latency_p99"`
	Errors    int64    `json:"errors"`
	Notes     []string `json:"notes"` // codes
}

// plateau is a range of thread counts that cannot be distinguished from the best.
type plateau struct {
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	From int     `json:"from_threads"`
	To   int     `json:"to_threads"`
}

type limit struct {
	Kind      string `json:"kind"` // "" without a peak
	Certainty string `json:"certainty"`
}

type requirement struct {
	Outcome    string      `json:"outcome"`
	Conditions []condition `json:"conditions"`
}

type condition struct {
	Text    string   `json:"text"` // as it was given
	Metric  string   `json:"metric"`
	Op      string   `json:"op"`
	Value   float64  `json:"value"`
	Figure  *float64 `json:"figure"` // what was measured
	Outcome string   `json:"outcome"`
}

type gate struct {
	// Decision is "regression", "no regression", "undecided", "cannot compare"; "": no limit.
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Repeats  *int   `json:"repeats_needed"`
	Nights   *int   `json:"base_runs_needed"`
	Row      int    `json:"undecided_in_a_row"`
}

type caseOf struct {
	Workload   string     `json:"workload"`
	Best       bool       `json:"best"`
	Odd        bool       `json:"odd"`
	Comparison comparison `json:"comparison"`
}

type note struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // remark, caution or fault
	Text     string `json:"text"`
	Where    string `json:"where"`
	Trials   int    `json:"trials"`
}

// Verdict writes the verdict on a run as one object, see verdict.schema.json.
func Verdict(w io.Writer, a *result.Archive, v *verdict.Verdict) error {
	o := outcome{
		Schema: 1, RunID: a.Run.ID, Name: a.Run.Name, Archive: a.Dir, Status: string(a.Run.Status), Complete: v.Complete(),
		Refused: v.Refused(), Trials: tallyOf(v), Text: []string{}, Sweeps: []sweep{}, Requirement: requirementOf(v.Requirement),
		Cases: []caseOf{}, Notes: []note{},
	}
	said := words.Of(&a.Run, v)
	for _, s := range said.All() {
		o.Text = append(o.Text, s.Text())
	}
	for i := range v.Sweeps {
		o.Sweeps = append(o.Sweeps, sweepOf(&v.Sweeps[i]))
	}
	if v.Best >= 0 {
		o.Peak = o.Sweeps[v.Best].Peak
	}
	if g := v.Gate; g != nil {
		o.Gate = &gate{string(g.Decision), string(g.Reason), g.Repeats, g.Nights, g.Row}
	}
	if v.Baseline != nil {
		c := comparisonOf(v.Baseline)
		o.Baseline = &c
	}
	for i := range v.Cases {
		c := &v.Cases[i]
		o.Cases = append(o.Cases, caseOf{c.Workload, c.Best, c.Odd, comparisonOf(&c.Comparison)})
	}
	for _, n := range words.Notes(v) {
		o.Notes = append(o.Notes, note{n.Code, n.Severity.String(), n.Text, n.Where, n.Trials})
	}
	return write(w, o)
}

func tallyOf(v *verdict.Verdict) tally {
	t := v.Trials
	return tally{v.Planned, t.OK, t.Invalid, t.Failed, t.Skipped, t.Interrupted, v.Missing}
}

func sweepOf(s *verdict.Sweep) sweep {
	out := sweep{
		Case: s.Case, Workload: s.Workload, Figure: perSecond(s.Headline), Peak: pointOf(s.Peak), Knee: pointOf(s.Knee),
		Rising: s.Rising, Limit: limit{s.Limit.Kind, string(s.Limit.Certainty)}, Cells: []point{},
	}
	if p := s.Plateau; p != nil {
		out.Plateau = &plateau{p.Rate, p.Low, p.High, p.From, p.To}
	}
	for i := range s.Cells {
		out.Cells = append(out.Cells, *pointOf(&verdict.Point{Cell: s.Cells[i], Confirmed: s.Cells[i].Confirming > 0}))
	}
	return out
}

func perSecond(h verdict.Headline) string { return string(h) + " per second" }

func pointOf(p *verdict.Point) *point {
	if p == nil {
		return nil
	}
	rate, times := p.Rate(), p.Times()
	return &point{
		Case: p.Case, Workload: p.Workload, Threads: p.Threads, Queries: queriesOf(p.Cell.Cell), Trials: p.Trials(),
		Confirmed: p.Confirmed, Rate: rate.Median, Low: rate.Low, High: rate.High, P50: times.P50, P99: times.P99,
		Errors: p.Errors, Notes: append([]string{}, p.Notes...),
	}
}

// queriesOf is the query count of a cell, nil where trials end by time or events.
func queriesOf(c plan.Cell) *int {
	if c.Queries == 0 {
		return nil
	}
	return &c.Queries
}

func requirementOf(r *verdict.Requirement) *requirement {
	if r == nil {
		return nil
	}
	out := requirement{Outcome: string(r.Outcome), Conditions: []condition{}}
	for _, c := range r.Conditions {
		out.Conditions = append(out.Conditions, condition{c.Text, c.Metric, c.Op, c.Value, c.Figure, string(c.Outcome)})
	}
	return &out
}
