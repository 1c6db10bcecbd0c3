package result

import (
	"fmt"
	"net"
	"regexp"
	"slices"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
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
	names = append(names, r.caseHosts()...)
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
	r.Plan.Cases = slices.Clone(r.Plan.Cases)
	for i := range r.Plan.Cases {
		redactPlan(&r.Plan.Cases[i], clean)
	}
	for i := range r.Cases {
		r.Cases[i].redact(clean)
	}
	for i := range r.Notes {
		clean(&r.Notes[i].Text)
	}
	r.Redacted = true
}

// caseHosts are the machines on which cases have servers of their own.
func (r *Run) caseHosts() []rename {
	var names []rename
	for _, c := range r.Plan.Cases {
		if c.Server == nil {
			continue
		}
		host := c.Server.Host
		known := host == "" || host == "localhost" || host == r.ServerHost || host == r.ClientHost || net.ParseIP(host).IsLoopback()
		if !known && !slices.ContainsFunc(names, func(n rename) bool { return n.name == host }) {
			names = append(names, rename{host, fmt.Sprintf("server-%d", len(names)+2)})
		}
	}
	return names
}

func redactPlan(c *plan.Case, clean func(*string)) {
	c.Restart = slices.Clone(c.Restart)
	for i := range c.Restart {
		clean(&c.Restart[i])
	}
	if c.Server != nil {
		own := *c.Server
		clean(&own.Host)
		clean(&own.SSH)
		c.Server = &own
	}
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
	if c.Datadir != nil {
		c.Datadir = new(*c.Datadir)
		redactFacts(c.Datadir, clean)
	}
	clean(&c.Error)
	clean(&c.ServerHost)
	c.Notes = slices.Clone(c.Notes)
	for i := range c.Notes {
		clean(&c.Notes[i].Text)
	}
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

// rename replaces a name where it is a whole word.
type rename struct{ name, role string }

func (n rename) in(text string) string {
	if n.name == "" {
		return text
	}
	word := regexp.MustCompile(`(^|[^0-9A-Za-z])` + regexp.QuoteMeta(n.name) + `($|[^0-9A-Za-z])`)
	return word.ReplaceAllString(text, "${1}"+n.role+"${2}")
}
