package plan

import (
	"fmt"
	"strings"
)

// Requirement is one condition of --require, e.g. p99<10ms.
type Requirement struct {
	Metric string  // as in Metrics
	Op     string  // >=, <=, > or <
	Value  float64 // in the metric's base unit
	Text   string  // as it was written
}

// A unit is what the value of a requirement is measured in.
type unit int

const (
	number   unit = iota // a count or a rate: a bare number, or thousands as 20k
	duration             // seconds; the text has a unit of time
	percent              // a fraction; the text has a percent sign
)

// metrics are the figures that a requirement can name.
var metrics = map[string]unit{
	"qps": number, "tps": number, "connects": number, // per second
	"p50": duration, "p95": duration, "p99": duration, "p999": duration, "mean": duration, "max": duration,
	"connect_mean": duration, "connect_max": duration,
	"runnable/cpu": number, "load1": number, // tasks
	"errors":     number,                         // failed statements
	"server_cpu": percent, "client_cpu": percent, // of the usable CPUs
}

// ParseRequirements reads conditions separated by commas.
func ParseRequirements(text string) ([]Requirement, error) {
	var list []Requirement
	for _, part := range strings.Split(text, ",") {
		r, err := parseRequirement(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func parseRequirement(text string) (Requirement, error) {
	r := Requirement{Text: text}
	i := strings.IndexAny(text, "<>")
	if i < 1 {
		return r, fmt.Errorf("invalid requirement %q: expected e.g. qps>=20000 or p99<10ms", text)
	}
	r.Metric = strings.TrimSpace(text[:i])
	r.Op = text[i : i+1]
	value, equal := strings.CutPrefix(text[i+1:], "=")
	if equal {
		r.Op += "="
	}
	unit, ok := metrics[r.Metric]
	if !ok {
		return r, fmt.Errorf("invalid requirement %q: unknown metric %q, expected one of %s", text, r.Metric, Names(metrics))
	}
	var err error
	if r.Value, err = parseAmount(strings.TrimSpace(value), unit); err != nil {
		return r, fmt.Errorf("invalid requirement %q: %w", text, err)
	}
	return r, nil
}

func parseAmount(text string, unit unit) (float64, error) {
	switch unit {
	case duration:
		d, err := ParseDuration(text)
		return d.Seconds(), err
	case percent:
		return ParsePercent(text)
	}
	digits, thousands := strings.CutSuffix(text, "k")
	f, err := parseNumber(digits)
	if err != nil {
		return 0, fmt.Errorf("invalid number %q: expected e.g. 250 or 20k", text)
	}
	if thousands {
		f *= 1000
	}
	return f, nil
}

// Met reports whether a figure meets the requirement.
func (r Requirement) Met(figure float64) bool {
	switch r.Op {
	case ">=":
		return figure >= r.Value
	case "<=":
		return figure <= r.Value
	case ">":
		return figure > r.Value
	}
	return figure < r.Value
}

// Requirements reads all of the plan's; Validate has seen that they parse. The
// plan of an old archive may hold what is refused today: a bare number is then
// in base units and a percent sign divides by 100, as when the run was made.
func (p *Plan) Requirements() []Requirement {
	var list []Requirement
	for _, text := range p.Require {
		for _, part := range strings.Split(text, ",") {
			r, err := parseRequirement(strings.TrimSpace(part))
			if err != nil {
				r.Value, err = parseArchived(r.Text)
			}
			if err == nil {
				list = append(list, r)
			}
		}
	}
	return list
}

// parseArchived reads the value of a requirement that an earlier version took.
func parseArchived(text string) (float64, error) {
	value := strings.TrimLeft(text[strings.IndexAny(text, "<>")+1:], "= ")
	scale := 1.0
	if digits, ok := strings.CutSuffix(value, "%"); ok {
		value, scale = digits, 0.01
	}
	f, err := parseAmount(value, number)
	return f * scale, err
}
