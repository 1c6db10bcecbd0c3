package verdict

import (
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// mostLoadIdle is the load average per CPU of a machine that counts as idle.
const mostLoadIdle = 0.5

// run adds what holds for the run or for a case as a whole.
func (b *noteList) run(a *result.Archive, trials []*result.Trial) {
	r := &a.Run
	for _, n := range r.Notes {
		b.whole("all", finding{code: n.Code, text: n.Text})
	}
	b.facts("client", &r.Client)
	if r.Server != nil && !r.SharedHost {
		b.facts("server", r.Server)
	}
	for i := range r.Cases {
		b.serverCase(&r.Cases[i], len(r.Plan.Cases) > 1)
	}
	b.complete(a, trials)
	b.certain(a, trials)
}

// facts adds notes on a machine that was not idle and on a data directory in memory. Facts that
// could not be read have their notes in facts.csv alone.
func (b *noteList) facts(role string, f *hwinfo.Facts) {
	for _, n := range f.Notes {
		if n.Code == "not-idle" {
			b.whole(role, finding{code: n.Code, text: n.Text})
		}
	}
	load, known := f.Float("load.1m")
	cpus, _ := f.Float("cpu.usable")
	if known && cpus > 0 && load/cpus > mostLoadIdle {
		b.whole(role, finding{"not-idle", load / cpus, []any{Number(load), Number(cpus)}, ""})
	}
	if !b.ownStorage {
		b.storage("all", f)
	}
}

// storage says that data are in memory.
func (b *noteList) storage(where string, f *hwinfo.Facts) {
	if fs := f.String("datadir.filesystem"); fs == "tmpfs" || fs == "ramfs" {
		b.whole(where, finding{code: "datadir-tmpfs", figures: []any{Name(fs)}})
	}
}

func (b *noteList) serverCase(c *result.Case, several bool) {
	name := "all"
	if several {
		name = c.Name
	}
	if c.Datadir != nil {
		b.storage(name, c.Datadir)
	}
	for _, n := range c.Notes {
		b.whole(name, finding{code: n.Code, text: n.Text})
	}
	for _, r := range c.Replicas {
		switch {
		case r.Same != nil && !*r.Same:
			b.whole(name, finding{code: "replica-differs", figures: []any{Name(r.Name), Name(strings.Join(r.Differences, "; "))}})
		case r.Error != "":
			b.whole(name, finding{code: "replicas-unknown", text: r.Error})
		}
	}
	for _, r := range c.Reloads {
		b.whole(name, finding{code: "reloaded", figures: []any{Name(r.Workload), Counted{r.Times, "time"}, Name(r.Table), Count(r.Found), Count(r.Rows)}})
	}
	if c.Status == result.Failed || c.Status == result.Skipped {
		b.whole(c.Name, finding{code: string(c.Status) + "-case", figures: []any{Name(c.Name), Name(c.Error)}})
	}
}

// complete says what is missing.
func (b *noteList) complete(a *result.Archive, trials []*result.Trial) {
	if a.Torn > 0 {
		b.whole("all", finding{code: "torn-journal", figures: []any{Counted{a.Torn, "line"}}})
	}
	switch {
	case a.Run.Status == result.Interrupted:
		b.whole("all", finding{code: "interrupted", figures: []any{Counted{len(trials), "trial"}, Count(a.Run.Trials)}})
	case a.Run.Status == "":
		b.whole("all", finding{code: "unfinished", figures: []any{Counted{len(trials), "trial"}, Count(a.Run.Trials)}})
	}
}

// certain says what makes the figures less certain as a whole.
func (b *noteList) certain(a *result.Archive, trials []*result.Trial) {
	seen := false
	for _, t := range trials {
		seen = seen || serverMachine(t) != nil
	}
	if len(trials) > 0 && !seen {
		b.whole("all", finding{code: "server-unseen"})
	}
	if a.Run.Plan.Repeat == 1 && a.Run.Plan.Confirm < 2 && len(trials) > 0 {
		b.whole("all", finding{code: "no-repeats"})
	}
	for i := range b.sweeps {
		s := &b.sweeps[i]
		if s.Peak != nil && !s.Peak.Confirmed && a.Run.Plan.Confirm > 0 {
			name := SweepName(b.sweeps, s)
			if name == "" {
				name = "all"
			}
			b.whole(name, finding{code: "unconfirmed"})
		}
	}
}
