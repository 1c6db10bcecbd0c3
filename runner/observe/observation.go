package observe

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mysweep/mysweep/hwinfo/series"
	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// Observation is one trial under observation, from Begin to End.
type Observation struct {
	observer *Observer
	subject  Subject
	remote   *machine // of the server, nil when it is this one or cannot be sampled
	begin    edge
	server   *serverSampler
	lag      *lagSampler
	stops    *stopWatch

	mu       sync.Mutex
	from, to *edge          // of the measured window, nil where the load generator reported none
	load     login.Identity // of the server that the load is on

	own login.Identity // of the server that the observer is on
}

// edge is every counter at one moment. A machine that could not be read has an
// empty mark, a server that did not answer has no counters and a fault.
type edge struct {
	own, remote series.Mark
	at          time.Time // of the server's counters
	counters    server.Counters
	statements  int64 // that the observer itself had sent before
	fault       error
}

// Begin reads every counter just before a trial and starts to sample the server
// and its replicas. The server's process is watched from here on.
func (o *Observer) Begin(ctx context.Context, s Subject) *Observation {
	o.own.sampler.Watch(s.PID)
	b := &Observation{observer: o, subject: s, remote: o.remote[s.SSH]}
	if s.SSH == "" {
		b.remote = nil
	}
	b.own = s.Target.ServerIdentity(ctx)
	b.begin.readServer(ctx, s.Target)
	b.server = sampleServer(ctx, s.Target, o.clock)
	b.lag = sampleLag(ctx, s.Replicas, o.clock)
	b.begin.readMachines(ctx, o.own, b.remote)
	b.stops = watchStops()
	return b
}

// WindowBegins reads every counter where measuring begins, when that is later
// than the trial itself: after --ramp-up. The load generator calls it from a
// goroutine that may wait for a network round trip, never from an event loop.
func (b *Observation) WindowBegins(ctx context.Context) {
	e := &edge{}
	e.readMachines(ctx, b.observer.own, b.remote)
	e.readServer(ctx, b.subject.Target)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from = e
}

// WindowEnds reads every counter where measuring ends, when that is earlier than
// the trial's end: before late answers and disconnects. It may be called from
// any goroutine that may wait.
func (b *Observation) WindowEnds(ctx context.Context) {
	e := &edge{}
	e.readMachines(ctx, b.observer.own, b.remote)
	e.readServer(ctx, b.subject.Target)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to = e
}

// LoadOn implements load.Edges.
func (b *Observation) LoadOn(id login.Identity) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load = id
}

// endWithin bounds the wait for a remote machine's counters, and serverWithin
// that for the server's. A remote wait that is cut off costs its connection.
const (
	endWithin    = 5 * time.Second
	serverWithin = time.Second
)

// End reads every counter just after the trial, stops sampling and returns the
// evidence. m says how many statements were the trial's own; all others are
// somebody else's.
func (b *Observation) End(m *result.Measure) result.Evidence {
	stopped := b.stops.stop().Seconds()
	lag := b.lag.stop()
	var end edge
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	end.readMachines(ctx, b.observer.own, b.remote)
	cancel()
	samples, sampleFault := b.server.stop()
	ctx, cancel = context.WithTimeout(context.Background(), serverWithin)
	end.readServer(ctx, b.subject.Target)
	cancel()

	b.mu.Lock()
	from, to := b.from, b.to
	b.mu.Unlock()
	if from == nil {
		from = &b.begin
	} else {
		samples = slices.DeleteFunc(samples, func(s serverSample) bool { return s.at.Before(from.at) })
	}
	if to == nil {
		to = &end
	} else {
		samples = slices.DeleteFunc(samples, func(s serverSample) bool { return s.at.After(to.at) })
	}
	e := result.Evidence{SharedHost: b.subject.Shared, Lag: lag, StoppedSeconds: &stopped}
	b.machines(&e, from, to)
	if from != &b.begin {
		e.WindowSeconds, e.StatusSeconds = covered(from.own.At, to.own.At), covered(from.at, to.at)
	}
	b.counters(&e, from, to, &end, sampleFault)
	account := countStatements(&b.begin, &end, m)
	e.ForeignQueries = account.foreign()
	e.ServerSamples, e.ThreadsRunningMean = archived(samples)
	b.clearOther(&e, account)
	return e
}

// machines puts what both machines did in the window into the evidence. One
// that could not be read at both edges gives none.
func (b *Observation) machines(e *result.Evidence, from, to *edge) {
	o := b.observer
	if w, ok := o.own.between(from.own, to.own); ok {
		e.Client, e.Server = o.own.split(w, o.clock, b.subject.CPUs)
		if b.subject.PID != 0 {
			e.ServerCPUSeconds = w.ProcessCPUSeconds
		}
	}
	o.own.sampler.Forget(b.begin.own.At)
	if b.remote == nil {
		return
	}
	if w, ok := b.remote.between(from.remote, to.remote); ok {
		e.Server = b.remote.archived(w, o.clock, nil)
	}
	b.remote.sampler.Forget(b.begin.remote.At)
}

// counters puts the change of the server's counters in the window into the
// evidence, with a note when any of them could not be read.
func (b *Observation) counters(e *result.Evidence, from, to, end *edge, sampleFault error) {
	for _, fault := range []error{end.fault, to.fault, b.begin.fault, from.fault, sampleFault} {
		if fault != nil {
			e.Notes = append(e.Notes, result.Note{Code: "counters-unknown", Text: "the server's counters could not be read: " + fault.Error()})
			break
		}
	}
	if from.counters == nil || to.counters == nil {
		return
	}
	if len(e.Notes) == 0 {
		e.Notes = untold(to.counters)
	}
	e.Status = map[string]float64{}
	for name, change := range to.counters.Delta(from.counters) {
		if change != 0 {
			e.Status[name] = change
		}
	}
}

// untold notes that the server does not have the counters that this package reads by name.
func untold(counters server.Counters) []result.Note {
	var names []string
	for _, name := range []string{"Questions", "Threads_running"} {
		if _, ok := counters[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []result.Note{{Code: "counters-unknown", Text: "counters missing from SHOW GLOBAL STATUS: " + strings.Join(names, ", ")}}
}

// covered is the time between two moments in seconds, nil where one of them is
// not known.
func covered(from, to time.Time) *float64 {
	if from.IsZero() || !to.After(from) {
		return nil
	}
	seconds := to.Sub(from).Seconds()
	return &seconds
}

func (e *edge) readServer(ctx context.Context, t *server.Target) {
	e.counters, e.fault = t.Counters(ctx)
	e.at, e.statements = time.Now(), t.Statements()
}

// readMachines reads the remote machine first when a trial begins and this
// one's counters last, so that they enclose the trial closely.
func (e *edge) readMachines(ctx context.Context, own, remote *machine) {
	if remote != nil {
		e.remote, _ = remote.sampler.Mark(ctx)
	}
	e.own, _ = own.sampler.Mark(ctx)
}
