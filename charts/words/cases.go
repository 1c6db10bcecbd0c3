package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// mostSaid is how many cases have a sentence of their own; of more, those that differ most have
// one, and the others are counted.
const mostSaid = 4

// cases says how the cases compare with the first: those that are faster, then those that are
// slower, the largest effect first.
func cases(run *result.Run, v *verdict.Verdict) []Sentence {
	list := make([]*verdict.CaseVerdict, len(v.Cases))
	for i := range v.Cases {
		list[i] = &v.Cases[i]
	}
	slices.SortStableFunc(list, func(a, b *verdict.CaseVerdict) int {
		return cmp.Or(cmp.Compare(rank(run, a), rank(run, b)), cmp.Compare(distance(b), distance(a)))
	})
	var said []Sentence
	for i, c := range list {
		if len(list) > mostSaid && (i == mostSaid || rank(run, c) > slower) {
			return append(said, others(run, v, list[i:])...)
		}
		said = append(said, Case(run, v.Sweeps, c))
	}
	return said
}

// What is known of a case against the first, in the order of sentences.
const (
	faster = iota
	slower
	level     // the interval contains 1, or there is none
	unranked  // differs in what the plan did not vary
	unmatched // has no cell in common
	absent    // did not run
)

func rank(run *result.Run, c *verdict.CaseVerdict) int {
	switch {
	case caseError(run, c.New.Name) != "":
		return absent
	case c.Peaks == nil:
		return unmatched
	case !c.Ranked():
		return unranked
	case c.Peaks.Above():
		return faster
	case c.Peaks.Below():
		return slower
	}
	return level
}

// distance is how far a case is from the first, whichever of both is faster.
func distance(c *verdict.CaseVerdict) float64 {
	if c.Peaks == nil {
		return 0
	}
	return math.Abs(math.Log(c.Peaks.Value))
}

// singular makes the verbs of others fit a single case.
var singular = strings.NewReplacer("are faster", "is faster", "are slower", "is slower", "are not ranked", "is not ranked", "because they differ", "because it differs", "have no", "has no")

// others counts cases, a sentence for each kind.
func others(run *result.Run, v *verdict.Verdict, list []*verdict.CaseVerdict) []Sentence {
	var said []Sentence
	for _, kind := range []struct {
		rank int
		text string
	}{
		{faster, "are faster than %s as well"}, {slower, "are slower than %s as well"}, {level, "cannot be distinguished from %s"},
		{unranked, "are not ranked against %s because they differ in what the plan did not vary"},
		{unmatched, "have no cell in common with %s"}, {absent, "did not run"},
	} {
		low, high, names, base := math.Inf(1), math.Inf(-1), []string{}, ""
		for _, c := range list {
			if rank(run, c) != kind.rank {
				continue
			}
			names, base = append(names, c.New.Name), c.Base.Name
			if c.Peaks != nil {
				low, high = min(low, c.Peaks.Value), max(high, c.Peaks.Value)
			}
		}
		if len(names) == 0 {
			continue
		}
		text := kind.text
		if kind.rank != absent {
			text = fmt.Sprintf(text, base)
		}
		thing := "other case"
		if len(names) == len(v.Cases) {
			thing = "case"
		}
		if len(names) == 1 {
			text = singular.Replace(text)
		}
		text = fmt.Sprintf("%s %s", Plural(len(names), thing), text)
		switch {
		case low < high:
			text += fmt.Sprintf(": %s to %s", Factor(low), Factor(high))
		case kind.rank == absent:
			text += ": " + firstOf(names)
		}
		said = append(said, Sentence{Body: text + "."})
	}
	return said
}

// Case says how a case compares with the first one.
func Case(run *result.Run, sweeps []verdict.Sweep, c *verdict.CaseVerdict) Sentence {
	name := c.New.Name
	for i := range sweeps {
		if sweeps[i].Workload != c.Workload {
			name += ", " + c.Workload
			break
		}
	}
	if failure := caseError(run, c.New.Name); failure != "" {
		return Sentence{Topic: name + " did not run", Body: firstError(failure) + "."}
	}
	if c.Peaks == nil {
		return Sentence{Body: name + " has no cell in common with " + c.Base.Name + "."}
	}
	strong := Factor(c.Peaks.Value)
	topic, text := fmt.Sprintf("%s compared with %s", name, c.Base.Name), peaks(c)
	if m := mean(&c.Comparison); m != "" {
		text += "; " + m
	}
	if !c.Ranked() {
		text += "; not ranked because they differ in what the plan did not vary: " + differences(&c.Comparison)
	}
	return Sentence{topic, text + ".", strong}
}

// peaks is the change of the peak, and where it is.
func peaks(c *verdict.CaseVerdict) string {
	what := ""
	if len(c.Cells) > 1 {
		what = "peak "
	}
	text := fmt.Sprintf("%s: %s%s -> %s %s", factor(c.Peaks), what, Or(c.BaseRate.Median, Count), Or(c.Rate.Median, Count), Unit(c.Peak.Headline))
	if c.BasePlace.Threads == c.Place.Threads && c.BasePlace.Queries == c.Place.Queries {
		return text + " at " + Place(c.Place)
	}
	return text + fmt.Sprintf(", at %s and %s", Place(c.BasePlace), Place(c.Place))
}

// factor is a ratio with its interval: 1.53× (95 % interval 1.44× to 1.62×).
func factor(r *verdict.Ratio) string {
	if r.Vague() {
		return Factor(r.Value) + " (too few trials to say)"
	}
	return fmt.Sprintf("%s (95 %% interval %s to %s)", Factor(r.Value), Factor(*r.Low), Factor(*r.High))
}
