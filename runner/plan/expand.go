package plan

import (
	"maps"
	"strings"
)

// Expand adds the cases that vary and grid derive from a case: one variable
// changed at a time, and every combination. A derived case has the value among
// its options, as if the server were started with it; whether it can be set while
// the server runs is known only then. Expand is idempotent. It does nothing when
// there would be more than MaxCases; Validate reports that.
func (p *Plan) Expand() {
	if p.expanded() > MaxCases {
		return
	}
	var cases []Case
	for _, c := range p.Cases {
		base := c
		if c.Around != "" {
			if i := p.find(c.Around); i >= 0 {
				base = around(p.Cases[i], c)
			}
		}
		vary, grid := c.Vary, c.Grid
		if c.Around == "" {
			c.Vary, c.Grid = nil, nil
			cases = append(cases, c)
		} else if len(vary)+len(grid) == 0 || p.find(c.Around) < 0 {
			cases = append(cases, c) // Validate reports it
			continue
		}
		base.Vary, base.Grid = nil, nil
		for _, variable := range vary {
			for _, value := range variable.Values {
				cases = append(cases, base.with(Setting{variable.Name, value}))
			}
		}
		for _, settings := range combinations(grid) {
			cases = append(cases, base.with(settings...))
		}
	}
	p.Cases = cases
}

// MaxCases is the largest number of cases of a plan.
const MaxCases = 10000

// expanded is the number of cases after Expand, MaxCases+1 for any larger number.
func (p *Plan) expanded() int {
	n := 0
	for _, c := range p.Cases {
		n += 1 + c.Vary.size() + c.Grid.combinations()
		if n > MaxCases {
			return MaxCases + 1
		}
	}
	return n
}

// size is the number of values of all variables.
func (v Vary) size() int {
	n := 0
	for _, variable := range v {
		n += len(variable.Values)
	}
	return n
}

// combinations is the number of combinations of one value of each variable,
// MaxCases+1 for any larger number.
func (v Vary) combinations() int {
	if len(v) == 0 {
		return 0
	}
	n := 1
	for _, variable := range v {
		if n *= len(variable.Values); n > MaxCases {
			return MaxCases + 1
		}
	}
	return n
}

// find is the index of a case that runs, -1 when there is none of that name.
func (p *Plan) find(name string) int {
	for i, c := range p.Cases {
		if c.Name == name && c.Around == "" {
			return i
		}
	}
	return -1
}

// around is base with the options of c, a case whose Around names it.
func around(base, c Case) Case {
	options := Options{}
	maps.Copy(options, base.Options)
	maps.Copy(options, c.Options)
	base.Options, base.IfKnown = options, c.IfKnown
	return base
}

// with is the case that is derived from c by the settings.
func (c Case) with(settings ...Setting) Case {
	derived := c
	derived.Of, derived.Varied, derived.Around = c.Name, settings, ""
	derived.Options, derived.SetGlobal = Options{}, Options{}
	maps.Copy(derived.Options, c.Options)
	maps.Copy(derived.SetGlobal, c.SetGlobal)
	names := []string{c.Name}
	for _, s := range settings {
		derived.Options[s.Name] = s.Value
		delete(derived.SetGlobal, s.Name)
		names = append(names, s.String())
	}
	derived.Name = strings.Join(names, ", ")
	return derived
}

// combinations lists all combinations of one value of each variable; the last
// variable changes fastest.
func combinations(grid Vary) [][]Setting {
	if len(grid) == 0 {
		return nil
	}
	all := [][]Setting{nil}
	for _, variable := range grid {
		var longer [][]Setting
		for _, shorter := range all {
			for _, value := range variable.Values {
				settings := append(shorter[:len(shorter):len(shorter)], Setting{variable.Name, value})
				longer = append(longer, settings)
			}
		}
		all = longer
	}
	return all
}
