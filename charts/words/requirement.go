package words

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/verdict"
)

// Requirement says what was required, and what the judged cell has of it; of a
// FAIL only what it lacks.
func Requirement(r *verdict.Requirement) string {
	var required, found []string
	for i := range r.Conditions {
		c := &r.Conditions[i]
		required = append(required, condition(c))
		if c.Outcome != verdict.Pass || r.Outcome == verdict.Pass {
			found = append(found, measured(c))
		}
	}
	text := And(required) + ". "
	if r.Point == nil {
		return text + "Not measured."
	}
	return text + "Measured at " + Place(r.Point.Cell.Cell) + ": " + And(found) + "."
}

// measured is what the judged cell has, and for a miss the nearest of all cells.
func measured(c *verdict.Condition) string {
	if c.Figure == nil {
		return "no " + metric(c.Metric)
	}
	text := named(c.Metric, amount(c.Metric, *c.Figure))
	if c.Outcome == verdict.Fail && c.Nearest != nil && *c.Nearest != *c.Figure {
		text += fmt.Sprintf(" (nearest: %s at %s)", amount(c.Metric, *c.Nearest), Place(c.NearestCell))
	}
	return text
}

// condition is a condition in words: at least 20,000 queries/s.
func condition(c *verdict.Condition) string {
	word := map[string]string{">=": "at least", "<=": "at most", ">": "more than", "<": "under"}[c.Op]
	return named(c.Metric, word+" "+amount(c.Metric, c.Value))
}

// named puts the name of a metric before its value, where the unit does not say it.
func named(of, value string) string {
	switch of {
	case "qps", "tps", "connects", "errors":
		return value
	}
	return metric(of) + " " + value
}

func metric(name string) string {
	words := map[string]string{
		"qps": "query rate", "tps": "transaction rate", "connects": "connect rate", "p999": "p99.9", "mean": "mean latency",
		"max": "maximum latency", "connect_mean": "mean connect time", "connect_max": "maximum connect time",
		"runnable/cpu": "runnable tasks per CPU", "load1": "1-minute load average", "errors": "failed statements",
		"server_cpu": "server CPU", "client_cpu": "client CPU",
	}
	if w, ok := words[name]; ok {
		return w
	}
	return name
}

// amount is a figure of a metric with its unit.
func amount(metric string, v float64) string {
	switch metric {
	case "qps":
		return Count(v) + " queries/s"
	case "tps":
		return Count(v) + " transactions/s"
	case "connects":
		return Count(v) + " connects/s"
	case "errors":
		return Plural(int(v), "failed statement")
	case "server_cpu", "client_cpu":
		return Percent(v)
	case "runnable/cpu", "load1":
		return Significant(v)
	}
	return Span(v)
}
