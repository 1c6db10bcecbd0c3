package verdict

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// mostLoadIdle is the load average per CPU of a machine that counts as idle.
const mostLoadIdle = 0.5

// run writes down what holds for the run or for a case as a whole.
func (b *book) run(a *result.Archive, trials []*result.Trial) {
	r := &a.Run
	for _, n := range r.Notes {
		b.whole("all", finding{n.Code, 0, n.Text})
	}
	b.facts("client", &r.Client)
	if r.Server != nil && !r.SharedHost {
		b.facts("server", r.Server)
	}
	for i := range r.Cases {
		b.kase(&r.Cases[i], len(r.Plan.Cases) > 1)
	}
	b.complete(a, trials)
	b.certain(a, trials)
}

// facts takes over what the facts say of a machine's state and of its disk.
// What a fact could not be read for stays with the facts.
func (b *book) facts(role string, f *hwinfo.Facts) {
	for _, n := range f.Notes {
		if n.Code == "not-idle" {
			b.whole(role, finding{n.Code, 0, n.Text})
		}
	}
	load, known := f.Float("load.1m")
	cpus, _ := f.Float("cpu.usable")
	if known && cpus > 0 && load/cpus > mostLoadIdle {
		b.whole(role, finding{"not-idle", load / cpus, fmt.Sprintf("machine not idle at start: load average %s on %s CPUs", two(load), short(cpus))})
	}
	if fs := f.String("datadir.filesystem"); fs == "tmpfs" || fs == "ramfs" {
		b.whole("all", finding{"datadir-tmpfs", 0, fmt.Sprintf("the data directory lies on %s, in memory: no disk was tested", fs)})
	}
}

func (b *book) kase(c *result.Case, several bool) {
	name := "all"
	if several {
		name = c.Name
	}
	for _, n := range c.Notes {
		b.whole(name, finding{n.Code, 0, n.Text})
	}
	for _, r := range c.Replicas {
		switch {
		case r.Same != nil && !*r.Same:
			b.whole(name, finding{"replica-differs", 0, fmt.Sprintf("%s does not hold what its primary holds: %s", r.Name, strings.Join(r.Differences, "; "))})
		case r.Error != "":
			b.whole(name, finding{"replicas-unknown", 0, r.Error})
		}
	}
	for _, r := range c.Reloads {
		times := "once"
		if r.Times > 1 {
			times = fmt.Sprintf("%d times", r.Times)
		}
		b.whole(name, finding{"reloaded", 0, fmt.Sprintf("the tables of %s were loaded again %s before trials: earlier ones had changed their rows, as in %s (%s instead of %s)",
			r.Workload, times, r.Table, count(float64(r.Found)), count(float64(r.Rows)))})
	}
	if c.Status == result.Failed || c.Status == result.Skipped {
		b.whole(c.Name, finding{string(c.Status) + "-case", 0, fmt.Sprintf("case %s did not run: %s", c.Name, c.Error)})
	}
}

// complete says what is missing.
func (b *book) complete(a *result.Archive, trials []*result.Trial) {
	if a.Torn > 0 {
		b.whole("all", finding{"torn-journal", 0, fmt.Sprintf("%s of the journal could not be read", plural(a.Torn, "line"))})
	}
	switch {
	case a.Run.Status == result.Interrupted:
		b.whole("all", finding{"interrupted", 0, fmt.Sprintf("the run was cut off: %s of %d", plural(len(trials), "trial"), a.Run.Trials)})
	case a.Run.Status == "":
		b.whole("all", finding{"unfinished", 0, fmt.Sprintf("the run has not ended, or was killed: %s of %d so far", plural(len(trials), "trial"), a.Run.Trials)})
	}
}

// certain says what makes the figures less certain as a whole.
func (b *book) certain(a *result.Archive, trials []*result.Trial) {
	seen := false
	for _, t := range trials {
		seen = seen || serverMachine(t) != nil
	}
	if len(trials) > 0 && !seen {
		b.whole("all", finding{"server-unseen", 0, "the server's machine could not be seen: its load, CPUs, network and disks are not known (--server-ssh shows them)"})
	}
	if a.Run.Plan.Repeat == 1 && a.Run.Plan.Confirm < 2 && len(trials) > 0 {
		b.whole("all", finding{"no-repeats", 0, "each cell ran once: how far its figure would differ the next time is not known"})
	}
	for i := range b.sweeps {
		s := &b.sweeps[i]
		if s.Peak != nil && !s.Peak.Confirmed && a.Run.Plan.Confirm > 0 {
			name := sweepName(b.sweeps, s)
			if name == "" {
				name = "all"
			}
			b.whole(name, finding{"unconfirmed", 0, "the best cell was not run again: the best of many cells is partly luck"})
		}
	}
}
