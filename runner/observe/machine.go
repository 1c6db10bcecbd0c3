package observe

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/series"
	"github.com/mysweep/mysweep/runner/result"
)

// machine is one machine that is sampled.
type machine struct {
	sampler *series.Sampler
	facts   *hwinfo.Facts
	cpus    float64 // usable
	stop    func()
}

// sample samples a machine until its stop is called.
func sample(source series.Source, facts *hwinfo.Facts) *machine {
	m := &machine{sampler: series.New(source, series.Options{}), facts: facts, cpus: usableCPUs(facts)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.sampler.Run(ctx) // what it could not read is missing from the evidence
	}()
	m.stop = func() { cancel(); <-done }
	return m
}

// usableCPUs is what quota and affinity leave, else what Go sees.
func usableCPUs(f *hwinfo.Facts) float64 {
	if n, ok := f.Float("cpu.usable"); ok && n > 0 {
		return n
	}
	return float64(runtime.NumCPU())
}

// between is what the machine did between two marks, not ok when one of them
// could not be read.
func (m *machine) between(from, to series.Mark) (w series.Window, ok bool) {
	if from.At.IsZero() || to.At.IsZero() {
		return w, false
	}
	return m.sampler.Between(from, to), true
}

// split tells the client's CPUs from the server's own ones; without any, both
// sides are the one machine that client speaks of.
func (m *machine) split(w series.Window, clock time.Time, serverCPUs []int) (client, server *result.Machine) {
	if len(serverCPUs) == 0 {
		return m.archived(w, clock, nil), nil
	}
	rest := []int{} // not nil, which would mean all CPUs
	for _, c := range w.CPUs {
		if !slices.Contains(serverCPUs, c.ID) {
			rest = append(rest, c.ID)
		}
	}
	server = m.archived(w, clock, serverCPUs)
	if float64(len(serverCPUs)) >= m.cpus {
		return server, nil // the load generator had to run on the same CPUs
	}
	return m.archived(w, clock, rest), server
}

// archived puts a window into the form of the archive. cpus are those that
// count as usable, nil for all that quota and affinity leave.
func (m *machine) archived(window series.Window, clock time.Time, cpus []int) *result.Machine {
	usable := m.cpus
	if cpus != nil {
		usable = float64(len(cpus))
	}
	r := &result.Machine{UsableCPUs: usable, RunnableMean: window.RunnableMean, Values: m.withLinks(window.Values),
		LoadBefore: window.LoadBefore, LoadAfter: window.LoadAfter}
	busy := 0.0
	for _, c := range window.CPUs {
		if cpus != nil && !slices.Contains(cpus, c.ID) {
			continue
		}
		r.CPUs = append(r.CPUs, c)
		busy += c.Busy()
	}
	if len(r.CPUs) > 0 && usable > 0 {
		busy = min(1, busy/usable)
		r.BusyRatio = &busy
	}
	for _, s := range window.Samples {
		r.Samples = append(r.Samples, result.Sample{At: s.At.Sub(clock).Seconds(), Load: s.Load,
			Runnable: s.Runnable, Blocked: s.Blocked, Values: m.withLinks(s.Values)})
	}
	return r
}

// withLinks adds for each network card the larger of its two directions as a
// share of the link's speed, where that is known.
func (m *machine) withLinks(values map[string]float64) map[string]float64 {
	for _, name := range m.facts.Names("nic") {
		speed, ok := m.facts.Float("nic." + name + ".speed_bits_per_second")
		rx, seen := values["nic."+name+".rx_bytes_per_second"]
		tx := values["nic."+name+".tx_bytes_per_second"]
		if ok && seen && speed > 0 && !strings.HasPrefix(name, "lo") {
			values["nic."+name+".link_ratio"] = max(rx, tx) * 8 / speed
		}
	}
	return values
}
