package page

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
)

// answer is the box at the top of a report.
type answer struct {
	Class string // pass or fail, empty where nothing was required
	Word  string
	Lead  []phrase
	More  [][]phrase // paragraphs
	Cases [][]phrase
}

// phrase is a sentence with the part of it that is stressed.
type phrase struct{ Before, Strong, After string }

// newPhrase keeps numbers and their signs on one line.
func newPhrase(s words.Sentence) phrase {
	together := strings.NewReplacer(" %", "\u00a0%", "± ", "±\u00a0")
	text, strong := together.Replace(s.Text()), together.Replace(s.Strong)
	before, after, found := strings.Cut(text, strong)
	if strong == "" || !found {
		return phrase{Before: text}
	}
	return phrase{before, strong, after}
}

// phrases are the sentences that say something.
func phrases(list ...words.Sentence) []phrase {
	var said []phrase
	for _, s := range list {
		if s.Body != "" {
			said = append(said, newPhrase(s))
		}
	}
	return said
}

func newAnswer(d *charts.Data) answer {
	v, said := d.Verdict, d.Answer()
	a := answer{Lead: phrases(said.Peak, said.Requirement)}
	if len(said.Cases) > 0 { // how the cases compare is what the run was made for
		a.Lead = phrases(said.Cases[0], said.Requirement)
		a.More = append(a.More, phrases(said.Peak))
		said.Cases = said.Cases[1:]
	}
	baseline := phrases(append([]words.Sentence{said.Baseline}, said.More...)...)
	if v.Gate != nil && v.Gate.First() { // what is wrong comes before what was reached
		a.Lead = append(baseline[:1:1], a.Lead...)
		baseline = baseline[1:]
	}
	for _, paragraph := range [][]phrase{
		phrases(said.Knee, said.Latency, said.Limit), baseline,
	} {
		if len(paragraph) > 0 {
			a.More = append(a.More, paragraph)
		}
	}
	for _, s := range said.Cases {
		a.Cases = append(a.Cases, phrases(s))
	}
	if r := v.Requirement; r != nil {
		a.Word = strings.ToUpper(string(r.Outcome))
		a.Class = map[verdict.Outcome]string{verdict.Pass: "pass", verdict.Fail: "fail"}[r.Outcome]
	}
	a.gate(v)
	return a
}

// gate adds what the baseline decides. A miss stays a miss; else a regression
// is one, and what is open has no colour.
func (a *answer) gate(v *verdict.Verdict) {
	if v.Gate == nil || !v.Gate.Limits.Any() {
		return
	}
	word, class := decisionWord(v.Gate)
	a.Word = strings.TrimSpace(a.Word + " " + word)
	if a.Class != "fail" && v.Gate.Decision != verdict.NoRegression || a.Class == "" && v.Requirement == nil {
		a.Class = class
	}
}

// tile is one figure at a glance.
type tile struct{ Name, Value, Unit, More string }

func tiles(v *verdict.Verdict) []tile {
	s := v.Main()
	if s == nil {
		return nil
	}
	list := []tile{peakTile(s)}
	if s.Knee != nil {
		list = append(list, tile{"knee", fmt.Sprint(s.Knee.Threads), threadsWord(s.Knee.Threads), charts.Compact(s.Knee.Rate().Median) + " " + short(s.Headline) + kneeEvidence(s)})
	}
	list = append(list, latencyTile(s))
	if c := mostThreads(s); c.Connects.Mean != nil {
		connect := split(charts.Span(c.Connects.Mean))
		list = append(list, tile{
			fmt.Sprintf("connect, %d %s", c.Threads, threadsWord(c.Threads)), connect.Value, connect.Unit,
			"max " + charts.Span(c.Connects.Max),
		})
	}
	if p := s.Peak; p.RunnablePerCPU != nil {
		t := tile{"runnable per CPU, at the peak", charts.Significant(p.RunnablePerCPU), "", ""}
		if l := p.Load; l != nil {
			t.More = fmt.Sprintf("load %s / %s / %s", charts.Significant(&l.One), charts.Significant(&l.Five), charts.Significant(&l.Fifteen))
		}
		list = append(list, t)
	}
	if c := v.Baseline; c != nil && c.Peak != nil {
		list = append(list, baselineTile(c))
	}
	return list
}

// baselineTile shows the figure that the gate speaks of, or the change at the peak.
func baselineTile(c *verdict.Comparison) tile {
	name, ratio := "peak against the baseline", c.Peak.Ratio
	if f := c.Gate.ShownFigure(); f != nil && f.Ratio != nil {
		ratio = f.Ratio
		switch {
		case f.Quantity != verdict.Rate:
			name = string(f.Quantity) + " against the baseline"
		case f.Cells > 1:
			name = "mean of the cells against the baseline"
		}
	}
	t := tile{name, charts.Signed(ratio.Value - 1), "", fmt.Sprintf("%d %s", c.Base.Runs, runsWord(c.Base.Runs))}
	if text := interval(ratio); text != "–" {
		t.More = text + "; " + t.More
	}
	return t
}

// kneeEvidence says where the knee's rate is from: beside a peak that was run
// again it may stand higher.
func kneeEvidence(s *verdict.Sweep) string {
	if s.Peak.Confirmed && !s.Knee.Confirmed {
		return " there, in the sweep"
	}
	return " there"
}

func runsWord(n int) string {
	if n == 1 {
		return "run"
	}
	return "runs"
}

func peakTile(s *verdict.Sweep) tile {
	name := "peak"
	if p := s.Plateau; p != nil {
		return tile{"plateau", charts.Compact(&p.Rate), short(s.Headline), words.PlateauRange(s)}
	}
	if s.Peak.Confirmed {
		name = "peak, confirmed"
	}
	more := fmt.Sprintf("%d %s", s.Peak.Threads, threadsWord(s.Peak.Threads))
	if s.Peak.Queries > 0 {
		more += fmt.Sprintf(" × %d queries", s.Peak.Queries)
	}
	return tile{name, charts.Compact(s.Peak.Rate().Median), short(s.Headline), more}
}

// latencyTile shows p99 where the answer would have one run the server: at the knee, or at the peak
// without one.
func latencyTile(s *verdict.Sweep) tile {
	at, where := s.Peak, "at the peak"
	if s.Knee != nil {
		at, where = s.Knee, "at the knee"
	}
	l := at.Times()
	name, shown, more := "p99 "+where, split(charts.Span(l.P99)), "p50 "+charts.Span(l.P50)+", max "+charts.Span(l.Max)
	if l.P99 == nil {
		name, shown, more = "median latency "+where, split(charts.Span(l.P50)), "max "+charts.Span(l.Max)
	}
	return tile{name, shown.Value, shown.Unit, more}
}

// split parts a number from its unit.
func split(text string) tile {
	value, unit, _ := strings.Cut(text, " ")
	return tile{Value: value, Unit: unit}
}

// mostThreads is the cell with the most threads at the query count of the peak.
func mostThreads(s *verdict.Sweep) *verdict.Cell {
	most := &s.Peak.Cell
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Queries == s.Peak.Queries && c.Threads > most.Threads && c.Connects.Mean != nil {
			most = c
		}
	}
	return most
}

func threadsWord(n int) string {
	if n == 1 {
		return "thread"
	}
	return "threads"
}

// short is the unit of a headline where there is little room.
func short(h verdict.Headline) string {
	switch h {
	case verdict.Transactions:
		return "tx/s"
	case verdict.Connects:
		return "connects/s"
	}
	return "q/s"
}
