package words

import (
	"fmt"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Unit is what a headline counts in a second.
func Unit(h verdict.Headline) string { return string(h) + "/s" }

// Headline is the rate that a sweep is known by, with its unit: that of its
// plateau, or of its best cell where there is none.
func Headline(s *verdict.Sweep) string {
	if p := s.Plateau; p != nil {
		return "about " + rough(p, p.Rate) + " " + Unit(s.Headline)
	}
	return pointRate(s.Peak)
}

// rough is a rate of a plateau with as many digits as its range allows.
func rough(p *verdict.Plateau, rate float64) string {
	if p.High > 1.05*p.Low {
		return Count(rounded(rate, 2))
	}
	return Count(rounded(rate, 3))
}

// PlateauRange is where a plateau is: from 20 threads on.
func PlateauRange(s *verdict.Sweep) string {
	p := s.Plateau
	switch {
	case p.Open && p.From == s.Cells[0].Threads:
		return fmt.Sprintf("at all thread counts tested (%d to %d)", p.From, p.To)
	case p.Open:
		return "from " + Plural(p.From, "thread") + " on"
	}
	return fmt.Sprintf("from %d to %s", p.From, Plural(p.To, "thread"))
}

// plateau says what was reached where no cell is the best.
func plateau(s *verdict.Sweep, topic, strong string) Sentence {
	p := s.Plateau
	text := fmt.Sprintf("%s (%s to %s) %s: %s that cannot be told apart", strong, rough(p, p.Low), rough(p, p.High), PlateauRange(s), Plural(len(p.Cells), "cell"))
	if s.Peak.Confirmed {
		text += fmt.Sprintf("; %s at %s measured %s", Plural(s.Peak.Trials(), "further trial"), Place(s.Peak.Cell.Cell), Or(s.Peak.Rate().Median, Count))
	}
	return Sentence{topic, text + ".", strong}
}

// pointRate is the rate of one cell with its unit.
func pointRate(p *verdict.Point) string {
	if rate := p.Rate().Median; rate != nil {
		return Count(*rate) + " " + Unit(p.Headline)
	}
	return Or(p.QueriesPerSecond.Median, Count) + " " + Unit(verdict.Queries)
}

// Peak says what was reached, and where. name tells the sweep from others of
// the run, and is empty when there is one alone.
func Peak(s *verdict.Sweep, name string) Sentence {
	p, strong := s.Peak, Headline(s)
	topic, text := "Peak throughput", strong
	if name != "" {
		topic += " (" + name + ")"
	}
	if s.Plateau != nil {
		return plateau(s, topic, strong)
	}
	if w := p.Rate().HalfWidth(); w != nil && p.Rate().N() > 2 {
		text += fmt.Sprintf(" (± %s)", Percent(*w))
	}
	if p.Headline == verdict.Transactions {
		text += " (" + Or(p.QueriesPerSecond.Median, Count) + " queries/s)"
	}
	text += " at " + Place(p.Cell.Cell)
	switch {
	case p.Confirmed:
		text += fmt.Sprintf(", confirmed by %s", Plural(p.Trials(), "further trial"))
	case p.Trials() == 1:
		text += ", from a single trial"
	case p.Rate().N() == 2:
		text += fmt.Sprintf(", mean of two trials that differ by %s", Percent((*p.Rate().Max-*p.Rate().Min) / *p.Rate().Median))
	default:
		text += fmt.Sprintf(", median of %s", Plural(p.Trials(), "trial"))
	}
	text += "."
	if h := s.Higher; h != nil {
		text += fmt.Sprintf(" The sweep had measured %s at %s; that cell was not run again.", pointRate(h), Place(h.Cell.Cell))
	}
	return Sentence{topic, text, strong}
}

// Knee says from where on more threads do not help.
func Knee(s *verdict.Sweep) Sentence {
	switch {
	case s.Rising:
		last := s.Curve[len(s.Curve)-1]
		strong := Plural(last, "thread")
		text := "none found; throughput still increases at " + strong
		if threads := s.ThreadCounts(); threads[len(threads)-1] > last {
			return Sentence{"Knee", text + ", the highest thread count with a usable result.", strong}
		}
		return Sentence{"Knee", text + ", the highest thread count tested.", strong}
	case s.Level && !slices.ContainsFunc(s.Cells, func(c verdict.Cell) bool { return c.Rate().N() > 1 }):
		return Sentence{Topic: "Knee", Body: "unknown; with single trials per cell, the effect of the thread count cannot be separated from noise."}
	case s.Level:
		return Sentence{Topic: "Knee", Body: "none; throughput at the thread counts tested differs by no more than noise."}
	case s.Knee == nil:
		return Sentence{}
	}
	strong := Plural(s.Knee.Threads, "thread")
	if s.Knee.Threads == s.Curve[0] {
		return Sentence{"Knee", strong + ", the lowest thread count tested, already within " + Percent(s.KneeMargin) + " of the peak.", strong}
	}
	if s.KneeMargin > verdict.KneeGain {
		return Sentence{"Knee", fmt.Sprintf("%s; more add less than %s, which is within the noise of this run.", strong, Percent(s.KneeMargin)), strong}
	}
	return Sentence{"Knee", strong + "; more add less than 5 %.", strong}
}

// Latency says how long statements, or transactions, took at the knee and at the peak.
func Latency(s *verdict.Sweep) Sentence {
	what := "p99"
	if s.Headline == verdict.Transactions {
		what = "p99 of transactions"
	}
	at := func(p *verdict.Point, where string) string {
		if p == nil || p.Times().P99 == nil {
			return ""
		}
		return Span(*p.Times().P99) + " at " + Plural(p.Threads, "thread") + where
	}
	peak, knee := at(s.Peak, " (peak)"), at(s.Knee, " (knee)")
	switch {
	case peak == "" && knee == "":
		return Sentence{}
	case knee == "":
		return Sentence{Topic: what, Body: peak + "."}
	case peak == "" || s.Knee.Threads == s.Peak.Threads:
		return Sentence{Topic: what, Body: knee + "."}
	}
	return Sentence{Topic: what, Body: knee + ", " + peak + "."}
}

// Place names a cell: 60 threads × 100 queries.
func Place(c plan.Cell) string {
	text := Plural(c.Threads, "thread")
	if c.Queries > 0 {
		text += " × " + Plural(c.Queries, "query")
	}
	return text
}
