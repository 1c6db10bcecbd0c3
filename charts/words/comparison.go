package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// mostNamed is how many differences a sentence names.
const mostNamed = 3

// Ratio is a change with its interval: +53 % (95 % interval +41 % to +66 %).
func Ratio(r *verdict.Ratio) string {
	switch {
	case r == nil:
		return "not measured"
	case r.Vague():
		return Change(r.Value) + " (too few trials to say)"
	}
	return fmt.Sprintf("%s (95 %% interval %s to %s)", Change(r.Value), Change(*r.Low), Change(*r.High))
}

// peak is the change of the headline's rate where both sides are fastest.
func peak(c *verdict.Comparison) string {
	p := c.Peak
	if p == nil {
		return "no common cell was measured on both sides"
	}
	return atCell(len(c.Cells) > 1, p.Base.Geometric(), p.New.Geometric(), p.Headline, p.Ratio) + " at " + Place(p.Cell)
}

// atCell is the change of a rate: peak 1,079 -> 1,652 queries/s, +53 % (...).
func atCell(peak bool, base, fresh *float64, h verdict.Headline, r *verdict.Ratio) string {
	name := map[bool]string{true: "peak ", false: ""}[peak]
	return fmt.Sprintf("%s%s -> %s %s, %s", name, Or(base, Count), Or(fresh, Count), Unit(h), Ratio(r))
}

// mean is the mean change over the common cells, empty for a single cell.
func mean(c *verdict.Comparison) string {
	if len(c.Cells) < 2 || c.Overall == nil {
		return ""
	}
	return fmt.Sprintf("mean over %d common cells %s", len(c.Cells), Ratio(c.Overall))
}

// against names the base: run X, or the last 7 runs.
func against(p verdict.Party) string {
	if p.Runs > 1 {
		return fmt.Sprintf("the last %d runs", p.Runs)
	}
	return "run " + p.RunID
}

// Varied names what was meant to differ: innodb_io_capacity 200 -> 2000.
func Varied(c *verdict.Comparison) string {
	var list []string
	for _, d := range c.Varied() {
		list = append(list, Variation(d))
	}
	return firstOf(list)
}

// differences names what differs and was not varied by the plan.
func differences(c *verdict.Comparison) string {
	var list []string
	for _, d := range c.Unasked() {
		list = append(list, Difference(d))
	}
	return firstOf(list)
}

// firstOf is a list of which a sentence has room for the first ones.
func firstOf(list []string) string {
	if len(list) > mostNamed+1 {
		list = append(list[:mostNamed:mostNamed], fmt.Sprintf("%d more", len(list)-mostNamed))
	}
	return And(list)
}

func caseError(run *result.Run, name string) string {
	for i := range run.Cases {
		if run.Cases[i].Name == name {
			return run.Cases[i].Error
		}
	}
	return ""
}

// firstError is the line of an error that tells most: the last fault in a
// server's error log, when there is one, else the first line.
func firstError(text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		if _, fault, ok := strings.Cut(strings.TrimSpace(line), "[ERROR]"); ok && !strings.Contains(fault, "Aborting") {
			first = fault
		}
	}
	return strings.TrimRight(strings.TrimSpace(first), ".:")
}
