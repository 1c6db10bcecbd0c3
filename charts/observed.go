package charts

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// observed is what charts need of trials in full. It is gathered in one pass: a run may have more
// trials than fit the memory.
type observed struct {
	load         loadSamples
	server       map[string]*cpuShares // by case
	client       map[string]*cpuShares
	devices      []*devices
	peaks        map[plan.Cell]bool
	interactions map[plan.Cell][]result.TypeMeasure // of the good trials at the peaks
}

// Observe returns what is to be called with each trial in full, for somebody who reads them for
// something else as well. Charts read them themselves otherwise.
func (d *Data) Observe() func(*result.Trial) {
	seen := &observed{interactions: map[plan.Cell][]result.TypeMeasure{}, peaks: map[plan.Cell]bool{},
		server: map[string]*cpuShares{}, client: map[string]*cpuShares{}}
	for _, kind := range deviceKinds() {
		seen.devices = append(seen.devices, &devices{kind: kind, shares: map[string]*tally{}, use: map[string]*use{}})
	}
	for i := range d.Verdict.Sweeps {
		if peak := d.Verdict.Sweeps[i].Peak; peak != nil {
			seen.peaks[peak.Cell.Cell] = true
		}
	}
	d.seen = seen
	return func(t *result.Trial) { seen.add(&d.Archive.Run, t) }
}

func (d *Data) observed() *observed {
	if d.seen == nil {
		see := d.Observe()
		for t := range d.Archive.Full() {
			see(t)
		}
	}
	return d.seen
}

func (o *observed) add(run *result.Run, t *result.Trial) {
	server := t.Evidence.ServerMachine()
	o.load.add(run, t, server)
	if t.Status != result.Skipped {
		addShares(o.server, t, server)
		addShares(o.client, t, t.Evidence.Client)
	}
	if server != nil {
		for _, kind := range o.devices {
			kind.add(t.Threads, server)
		}
	}
	cell := plan.Cell{Case: t.Case, Workload: t.Workload, Threads: t.Threads, Queries: t.Queries}
	if t.Status == result.OK && o.peaks[cell] {
		o.interactions[cell] = append(o.interactions[cell], t.Measure.Interactions...)
	}
}
