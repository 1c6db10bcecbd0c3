package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Validate returns every mistake of the plan, as sentences without a full
// stop; none means that it can be run as far as that is known without
// looking at a machine. Flags that are given on the command line must have an
// effect even where their value is the default.
func (p *Plan) Validate(c Catalogue, given ...string) []string {
	v := &validator{plan: p, catalogue: c}
	if p.expanded() > MaxCases {
		v.say("vary and grid make more than %d cases: shorten their lists", MaxCases)
		return v.mistakes // the rest would repeat that in other words
	}
	for _, f := range Flags() {
		v.add(f.mistakes(p, slices.Contains(given, f.Name))...)
	}
	v.sweep()
	v.workloads()
	v.cases()
	v.servers()
	return v.mistakes
}

type validator struct {
	plan      *Plan
	catalogue Catalogue
	mistakes  []string
}

func (v *validator) say(format string, args ...any) {
	v.mistakes = append(v.mistakes, fmt.Sprintf(format, args...))
}

// add notes mistakes, of which some may be empty.
func (v *validator) add(mistakes ...string) {
	for _, m := range mistakes {
		if m != "" {
			v.mistakes = append(v.mistakes, m)
		}
	}
}

// choice complains unless text is one of the choices.
func (v *validator) choice(what, text string, choices ...string) {
	if !slices.Contains(choices, text) {
		v.say("%s: invalid value %q: expected %s", what, text, Enumerate(choices))
	}
}

func (v *validator) sweep() {
	p := v.plan
	if len(p.Threads) == 0 {
		v.say("--threads is empty: expected at least one thread count")
	}
	var ends []string
	for _, end := range []struct {
		flag string
		set  bool
	}{{"--queries", len(p.Queries) > 0}, {"--time", p.Time > 0}, {"--events", p.Events > 0}} {
		if end.set {
			ends = append(ends, end.flag)
		}
	}
	switch {
	case len(ends) == 0:
		v.say("trials have no end: set --queries, --time or --events")
	case len(ends) > 1:
		v.say("%s are mutually exclusive: each of them ends a trial", strings.Join(ends, " and "))
	}
	if n := p.Trials(); n > 1e6 {
		v.say("the plan has %d trials, at most 1000000 are allowed: shorten --threads, --queries or --repeat", n)
	}
	for _, key := range slices.Sorted(maps.Keys(p.Tags)) {
		v.add(printable("--tag", key+"="+p.Tags[key]))
	}
}

func (v *validator) workloads() {
	if len(v.plan.Workloads) == 0 {
		v.say("the plan has no workload")
	}
	seen := map[string]bool{}
	for _, w := range v.plan.Workloads {
		if seen[w.Label()] {
			v.say("duplicate workload %s", w.Label())
		}
		seen[w.Label()] = true
		if wrong := printable("workload", w.Label()); wrong != "" {
			v.say("%s", wrong)
		} else if w.Custom() {
			v.custom(w)
		} else if w.Name != "" {
			v.workload(w)
		} else if w.Smack == "" && w.SQL == "" && w.Lua == "" {
			v.say("a workload has neither a name nor a file")
		}
	}
}

// custom checks a workload whose statements are in the plan.
func (v *validator) custom(w Workload) {
	if _, taken := v.catalogue.Workloads[w.Name]; taken || w.Name == "" {
		v.say("workload %q has its own transactions: it needs a name of its own", w.Name)
	}
	for i, t := range w.Transactions {
		v.add(printable("transaction", t.Name))
		if len(t.SQL) == 0 {
			v.say("workload %s: transaction %d has no statement (sql)", w.Name, i+1)
		}
		if t.Weight < 0 {
			v.say("workload %s: transaction %d: invalid weight %g: must be at least 0", w.Name, i+1, t.Weight)
		}
	}
}

func (v *validator) workload(w Workload) {
	options, ok := v.catalogue.Workloads[w.Name]
	if !ok {
		v.say("unknown workload %q%s", w.Name, DidYouMean(w.Name, slices.Sorted(maps.Keys(v.catalogue.Workloads))))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		check, ok := options[name]
		if !ok {
			v.say("workload %s has no option --%s%s", w.Name, name, DidYouMean(name, slices.Sorted(maps.Keys(options))))
			continue
		}
		if err := check(w.Options[name]); err != nil {
			v.say("workload %s: %v", w.Name, err)
		}
	}
}
