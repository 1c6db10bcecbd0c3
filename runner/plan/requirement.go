package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Requirement is one condition of --require, e.g. p99<10ms.
type Requirement struct {
	Metric string  // as in Metrics
	Op     string  // >=, <=, > or <
	Value  float64 // in the metric's base unit
	Text   string  // as it was written
}

// metrics are the figures that a requirement may speak of, with what a bare
// number means.
var metrics = map[string]string{
	"qps": "queries per second", "tps": "transactions per second", "connects": "connects per second",
	"p50": "seconds", "p95": "seconds", "p99": "seconds", "p999": "seconds", "mean": "seconds", "max": "seconds",
	"connect_mean": "seconds", "connect_max": "seconds",
	"runnable/cpu": "runnable tasks per usable CPU", "load1": "tasks", "errors": "failed statements",
	"server_cpu": "share of the usable CPUs", "client_cpu": "share of the usable CPUs",
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
		return r, fmt.Errorf("%q is no requirement: write e.g. qps>=20000 or p99<10ms", text)
	}
	r.Metric = strings.TrimSpace(text[:i])
	r.Op = text[i : i+1]
	value, equal := strings.CutPrefix(text[i+1:], "=")
	if equal {
		r.Op += "="
	}
	unit, ok := metrics[r.Metric]
	if !ok {
		return r, fmt.Errorf("%q asks for %s, which is not measured: there are %s", text, r.Metric, Names(metrics))
	}
	var err error
	r.Value, err = parseAmount(strings.TrimSpace(value), unit == "seconds")
	if err != nil {
		return r, fmt.Errorf("%q: %w", text, err)
	}
	return r, nil
}

func parseAmount(text string, span bool) (float64, error) {
	if span {
		d, err := ParseDuration(text)
		return d.Seconds(), err
	}
	number, percent := strings.CutSuffix(text, "%")
	factor := 1.0
	if percent {
		factor = 0.01
	}
	if k, ok := strings.CutSuffix(number, "k"); ok {
		number, factor = k, factor*1000
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return f * factor, nil
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

// Requirements reads all of the plan's; Validate has seen that they parse.
func (p *Plan) Requirements() []Requirement {
	var list []Requirement
	for _, text := range p.Require {
		more, _ := ParseRequirements(text)
		list = append(list, more...)
	}
	return list
}
