package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Catalogue is what a plan may name: plain data that the command line passes
// in, so that this package depends on no workload.
type Catalogue struct {
	Workloads map[string]map[string]OptionCheck // workload -> option -> check
	Smack     map[string]OptionCheck            // options of .smack files
}

// OptionCheck says what is wrong with an option's text.
type OptionCheck func(text string) error

// of are the options of a workload, nil when the catalogue does not have it.
func (c Catalogue) of(w Workload) map[string]OptionCheck {
	if w.Smack != "" {
		return c.Smack
	}
	if w.Custom() {
		return nil
	}
	return c.Workloads[w.Name]
}

// options are the names of all options, sorted.
func (c Catalogue) options() []string {
	names := map[string]bool{}
	for _, options := range c.Workloads {
		for name := range options {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// SetOption sets an option of the plan's workloads that have it. It is an error
// when none has.
func (p *Plan) SetOption(c Catalogue, option, text string) error {
	taken := false
	for i := range p.Workloads {
		w := &p.Workloads[i]
		if _, has := c.of(*w)[option]; !has {
			continue
		}
		if w.Options == nil {
			w.Options = Options{}
		}
		w.Options[option], taken = text, true
	}
	if taken {
		return nil
	}
	var owners, labels []string
	for _, name := range slices.Sorted(maps.Keys(c.Workloads)) {
		if _, has := c.Workloads[name][option]; has {
			owners = append(owners, name)
		}
	}
	for _, w := range p.Workloads {
		labels = append(labels, w.Label())
	}
	return fmt.Errorf("--%s has no effect on workload %s: it is an option of %s", option, strings.Join(labels, ", "), Enumerate(owners))
}
