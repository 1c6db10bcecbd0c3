package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/verdict"
)

// Comparison says what a comparison decides. The first sentence is what one
// must know, its topic the decision.
func Comparison(c *verdict.Comparison) []Sentence { return gate(&c.Gate, c) }

// gate puts a decision into sentences; c is nil without a base.
func gate(g *verdict.Gate, c *verdict.Comparison) []Sentence {
	switch {
	case g.Decision == verdict.CannotCompare:
		return sentences(Sentence{Topic: "cannot compare", Body: obstacle(g, c) + "."})
	case g.Reason == verdict.FirstRun:
		return sentences(Sentence{Topic: "Undecided", Body: "there is no earlier run of this name to compare with."}, row(g))
	case g.Decision == "":
		lead := Sentence{Topic: "Compared with " + against(c.Base), Body: peak(c) + "."}
		if c.Peak != nil && c.Peak.Ratio != nil {
			lead.Strong = Change(c.Peak.Ratio.Value)
		}
		return sentences(lead, full(mean(c)), varied(c))
	}
	f := g.ShownFigure()
	lead := Sentence{Body: fmt.Sprintf("%s, against %s; %s.", figure(f), against(c.Base), bounds(g, c)), Strong: Change(1)}
	if f.Ratio != nil {
		lead.Strong = Change(f.Ratio.Value)
	}
	switch g.Decision {
	case verdict.Regression:
		lead.Topic = "Regression"
		return sentences(lead, otherRate(f, c), latencies(g), varied(c))
	case verdict.NoRegression:
		lead.Topic = "No regression"
		return sentences(lead, otherRate(f, c), latencies(g), varied(c))
	}
	lead.Topic = "Undecided"
	lead.Body = open(g, c) + ": " + lead.Body
	return sentences(lead, way(g), row(g), otherRate(f, c), latencies(g), varied(c))
}

// sentences are a first sentence and the others that say something.
func sentences(lead Sentence, others ...string) []Sentence {
	list := []Sentence{lead}
	for _, text := range others {
		if text != "" {
			list = append(list, Sentence{Body: text})
		}
	}
	return list
}

// full makes a sentence of a phrase.
func full(phrase string) string {
	if phrase == "" {
		return ""
	}
	return strings.ToUpper(phrase[:1]) + phrase[1:] + "."
}

// figure names a figure with its change: p50 320 µs -> 1.04 ms, +225 % (...).
func figure(f *verdict.GateFigure) string {
	switch {
	case f.Quantity == verdict.Rate && f.Cell != nil:
		return atCell(f.Cells == 0, f.Base, f.New, f.Headline, f.Ratio) + " at " + Place(*f.Cell)
	case f.Quantity == verdict.Rate:
		return fmt.Sprintf("mean over %d common cells %s", f.Cells, Ratio(f.Ratio))
	case f.Cell != nil && f.Base != nil:
		return fmt.Sprintf("%s %s -> %s, %s at %s", f.Quantity, Or(f.Base, Span), Or(f.New, Span), Ratio(f.Ratio), Place(*f.Cell))
	}
	return fmt.Sprintf("%s, mean over %d common cells, %s", f.Quantity, f.Cells, Ratio(f.Ratio))
}

// limit is how much a figure may change: −5 % of a rate, +5 % of a latency.
func limit(f *verdict.GateFigure, extra float64) string {
	sign := map[bool]string{true: "−", false: "+"}[f.Quantity == verdict.Rate]
	return sign + Significant(100*(f.Limit+extra)) + " %"
}

// bounds is the limit, and why it is wider than asked for.
func bounds(g *verdict.Gate, c *verdict.Comparison) string {
	f := g.ShownFigure()
	if g.Extra == 0 || g.Decision == verdict.Undecided {
		return "limit " + limit(f, 0)
	}
	runs := map[bool]string{true: "one base run does", false: "two base runs do"}[c.Base.Runs < 2]
	return fmt.Sprintf("limit %s: %s and 10 percentage points, as %s not show how much runs differ", limit(f, g.Extra), limit(f, 0), runs)
}

// obstacle is why there is nothing to decide.
func obstacle(g *verdict.Gate, c *verdict.Comparison) string {
	switch g.Reason {
	case verdict.NothingFound:
		return "no earlier run has the tag that --baseline names"
	case verdict.NothingCommon:
		return "no cell has a usable rate in both " + against(c.Base) + " and this run"
	}
	return "this run and " + against(c.Base) + " differ in what was not varied: " + differences(c)
}

// open is what keeps a decision open.
func open(g *verdict.Gate, c *verdict.Comparison) string {
	f := g.ShownFigure()
	switch g.Reason {
	case verdict.SingleTrials:
		return "with single trials, a change cannot be separated from noise"
	case verdict.FewRuns:
		return fmt.Sprintf("with fewer than three base runs only a change beyond %s counts", limit(f, g.Extra))
	case verdict.Notes:
		return "the figures are in doubt (" + strings.Join(c.Taints(), ", ") + ")"
	}
	if d := f.Detectable(); d != nil && !f.Ratio.Vague() {
		return "this run can only detect changes above " + Percent(*d)
	}
	return "too few trials to say"
}

// way is what would decide an open question.
func way(g *verdict.Gate) string {
	switch {
	case g.Reason == verdict.SingleTrials:
		return "Repeat each cell to decide it, e.g. --repeat 3."
	case g.Repeats != nil:
		return fmt.Sprintf("To decide it, repeat each cell %d times on both sides (--repeat %d).", *g.Repeats, *g.Repeats)
	case g.Nights != nil:
		return fmt.Sprintf("To decide it, compare with %d runs (--baseline %d).", *g.Nights, *g.Nights)
	case g.Reason == verdict.Noise && g.ShownFigure().Ratio.Error != nil:
		return "No number of base runs would decide it: whole runs differ by too much for this limit."
	}
	return ""
}

// row tells of a gate that stays undecided.
func row(g *verdict.Gate) string {
	if !g.Stuck() {
		return ""
	}
	return fmt.Sprintf("%d runs in a row are now undecided: this gate detects nothing.", g.Row)
}

// otherRate are the peak and the mean, where another figure comes first.
func otherRate(f *verdict.GateFigure, c *verdict.Comparison) string {
	switch {
	case f.Quantity != verdict.Rate:
		return strings.TrimSpace(full(peak(c)) + " " + full(mean(c)))
	case f.Cells == 0:
		return full(mean(c))
	case len(c.Cells) > 1:
		return full(peak(c))
	}
	return ""
}

// latencies are the judged latencies that do not come first.
func latencies(g *verdict.Gate) string {
	var list []string
	for i := range g.Figures {
		if f := &g.Figures[i]; i != g.Shown && f.Quantity != verdict.Rate {
			list = append(list, full(figure(f)))
		}
	}
	return strings.Join(list, " ")
}

func varied(c *verdict.Comparison) string {
	if text := Varied(c); text != "" {
		return "Varied: " + text + "."
	}
	return ""
}

// gateSubject is the decision for the subject of a mail.
func gateSubject(g *verdict.Gate) string {
	switch {
	case g.Decision == verdict.Regression:
		f := g.ShownFigure()
		what := string(f.Quantity)
		if f.Quantity == verdict.Rate && f.Cells != 1 {
			what = map[bool]string{true: "peak", false: "mean"}[f.Cells == 0]
		}
		return fmt.Sprintf(" WORSE (%s %s)", what, Change(f.Ratio.Value))
	case !g.Limits.Any():
		return ""
	case g.Stuck():
		return fmt.Sprintf(" UNDECIDED (%d runs in a row)", g.Row)
	case g.Decision == verdict.Undecided, g.Decision == verdict.CannotCompare:
		return " " + strings.ToUpper(string(g.Decision))
	}
	return ""
}
