package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

const (
	shortest    = 0.1  // seconds of a trial below which any figure is noise
	mostLag     = 0.05 // of the median latency
	leastFull   = 0.5  // of the elapsed time with all threads busy
	mostPorts   = 0.5  // of the ephemeral ports in TIME_WAIT: Linux looks at every second port first, and then at the others
	leastOfRate = 0.99 // of the rounds that were due
	mostOfTime  = 0.01 // of a trial that ends by time, by one statement

	mostStarved       = 0.25 // of the loops' time, runnable without a CPU
	mostStarvedShared = 0.5  // the same beside a server that uses the same CPUs
)

// load looks at the load generator and at what it counted.
func (l *looker) load() {
	m := &l.trial.Measure
	if b := generatorBusy(l.trial); b != nil && *b > fullGenerator {
		what := "the load generator's busiest loop"
		if m.Client.LoopBusy == nil {
			what = "the load generator"
		}
		l.say("client-saturated", *b, "%s was %s busy: the figure is a lower bound", what, percent(*b))
	}
	l.lag()
	l.length()
	if m.Errors > 0 {
		l.say("errors", float64(m.Errors), "%s of %s statements failed%s", count(float64(m.Errors)),
			count(float64(m.Errors+m.Queries)), classes(m.ErrorsBy))
	}
	if m.LeftRunning > 0 {
		l.say("left-running", float64(m.LeftRunning), "%s given up at a limit may still run on the server, into the next trials: %s",
			plural(int(m.LeftRunning), "statement"), m.LeftRunningWhy)
	}
	if m.SessionSets > 0 && m.Reconnects > 0 {
		l.say("session-set", float64(m.SessionSets), "%s began with a SET inside the clock: the server's session defaults are not those that the workload needs",
			plural(int(m.SessionSets), "session"))
	}
	if len(m.SentAsText) > 0 {
		l.say("sent-as-text", float64(len(m.SentAsText)), "statements were sent as text, since they cannot be prepared or only the server knows whether they return rows: %s",
			strings.Join(m.SentAsText, ", "))
	}
	if m.Deadlocks > 0 {
		l.say("deadlocks", float64(m.Deadlocks), "%s of %s were begun anew after a deadlock or a lock wait that took too long",
			count(float64(m.Deadlocks)), plural(int(m.Transactions+m.Deadlocks), "round"))
	}
	l.rate()
	l.starved()
	l.deadline()
	l.ports()
}

func (l *looker) lag() {
	m := &l.trial.Measure
	lag := m.Client.Lag.P50
	if lag == nil {
		lag = m.Client.Lag.Mean
	}
	if lag == nil || m.Latency.P50 == nil || *m.Latency.P50 <= 0 {
		return
	}
	if share := *lag / *m.Latency.P50; share > mostLag {
		l.say("loop-lag", share, "answers waited %s in the load generator before they were read, %s of the median latency of %s",
			span(*lag), percent(share), span(*m.Latency.P50))
	}
}

func (l *looker) length() {
	p, m := &l.run.Plan, &l.trial.Measure
	least := shortest
	if p.MinTime > 0 && p.Time == 0 && p.Events == 0 && p.Rate == 0 {
		least = p.MinTime.Seconds()
	}
	if m.Elapsed < 0.99*least {
		l.say("too-short", -m.Elapsed, "%s were measured, less than %s: too short to be sure of", span(m.Elapsed), span(least))
	}
	if full := m.FullConcurrency.Elapsed; l.trial.Threads > 1 && m.FullConcurrency.Queries > 0 && full < leastFull*m.Elapsed {
		l.say("uneven-threads", -full/m.Elapsed, "all threads were busy for only %s of the time: some ended long before others", percent(full/m.Elapsed))
	}
}

func (l *looker) rate() {
	m := &l.trial.Measure
	if m.Dropped > 0 {
		l.say("dropped", float64(m.Dropped), "%s that were due were never sent: the server could not follow the rate", plural(int(m.Dropped), "round"))
	}
	got, requested := m.TransactionsPerSecond(), l.trial.Rate
	if requested == nil || got == nil {
		return
	}
	due := float64(m.Transactions + m.Dropped)
	if l.run.Plan.Time > 0 {
		if answered := float64(m.Transactions) / due; answered < leastOfRate {
			l.say("rate-missed", 1-answered, "%s of the %s rounds that were due were answered: %s rounds/s of the requested %s",
				count(float64(m.Transactions)), count(due), count(*got), count(*requested))
		}
		return
	}
	// All rounds are sent, however late. The time in which n random arrivals are
	// due varies by 1/√n.
	if *got < *requested*(leastOfRate-3/math.Sqrt(due)) {
		l.say("rate-missed", 1 - *got / *requested, "%s of the requested %s rounds/s were reached", count(*got), count(*requested))
	}
}

// starved looks for loops of the load generator that were runnable and had no
// CPU. A server on the same machine takes CPUs from them as a matter of course;
// that is starvation only where other processes do it as well, or where the
// loops waited more than half of the time.
func (l *looker) starved() {
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
		l.say("client-starved", share+stolen, "the load generator waited for a CPU %s of the time%s: the figure is a lower bound",
			percent(share), map[bool]string{true: fmt.Sprintf(", and the hypervisor took another %s", percent(stolen))}[stolen > mostSteal])
	}
}

// deadline notes statements that are long beside a trial that ends by time:
// what is under way at the deadline is in no rate.
func (l *looker) deadline() {
	m := &l.trial.Measure
	if l.run.Plan.Time == 0 || l.trial.Rate != nil || m.Latency.Mean == nil {
		return
	}
	if share := *m.Latency.Mean / m.Elapsed; share > mostOfTime {
		l.say("long-statements", share, "a statement takes %s, %s of the trial: statements cut off at the deadline are not counted, so the rate may be too low by as much",
			span(*m.Latency.Mean), percent(share))
	}
}

// ports compares sockets in TIME_WAIT with the ephemeral ports of the client.
func (l *looker) ports() {
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
	if ports := high - low + 1; waiting != nil && low > 0 && ports > 0 && *waiting > mostPorts*ports {
		l.say("port-exhaustion-near", *waiting/ports, "%s sockets were in TIME_WAIT, %s of the %s ephemeral ports: the kernel's search for a free one takes the client's CPU time and makes connects slow: widen net.ipv4.ip_local_port_range, set net.ipv4.tcp_tw_reuse=1, or wait between cases (--settle timewait=N)",
			count(*waiting), percent(*waiting/ports), count(ports))
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

// classes lists the classes of errors, the first three with their counts.
func classes(list []result.ErrorCount) string {
	var parts []string
	for i, e := range list {
		if i == 3 {
			parts = append(parts, "others")
			break
		}
		parts = append(parts, fmt.Sprintf("%s × %s", count(float64(e.Count)), e.Class))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// outcome says what became of a trial that is not ok.
func outcome(t *result.Trial) []finding {
	why := t.Error
	if why == "" {
		why = "no reason was recorded"
	}
	switch t.Status {
	case result.Failed:
		return []finding{{"failed-trials", 0, "failed: " + why}}
	case result.Invalid:
		return []finding{{"invalid-trials", 0, "not to be ranked: " + why}}
	case result.Skipped:
		return []finding{{"skipped-trials", 0, "not run: " + why}}
	case result.Interrupted:
		return []finding{{"interrupted-trials", 0, "cut off: " + why}}
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
	return []finding{{"not-reproduced", *was / *is, fmt.Sprintf("run again after the sweep it reached %s queries/s instead of %s (%s): luck, or the machine has slowed down meanwhile",
		count(*is), count(*was), change(*is / *was))}}
}

// lookAtCell looks at what only the trials of a cell show together.
func lookAtCell(c *Cell) []finding {
	var found []finding
	if v := c.QueriesPerSecond.Variation(); c.QueriesPerSecond.Noisy() {
		found = append(found, finding{"noisy", *v, fmt.Sprintf("coefficient of variation %s over %s",
			percent(*v), plural(c.QueriesPerSecond.N(), "trial"))})
	}
	found = append(found, again(c)...)
	n := c.Latency.Count
	for _, p := range []struct {
		name    string
		samples int64
		at      *float64
	}{{"p99", 100, c.Latency.P99}, {"p99.9", 1000, c.Latency.P999}} {
		if c.OK > 0 && p.at == nil && n < p.samples {
			text := fmt.Sprintf("%s is left empty: fewer than %s samples (%s)", p.name, count(float64(p.samples)), count(float64(n)))
			return append(found, finding{"few-samples", -float64(n), text})
		}
	}
	return found
}
