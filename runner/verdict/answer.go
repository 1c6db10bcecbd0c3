package verdict

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Answer is the verdict in plain words, a sentence or two for each question.
// A sentence is empty when there is nothing to say.
type Answer struct {
	Rate        Sentence // what it answers, and where
	Requirement Sentence // whether that is enough
	Knee        Sentence // where more threads stop helping
	Latency     Sentence // p99 at the peak and at the knee
	Limit       Sentence // what limits it
	Baseline    Sentence // against earlier runs
	Cases       []Sentence
	// Subject is for the subject of a mail: "24,310 queries/s PASS".
	Subject string
}

// Sentence is a text; Strong is the part of it to be stressed, or empty.
type Sentence struct {
	Text   string
	Strong string
}

func (v *Verdict) answer(run *result.Run) Answer {
	a := Answer{}
	s := v.Main()
	if s == nil {
		a.Rate = v.nothing()
		a.Subject = "nothing measured"
	} else {
		a.Rate, a.Knee, a.Latency = s.rateSentence(sweepName(v.Sweeps, s)), s.kneeSentence(), s.latencySentence()
		a.Limit = Sentence{Text: s.Limit.Text}
		a.Subject = s.Peak.headline()
	}
	if r := v.Requirement; r != nil {
		a.Requirement = Sentence{Text: r.Sentence()}
		a.Subject += " " + strings.ToUpper(string(r.Outcome))
	}
	if v.Baseline != nil {
		a.Baseline = v.Baseline.baselineSentence()
	}
	for i := range v.Cases {
		a.Cases = append(a.Cases, v.Cases[i].sentence(run, v.Sweeps))
	}
	if v.Worse() {
		a.Subject += " WORSE"
	}
	if run.Status == result.Interrupted {
		a.Subject += " (interrupted)"
	}
	return a
}

// nothing says why there is no peak.
func (v *Verdict) nothing() Sentence {
	if v.Trials.All() == 0 {
		return Sentence{Text: "Nothing was measured: no trial has ended."}
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{
		{v.Trials.Failed, "failed"}, {v.Trials.Invalid, "invalid"}, {v.Trials.Skipped, "not run"}, {v.Trials.Interrupted, "cut off"},
	} {
		if p.n > 0 {
			parts = append(parts, count(float64(p.n))+" "+p.word)
		}
	}
	text := fmt.Sprintf("Nothing could be measured in %s: %s.", plural(v.Trials.All(), "trial"), and(parts))
	for _, n := range v.Notes {
		if _, why, ok := strings.Cut(n.Text, ": "); ok && strings.HasSuffix(n.Code, "-trials") {
			return Sentence{Text: text[:len(text)-1] + ", e.g. because of: " + why + "."}
		}
	}
	return Sentence{Text: text}
}

// headline is the peak's rate with its unit.
func (p *Point) headline() string {
	rate := p.Rate()
	if rate.Median == nil {
		return count(*p.QueriesPerSecond.Median) + " queries/s"
	}
	return count(*rate.Median) + " " + string(p.Headline) + "/s"
}

func (s *Sweep) rateSentence(name string) Sentence {
	p := s.Peak
	strong := p.headline()
	text := "It answers " + strong
	if p.Headline == Connects {
		text = "It takes " + strong
	}
	if name != "" {
		text = name + ": " + strings.ToLower(text[:1]) + text[1:]
	}
	if w := p.Rate().HalfWidth(); w != nil && p.Rate().N() > 2 {
		text += fmt.Sprintf(" (± %s)", percent(*w))
	}
	if p.Headline == Transactions {
		text += ", which are " + count(*p.QueriesPerSecond.Median) + " queries/s,"
	}
	text += " at " + place(p.Cell.Cell)
	switch {
	case p.Confirmed:
		text += fmt.Sprintf(", confirmed by %s", plural(p.Trials(), "more trial"))
	case p.Trials() == 1:
		text += ", in a single trial"
	case p.Rate().N() == 2:
		text += fmt.Sprintf(", the middle of two trials that differ by %s", percent((*p.Rate().Max-*p.Rate().Min) / *p.Rate().Median))
	default:
		text += fmt.Sprintf(", the median of %s", plural(p.Trials(), "trial"))
	}
	text += "."
	if h := s.Higher; h != nil {
		text += fmt.Sprintf(" The sweep before had shown %s at %s, which was not run again.", h.headline(), place(h.Cell.Cell))
	}
	return Sentence{text, strong}
}

func (s *Sweep) kneeSentence() Sentence {
	threads := s.ThreadCounts()
	switch {
	case s.Rising:
		strong := plural(threads[len(threads)-1], "thread")
		return Sentence{"It still rises at " + strong + ", the most that were tried: where more threads stop helping is not known.", strong}
	case s.Knee == nil:
		return Sentence{}
	case s.Knee.Threads == threads[0]:
		strong := plural(threads[0], "thread")
		return Sentence{"Already with " + strong + ", the fewest that were tried, it comes within " + percent(s.KneeMargin) + " of the highest rate.", strong}
	}
	strong := plural(s.Knee.Threads, "thread")
	if s.KneeMargin > KneeGain {
		return Sentence{fmt.Sprintf("More than %s bring less than %s more, which the repeats of this run cannot tell from chance.", strong, percent(s.KneeMargin)), strong}
	}
	return Sentence{"More than " + strong + " bring less than 5 % more.", strong}
}

func (s *Sweep) latencySentence() Sentence {
	at := func(p *Point) string {
		if p == nil || p.Times().P99 == nil {
			return ""
		}
		return span(*p.Times().P99) + " at " + plural(p.Threads, "thread")
	}
	peak, knee := at(s.Peak), at(s.Knee)
	what := "p99"
	if s.Headline == Transactions {
		what = "p99 of a transaction"
	}
	switch {
	case peak == "" && knee == "":
		return Sentence{}
	case knee == "" || knee == peak:
		return Sentence{Text: what + " is " + peak + "."}
	case peak == "":
		return Sentence{Text: what + " is " + knee + "."}
	}
	return Sentence{Text: what + " is " + knee + " and " + peak + "."}
}

// place names a cell in words: 60 threads × 100 queries.
func place(c plan.Cell) string {
	text := plural(c.Threads, "thread")
	if c.Queries > 0 {
		text += fmt.Sprintf(" × %s quer%s", count(float64(c.Queries)), map[bool]string{true: "y", false: "ies"}[c.Queries == 1])
	}
	return text
}

// baselineSentence says how a run stands against earlier ones.
func (c *Comparison) baselineSentence() Sentence {
	who := "run " + c.Base.RunID
	if c.Base.Runs > 1 {
		who = fmt.Sprintf("the last %d runs", c.Base.Runs)
	}
	if c.Overall == nil {
		return Sentence{Text: "Against " + who + ": they have no cell in common."}
	}
	strong := change(c.Overall.Value)
	text := "Against " + who + ": " + strong
	if !c.Ranked() {
		return Sentence{text + ", which says nothing, because they differ in what nobody asked to vary: " + c.differs() + ".", strong}
	}
	return Sentence{text + c.judgement() + ". Nothing about the machines, the server, mysweep or the way of measuring has changed unasked.", strong}
}

// judgement says what a ratio is worth, as the rest of a sentence.
func (c *Comparison) judgement() string {
	o := c.Overall
	switch {
	case o.High == nil:
		return ", from a single trial each: whether that is chance cannot be told"
	case c.Method == OverRuns && !o.Below() && !o.Above():
		return fmt.Sprintf(", within their spread (± %s)", percent(*c.Spread))
	case c.Method == OverRuns:
		return fmt.Sprintf(", outside their spread (± %s)", percent(*c.Spread))
	case o.Below(), o.Above():
		return fmt.Sprintf(" (95 %% interval %s to %s, %s)", change(*o.Low), change(*o.High), c.Method)
	}
	return fmt.Sprintf(", not significant (95 %% interval %s to %s, %s)", change(*o.Low), change(*o.High), c.Method)
}

// differs names the differences that nobody asked for, the first three.
func (c *Comparison) differs() string {
	var list []string
	unasked := c.Unasked()
	for i, d := range unasked {
		if i == 3 && len(unasked) > 4 {
			list = append(list, fmt.Sprintf("%d more", len(unasked)-3))
			break
		}
		list = append(list, d.Sentence())
	}
	return and(list)
}

func (c *CaseVerdict) sentence(run *result.Run, list []Sweep) Sentence {
	name := c.New.Name
	for i := range list {
		if list[i].Workload != c.Workload {
			name += ", " + c.Workload
			break
		}
	}
	kase := caseOf(run, c.New.Name)
	switch {
	case kase != nil && kase.Error != "":
		return Sentence{Text: name + " did not run: " + inShort(kase.Error) + "."}
	case c.Overall == nil:
		return Sentence{name + " has no cell in common with " + c.Base.Name + ".", ""}
	}
	strong := change(c.Overall.Value)
	if !c.Ranked() {
		return Sentence{fmt.Sprintf("%s against %s: %s, not ranked, because they differ in what nobody asked to vary: %s.",
			name, c.Base.Name, strong, c.differs()), strong}
	}
	return Sentence{fmt.Sprintf("%s against %s: %s%s.", name, c.Base.Name, strong, c.judgement()), strong}
}

// inShort is the line of an error that tells most: the last fault in a server's error log, when there is one, else the first.
func inShort(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		if _, fault, ok := strings.Cut(strings.TrimSpace(line), "[ERROR]"); ok && !strings.Contains(fault, "Aborting") {
			first = fault
		}
	}
	return strings.TrimRight(strings.TrimSpace(first), ".:")
}
