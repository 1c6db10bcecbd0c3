package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Baseline says how a run compares with earlier ones.
func Baseline(c *verdict.Comparison) Sentence {
	who := "run " + c.Base.RunID
	if c.Base.Runs > 1 {
		who = fmt.Sprintf("the last %d runs", c.Base.Runs)
	}
	topic := "Compared with " + who
	if c.Overall == nil {
		return Sentence{Topic: topic, Body: "no cell in common."}
	}
	strong := Change(c.Overall.Value)
	text := strong
	if !c.Ranked() {
		return Sentence{topic, text + ", not ranked because they differ in what the plan did not vary: " + differences(c) + ".", strong}
	}
	return Sentence{topic, text + judgement(c) + ".", strong}
}

// judgement says what a ratio is worth, as the rest of a sentence.
func judgement(c *verdict.Comparison) string {
	o := c.Overall
	switch {
	case o.High == nil:
		return " from a single trial each: significance unknown"
	case c.Method == verdict.OverRuns && !o.Below() && !o.Above():
		return fmt.Sprintf(", within their spread (± %s)", Percent(*c.Spread))
	case c.Method == verdict.OverRuns:
		return fmt.Sprintf(", outside their spread (± %s)", Percent(*c.Spread))
	case o.Below(), o.Above():
		return fmt.Sprintf(" (95 %% interval %s to %s, %s)", Change(*o.Low), Change(*o.High), c.Method)
	}
	return fmt.Sprintf(", not significant (95 %% interval %s to %s, %s)", Change(*o.Low), Change(*o.High), c.Method)
}

// differences names what differs and was not varied by the plan, the first three.
func differences(c *verdict.Comparison) string {
	var list []string
	unasked := c.Unasked()
	for i, d := range unasked {
		if i == 3 && len(unasked) > 4 {
			list = append(list, fmt.Sprintf("%d more", len(unasked)-3))
			break
		}
		list = append(list, d.Sentence())
	}
	return And(list)
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
	if c.Overall == nil {
		return Sentence{Body: name + " has no cell in common with " + c.Base.Name + "."}
	}
	strong := Change(c.Overall.Value)
	topic, text := fmt.Sprintf("%s compared with %s", name, c.Base.Name), strong
	if !c.Ranked() {
		return Sentence{topic, text + ", not ranked because they differ in what the plan did not vary: " + differences(&c.Comparison) + ".", strong}
	}
	return Sentence{topic, text + judgement(&c.Comparison) + ".", strong}
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
