package verdict

import (
	"math"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

const (
	shortest  = 0.1  // seconds of a trial below which any figure is noise
	mostLag   = 0.05 // of the median latency
	leastFull = 0.5  // of the elapsed time with all threads busy
	// Share of ephemeral ports in TIME_WAIT. Linux tries every second port first, then the others.
	maxPortShare = 0.5
	leastOfRate  = 0.99 // of the rounds that were due
	mostOfTime   = 0.01 // of a trial that ends by time, by one statement

	mostStarved       = 0.25 // of the loops' time, runnable without a CPU
	mostStarvedShared = 0.5  // the same beside a server that uses the same CPUs
)

// load looks at the load generator and at what it counted.
func (l *trialNotes) load() {
	m := &l.trial.Measure
	if b := generatorBusy(l.trial); b != nil && *b > fullGenerator {
		l.say("client-saturated", *b, Share(*b))
	}
	l.lag()
	l.length()
	if m.Errors > 0 {
		l.say("errors", float64(m.Errors), Count(m.Errors),
			Count(m.Errors+m.Queries), Errors(m.ErrorsBy))
	}
	if m.LeftRunning > 0 {
		l.say("left-running", float64(m.LeftRunning),
			Counted{int(m.LeftRunning), "statement"}, Name(m.LeftRunningWhy))
	}
	if m.SessionSets > 0 && m.Reconnects > 0 {
		l.say("session-set", float64(m.SessionSets),
			Counted{int(m.SessionSets), "session"})
	}
	if len(m.SentAsText) > 0 {
		l.say("sent-as-text", float64(len(m.SentAsText)),
			Name(strings.Join(m.SentAsText, ", ")))
	}
	if m.Deadlocks > 0 {
		l.say("deadlocks", float64(m.Deadlocks),
			Count(m.Deadlocks), Counted{int(m.Transactions + m.Deadlocks), "round"})
	}
	l.rate()
	l.starved()
	l.deadline()
	l.ports()
}

func (l *trialNotes) lag() {
	m := &l.trial.Measure
	lag := m.Client.Lag.P50
	if lag == nil {
		lag = m.Client.Lag.Mean
	}
	if lag == nil || m.Latency.P50 == nil || *m.Latency.P50 <= 0 {
		return
	}
	if share := *lag / *m.Latency.P50; share > mostLag {
		l.say("loop-lag", share,
			Seconds(*lag), Share(share), Seconds(*m.Latency.P50))
	}
}

func (l *trialNotes) length() {
	p, m := &l.run.Plan, &l.trial.Measure
	least := shortest
	if p.MinTime > 0 && p.Time == 0 && p.Events == 0 && p.Rate == 0 {
		least = p.MinTime.Seconds()
	}
	if m.Elapsed < 0.99*least {
		l.say("too-short", -m.Elapsed, Seconds(m.Elapsed), Seconds(least))
	}
	if full := m.FullConcurrency.Elapsed; l.trial.Threads > 1 && m.FullConcurrency.Queries > 0 && full < leastFull*m.Elapsed {
		l.say("uneven-threads", -full/m.Elapsed, Share(full/m.Elapsed))
	}
}

func (l *trialNotes) rate() {
	m := &l.trial.Measure
	if m.Dropped > 0 {
		l.say("dropped", float64(m.Dropped), Counted{int(m.Dropped), "round"})
	}
	got, requested := m.TransactionsPerSecond(), l.trial.Rate
	if requested == nil || got == nil {
		return
	}
	due := float64(m.Transactions + m.Dropped)
	if l.run.Plan.Time > 0 {
		if answered := float64(m.Transactions) / due; answered < leastOfRate {
			l.say("rate-missed", 1-answered,
				Count(m.Transactions), Count(due), Count(*got), Count(*requested))
		}
		return
	}
	// All rounds are sent, however late. The time in which n random arrivals are
	// due varies by 1/√n.
	if *got < *requested*(leastOfRate-3/math.Sqrt(due)) {
		l.say("rate-missed", 1 - *got / *requested, Count(*got), Count(*requested))
	}
}

// starved looks for loops of the load generator that were runnable and had no
// CPU. A server on the same machine takes CPUs from them as a matter of course;
// that is starvation only where other processes do it as well, or where the
// loops waited more than half of the time.
func (l *trialNotes) starved() {
	t, m := l.trial, &l.trial.Measure
	if m.Client.LoopRunDelay == nil || m.Client.Loops <= 0 || m.Elapsed < shortest {
		return
	}
	covered := m.Elapsed
	if m.Client.Seconds > 0 {
		covered = m.Client.Seconds
	}
	share := *m.Client.LoopRunDelay / (covered * float64(m.Client.Loops))
	stolen := 0.0
	if t.Evidence.Client != nil {
		if v := steal(t.Evidence.Client); v != nil {
			stolen = *v
		}
	}
	limit := mostStarved
	if o := others(t); sharedCPUs(t) && (o == nil || *o <= mostOthers*clientUsable(t)) {
		limit = mostStarvedShared
	}
	if share+stolen > limit {
		figures := []any{Share(share)}
		if stolen > mostSteal {
			figures = append(figures, Share(stolen))
		}
		l.say("client-starved", share+stolen, figures...)
	}
}

// deadline notes statements that are long beside a trial that ends by time:
// what is under way at the deadline is in no rate.
func (l *trialNotes) deadline() {
	m := &l.trial.Measure
	if l.run.Plan.Time == 0 || l.trial.Rate != nil || m.Latency.Mean == nil {
		return
	}
	if share := *m.Latency.Mean / m.Elapsed; share > mostOfTime {
		l.say("long-statements", share,
			Seconds(*m.Latency.Mean), Share(share))
	}
}

// ports compares sockets in TIME_WAIT with the ephemeral ports of the client.
func (l *trialNotes) ports() {
	t := l.trial
	if t.Measure.Transport == "socket" || t.Evidence.Client == nil {
		return
	}
	var low, high float64
	fields := strings.Fields(l.run.Client.String("sysctl.net.ipv4.ip_local_port_range"))
	if len(fields) != 2 {
		return
	}
	low, _ = strconv.ParseFloat(fields[0], 64)
	high, _ = strconv.ParseFloat(fields[1], 64)
	waiting := largest(t.Evidence.Client, timeWait)
	if ports := high - low + 1; waiting != nil && low > 0 && ports > 0 && *waiting > maxPortShare*ports {
		l.say("port-exhaustion-near", *waiting/ports,
			Count(*waiting), Share(*waiting/ports), Count(ports))
	}
}

// largest is the largest value of one column, of a trial or of its samples.
func largest(m *result.Machine, name string) *float64 {
	most := column(m, name)
	for _, s := range m.Samples {
		if v, ok := s.Values[name]; ok {
			most = greater(most, &v)
		}
	}
	return most
}

// outcome says what became of a trial that is not ok.
func outcome(t *result.Trial) []finding {
	reason := []any{Name(t.Error)}
	switch t.Status {
	case result.Failed:
		return []finding{{code: "failed-trials", figures: reason}}
	case result.Invalid:
		return []finding{{code: "invalid-trials", figures: reason}}
	case result.Skipped:
		return []finding{{code: "skipped-trials", figures: reason}}
	case result.Interrupted:
		return []finding{{code: "interrupted-trials", figures: reason}}
	}
	return nil
}

// leastAgain is the share of a cell's rate that it should have when it is run
// again after the sweep.
const leastAgain = 0.9

// again compares the confirming trials of a cell with those of the sweep: the
// best of many is partly luck, and a machine may have slowed down meanwhile.
func again(c *Cell) []finding {
	var before, after []float64
	for _, t := range c.trials {
		if rate := t.Measure.QueriesPerSecond(); rate == nil {
			continue
		} else if t.Confirm {
			after = append(after, *rate)
		} else {
			before = append(before, *rate)
		}
	}
	was, is := NewFigure(before).Median, NewFigure(after).Median
	if was == nil || is == nil || *is >= leastAgain**was {
		return nil
	}
	return []finding{{"not-reproduced", *was / *is, []any{Count(*is), Count(*was), Change(*is / *was)}, ""}}
}

// lookAtCell looks at what only the trials of a cell show together.
func lookAtCell(c *Cell) []finding {
	var found []finding
	if v := c.QueriesPerSecond.Variation(); c.QueriesPerSecond.Noisy() {
		found = append(found, finding{"noisy", *v, []any{Share(*v), Counted{c.QueriesPerSecond.N(), "trial"}}, ""})
	}
	found = append(found, again(c)...)
	n := c.Latency.Count
	for _, p := range []struct {
		name    string
		samples int64
		at      *float64
	}{{"p99", 100, c.Latency.P99}, {"p99.9", 1000, c.Latency.P999}} {
		if c.OK > 0 && p.at == nil && n < p.samples {
			return append(found, finding{"few-samples", -float64(n), []any{Name(p.name), Count(p.samples), Count(n)}, ""})
		}
	}
	return found
}
