package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl reports whether a terminal or an editor would obey a character
// instead of showing it: control characters, line separators, and what turns
// the direction of writing, by which one text can look like another.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// names refuses names that would split a line of a report or steer a terminal.
func (v *validator) names() {
	p := v.plan
	v.shown("--name", p.Name)
	for _, key := range slices.Sorted(maps.Keys(p.Tags)) {
		v.shown("--tag", key+"="+p.Tags[key])
	}
	for _, c := range p.Cases {
		v.shown("case", c.Name)
	}
	for _, w := range p.Workloads {
		v.shown("workload", w.Label())
	}
}

func (v *validator) shown(what, text string) {
	if strings.ContainsFunc(text, IsControl) {
		v.say("%s %s has a control character: names stand in one line of the report", what, strconv.QuoteToASCII(text))
	} else if !utf8.ValidString(text) {
		v.say("%s %s is no UTF-8", what, strconv.QuoteToASCII(text))
	}
}
