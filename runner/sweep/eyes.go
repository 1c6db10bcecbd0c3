package sweep

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/remote"
	"github.com/mysweep/mysweep/hwinfo/series"
	"github.com/mysweep/mysweep/runner/result"
)

// eyes watch the machines and the server while trials run.
type eyes struct {
	clock  time.Time           // samples count from here
	own    *watcher            // of this machine
	others map[string]*watcher // of other machines, by the name for ssh
	far    *watcher            // of the open server's machine, nil when it is this one or cannot be seen
	open   *opened
	shared bool // client and the open server are one machine
}

// lookFar watches the machine of the open server over ssh as well. Those of
// servers that are set aside are still watched, for when they come back.
func (e *eyes) lookFar(ctx context.Context, host string, facts *hwinfo.Facts) error {
	if e.far = e.others[host]; e.far != nil {
		return nil
	}
	source, err := remote.Open(ctx, remote.Host{Name: host})
	if err != nil {
		return err
	}
	e.far = watch(source, facts)
	stop := e.far.stop
	e.far.stop = func() { stop(); source.Close() }
	e.others[host] = e.far
	return nil
}

// watcher samples one machine.
type watcher struct {
	sampler *series.Sampler
	facts   *hwinfo.Facts
	cpus    float64 // usable
	stop    func()
}

func openEyes(clock time.Time, run *result.Run) *eyes {
	e := &eyes{clock: clock, others: map[string]*watcher{}}
	source := series.NewLocal("/")
	e.own = watch(source, &run.Client)
	stop := e.own.stop
	e.own.stop = func() { stop(); source.Close() }
	return e
}

// watch samples a machine until its stop is called.
func watch(source series.Source, facts *hwinfo.Facts) *watcher {
	w := &watcher{sampler: series.New(source, series.Options{}), facts: facts, cpus: usableCPUs(facts)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.sampler.Run(ctx) // what it could not read is missing from the evidence
	}()
	w.stop = func() { cancel(); <-done }
	return w
}

// usableCPUs is what quota and affinity leave, else what Go sees.
func usableCPUs(f *hwinfo.Facts) float64 {
	if n, ok := f.Float("cpu.usable"); ok && n > 0 {
		return n
	}
	return float64(runtime.NumCPU())
}

// turn looks at the server of a case.
func (e *eyes) turn(o *opened) {
	e.open = o
	if o.private != nil {
		e.own.sampler.Watch(o.private.PID())
	}
}

// look away from the server, which is about to stop.
func (e *eyes) away() {
	e.open, e.far = nil, nil
	e.own.sampler.Watch(0)
}

func (e *eyes) close() {
	e.own.stop()
	for _, w := range e.others {
		w.stop()
	}
}

// look is what is seen during one trial.
type look struct {
	eyes     *eyes
	own, far series.Mark
	server   *serverLook
}

// begin reads all counters just before a trial.
func (e *eyes) begin(ctx context.Context) *look {
	l := &look{eyes: e, server: lookAtServer(ctx, e.open.target, e.clock)}
	if e.far != nil {
		l.far, _ = e.far.sampler.Mark(ctx)
	}
	l.own, _ = e.own.sampler.Mark(ctx)
	return l
}

// farWithin bounds the wait for counters of the server's machine. A wait that is
// cut off costs its connection.
const farWithin = 5 * time.Second

// end reads them again just after it. A machine that could not be read gives
// no evidence.
func (l *look) end(m *result.Measure) result.Evidence {
	e := l.eyes
	evidence := result.Evidence{SharedHost: e.shared}
	ctx, cancel := context.WithTimeout(context.Background(), farWithin)
	defer cancel()
	if w, ok := e.own.between(ctx, l.own); ok {
		evidence.Client, evidence.Server = e.share(w)
		if e.open.private != nil {
			evidence.ServerCPUSeconds = w.ProcessCPUSeconds
		}
	}
	if e.far != nil {
		if w, ok := e.far.between(ctx, l.far); ok {
			evidence.Server = e.far.machine(w, e.clock, nil)
		}
	}
	l.server.end(&evidence, m)
	return evidence
}

// share tells the client's CPUs from the server's where the case keeps them
// apart; else both sides are the one machine that client speaks of.
func (e *eyes) share(w series.Window) (client, server *result.Machine) {
	if len(e.open.cpus) == 0 {
		return e.own.machine(w, e.clock, nil), nil
	}
	rest := []int{} // no CPU that was seen is not all of them
	for _, c := range w.CPUs {
		if !slices.Contains(e.open.cpus, c.ID) {
			rest = append(rest, c.ID)
		}
	}
	server = e.own.machine(w, e.clock, e.open.cpus)
	if float64(len(e.open.cpus)) >= e.own.cpus {
		return server, nil // there was no room
	}
	return e.own.machine(w, e.clock, rest), server
}

func (w *watcher) between(ctx context.Context, from series.Mark) (series.Window, bool) {
	to, err := w.sampler.Mark(ctx)
	if err != nil {
		return series.Window{}, false
	}
	window := w.sampler.Between(from, to)
	w.sampler.Forget(from.At)
	return window, true
}

// machine puts a window into the form of the archive. cpus are those that count
// as usable, nil for all that quota and affinity leave.
func (w *watcher) machine(window series.Window, clock time.Time, cpus []int) *result.Machine {
	usable := w.cpus
	if cpus != nil {
		usable = float64(len(cpus))
	}
	m := &result.Machine{UsableCPUs: usable, RunnableMean: window.RunnableMean, Values: w.withLinks(window.Values)}
	m.LoadBefore, m.LoadAfter = loadOf(window.LoadBefore), loadOf(window.LoadAfter)
	busy := 0.0
	for _, c := range window.CPUs {
		if cpus != nil && !slices.Contains(cpus, c.ID) {
			continue
		}
		m.CPUs = append(m.CPUs, result.CPU{ID: c.ID, User: c.User, Nice: c.Nice, System: c.System, IOWait: c.IOWait,
			IRQ: c.IRQ, SoftIRQ: c.SoftIRQ, Steal: c.Steal, Guest: c.Guest, Idle: c.Idle})
		busy += c.Busy()
	}
	if len(m.CPUs) > 0 && usable > 0 {
		busy = min(1, busy/usable)
		m.BusyRatio = &busy
	}
	for _, s := range window.Samples {
		m.Samples = append(m.Samples, result.Sample{At: s.At.Sub(clock).Seconds(), Load: loadOf(s.Load),
			Runnable: s.Runnable, Blocked: s.Blocked, Values: w.withLinks(s.Values)})
	}
	return m
}

func loadOf(l *series.Load) *result.Load {
	if l == nil {
		return nil
	}
	return &result.Load{One: l.One, Five: l.Five, Fifteen: l.Fifteen}
}

// withLinks adds for each network card the larger of its two directions as a
// share of the link's speed, where that is known.
func (w *watcher) withLinks(values map[string]float64) map[string]float64 {
	for _, name := range w.facts.Names("nic") {
		speed, ok := w.facts.Float("nic." + name + ".speed_bits_per_second")
		rx, seen := values["nic."+name+".rx_bytes_per_second"]
		tx := values["nic."+name+".tx_bytes_per_second"]
		if ok && seen && speed > 0 && !strings.HasPrefix(name, "lo") {
			values["nic."+name+".link_ratio"] = max(rx, tx) * 8 / speed
		}
	}
	return values
}
