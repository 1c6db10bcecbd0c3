package result

import (
	"regexp"
	"slices"

	"mysweep/hwinfo"
)

// Redact replaces the names of both hosts, wherever a run has them, by the
// roles they play, for an archive that leaves the house.
func (r *Run) Redact() {
	var names []rename
	if r.ServerHost == r.ClientHost {
		names = []rename{{r.ServerHost, "host"}}
	} else {
		names = []rename{{r.ServerHost, "server"}, {r.ClientHost, "client"}}
	}
	if name := r.Client.String("host.name"); name != "" {
		names = append(names, rename{name, "client"})
	}
	clean := func(text *string) {
		for _, n := range names {
			*text = n.in(*text)
		}
	}
	for _, text := range []*string{&r.ServerHost, &r.ClientHost, &r.Command, &r.Plan.Server.Host, &r.Plan.Server.SSH} {
		clean(text)
	}
	redactFacts(&r.Client, clean)
	if r.Server != nil {
		redactFacts(r.Server, clean)
	}
	for i := range r.Cases {
		r.Cases[i].redact(clean)
	}
	for i := range r.Notes {
		clean(&r.Notes[i].Text)
	}
	r.Redacted = true
}

func (c *Case) redact(clean func(*string)) {
	variables := make(map[string]string, len(c.Variables)) // the old map is the live run's
	for name, value := range c.Variables {
		clean(&value)
		variables[name] = value
	}
	c.Variables = variables
	c.Changed, c.Options = slices.Clone(c.Changed), slices.Clone(c.Options)
	for i := range c.Changed {
		clean(&c.Changed[i].Value)
	}
	for i := range c.Options {
		clean(&c.Options[i])
	}
	clean(&c.Error)
}

func redactFacts(f *hwinfo.Facts, clean func(*string)) {
	f.List = slices.Clone(f.List)
	for i := range f.List {
		if text, ok := f.List[i].Value.(string); ok {
			clean(&text)
			f.List[i].Value = text
		}
	}
}

// rename replaces a name where it stands as a word.
type rename struct{ name, role string }

func (n rename) in(text string) string {
	if n.name == "" {
		return text
	}
	word := regexp.MustCompile(`(^|[^0-9A-Za-z])` + regexp.QuoteMeta(n.name) + `($|[^0-9A-Za-z])`)
	return word.ReplaceAllString(text, "${1}"+n.role+"${2}")
}
