package plan

import (
	"maps"
	"strings"
)

// Expand replaces each case that has vary or grid by itself and the cases that
// these make of it: with one variable changed at a time, and with every
// combination. A made case has the value among its options, as if the server
// were started with it; what can be set while a server runs is known only when
// one does. Doing it again changes nothing. Nothing is expanded when it would be
// more than MaxCases; Validate says so.
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
			cases = append(cases, c) // Validate says what is wrong with it
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

// MaxCases is how many cases a plan may have.
const MaxCases = 10000

// expanded is how many cases Expand makes, MaxCases+1 when they are more than that.
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

// size is how many values there are in all.
func (v Vary) size() int {
	n := 0
	for _, variable := range v {
		n += len(variable.Values)
	}
	return n
}

// combinations is how many ways there are to take one value of each variable, MaxCases+1 when they are more than that.
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

// find is the place of a case that runs itself, -1 when there is none.
func (p *Plan) find(name string) int {
	for i, c := range p.Cases {
		if c.Name == name && c.Around == "" {
			return i
		}
	}
	return -1
}

// around is base with the options that the case around it has of its own.
func around(base, c Case) Case {
	options := Options{}
	maps.Copy(options, base.Options)
	maps.Copy(options, c.Options)
	base.Options, base.IfKnown = options, c.IfKnown
	return base
}

// with is the case that differs from c in the settings.
func (c Case) with(settings ...Setting) Case {
	made := c
	made.Of, made.Varied, made.Around = c.Name, settings, ""
	made.Options, made.SetGlobal = Options{}, Options{}
	maps.Copy(made.Options, c.Options)
	maps.Copy(made.SetGlobal, c.SetGlobal)
	names := []string{c.Name}
	for _, s := range settings {
		made.Options[s.Name] = s.Value
		delete(made.SetGlobal, s.Name)
		names = append(names, s.String())
	}
	made.Name = strings.Join(names, ", ")
	return made
}

// combinations takes one value of each variable, the last variable changing
// fastest.
func combinations(grid Vary) [][]Setting {
	if len(grid) == 0 {
		return nil
	}
	all := [][]Setting{nil}
	for _, variable := range grid {
		var longer [][]Setting
		for _, begun := range all {
			for _, value := range variable.Values {
				settings := append(begun[:len(begun):len(begun)], Setting{variable.Name, value})
				longer = append(longer, settings)
			}
		}
		all = longer
	}
	return all
}
