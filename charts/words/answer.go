package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Answer is a verdict in sentences, one or two for each question. A sentence
// is empty when there is nothing to say.
type Answer struct {
	Peak        Sentence   // what was reached, and where
	Requirement Sentence   // whether that is enough
	Knee        Sentence   // from where on more threads do not help
	Latency     Sentence   // at the knee and at the peak
	Limit       Sentence   // what limited the peak
	LimitShort  string     // the same for a line that is labelled "limit"
	Baseline    Sentence   // against earlier runs: the decision, or the change
	More        []Sentence // further sentences on the baseline
	Cases       []Sentence
	// Subject is for the subject of a mail: "24,310 queries/s PASS".
	Subject string
}

// Sentence is a statement with its topic ("Knee"), which a list or a table
// may show as a label of its own. Strong is the part of the statement to be
// emphasized, or empty.
type Sentence struct {
	Topic  string // empty when the statement needs none
	Body   string // begins in lower case after a topic, ends with a full stop
	Strong string
}

// Text is the whole sentence: "Knee: 8 threads; more add less than 5 %."
func (s Sentence) Text() string {
	if s.Topic == "" || s.Body == "" {
		return s.Body
	}
	return s.Topic + ": " + s.Body
}

// All lists the sentences that say something, in the order of a report.
func (a *Answer) All() []Sentence {
	var list []Sentence
	for _, s := range append([]Sentence{a.Peak, a.Requirement, a.Knee, a.Latency, a.Limit, a.Baseline}, append(slices.Clip(a.More), a.Cases...)...) {
		if s.Body != "" {
			list = append(list, s)
		}
	}
	return list
}

// Of puts a verdict on a run into sentences.
func Of(run *result.Run, v *verdict.Verdict) Answer {
	a := Answer{Subject: subject(run, v)}
	if s := v.Main(); s == nil {
		a.Peak = nothing(v)
	} else {
		a.Peak, a.Knee, a.Latency = Peak(s, verdict.SweepName(v.Sweeps, s)), Knee(s), Latency(s)
		a.Limit, a.LimitShort = Sentence{Body: Limit(s)}, LimitInShort(s)
	}
	if v.Requirement != nil {
		a.Requirement = Sentence{Topic: "Required", Body: Requirement(v.Requirement)}
	}
	if v.Gate != nil {
		list := gate(v.Gate, v.Baseline)
		a.Baseline, a.More = list[0], list[1:]
	}
	a.Cases = cases(run, v)
	return a
}

// subject is the outcome in a few words.
func subject(run *result.Run, v *verdict.Verdict) string {
	text := "nothing measured"
	if v.Trials.OK > 0 {
		text = "no cell can be ranked"
	}
	if s := v.Main(); s != nil {
		text = Headline(s)
	}
	if r := v.Requirement; r != nil {
		text += " " + strings.ToUpper(string(r.Outcome))
	}
	if v.Gate != nil {
		text += gateSubject(v.Gate)
	}
	if run.Status == result.Interrupted {
		text += " (interrupted)"
	}
	return text
}

// nothing says why there is no peak.
func nothing(v *verdict.Verdict) Sentence {
	if v.Trials.All() == 0 {
		return Sentence{Body: "No result: no trial has ended."}
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{
		{v.Trials.Failed, "failed"}, {v.Trials.Invalid, "invalid"}, {v.Trials.Skipped, "skipped"}, {v.Trials.Interrupted, "interrupted"},
	} {
		if p.n > 0 {
			parts = append(parts, Count(float64(p.n))+" "+p.word)
		}
	}
	text := fmt.Sprintf("No result from %s: %s", Plural(v.Trials.All(), "trial"), And(parts))
	if v.Trials.OK > 0 {
		text = fmt.Sprintf("No cell has more good trials than bad ones: %s ok, %s", Count(float64(v.Trials.OK)), And(parts))
	}
	for _, n := range v.Notes {
		if strings.HasSuffix(n.Code, "-trials") && len(n.Figures) > 0 {
			return Sentence{Body: text + "; first error: " + noteFigure(n.Figures[0]) + "."}
		}
	}
	return Sentence{Body: text + "."}
}
