package load

import (
	"cmp"
	"slices"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// collect merges what threads and tallies have counted into the trial's measure.
func (r *run) collect() result.Measure {
	m := r.measure
	reconnecting, writesOfNothing := false, int64(0)
	for _, t := range r.threads {
		m.Queries += t.queries
		m.Transactions += t.transactions
		m.Errors += t.errors
		m.ServerErrors += t.serverErrors
		m.Deadlocks += t.restarts
		m.Ignored += t.ignored
		m.Reconnects += t.reconnects
		m.Late += t.late
		m.Unmeasured += t.unmeasured
		m.Dropped += t.dropped
		m.Prepared += t.preparations
		m.Quits += t.quits
		m.SessionSets += t.sessionSets
		m.SentAsText = append(m.SentAsText, t.sentAsText...)
		m.ListenRetries += t.retries
		m.Rounds = append(m.Rounds, t.goodRounds)
		m.Busy = append(m.Busy, t.busy.Seconds())
		reconnecting = reconnecting || t.reconnecting || t.reconnectEvery != 0
		writesOfNothing += t.writesOfNothing
	}
	slices.Sort(m.SentAsText)
	m.SentAsText = slices.Compact(m.SentAsText)
	m.OwnStatements = r.reaper.sent.Load()
	m.LeftRunning, m.LeftRunningWhy = r.reaper.left, r.reaper.whyLeft
	m.Transport, m.TLSCipher = r.transport(), r.cipher
	all, rounds, connects := newTimes(), newTimes(), newTimes()
	for _, t := range r.tallies {
		rounds.merge(t.rounds)
		connects.merge(t.reconnects)
		if !reconnecting { // else those at the start of bursts are not what was asked for
			connects.merge(t.starts)
		}
	}
	m.Types = r.types.collect(r.tallies, func(t *tally) []*typeTally { return t.types }, all)
	for _, t := range m.Types {
		switch t.Kind {
		case workload.Read.String():
			m.Reads += t.Queries
		case workload.Write.String():
			m.Writes += t.Queries
		default:
			m.Others += t.Queries
		}
	}
	m.Writes, m.Others = m.Writes-writesOfNothing, m.Others+writesOfNothing
	m.Interactions = r.interactions.collect(r.tallies, func(t *tally) []*typeTally { return t.interactions }, newTimes())
	for i := range m.Interactions {
		m.Interactions[i].Kind = ""
	}
	m.Latency, m.Transaction, m.Connects = all.distribution(), rounds.distribution(), connects.distribution()
	lag := newTimes()
	for _, l := range r.lags {
		lag.merge(l)
	}
	m.Client.Lag = lag.distribution()
	m.Client.Lag.Histogram = "" // nobody merges it
	m.ErrorsBy = errorCounts(r.tallies)
	return m
}

// collect merges the tallies of each type, and adds their times to all.
func (c *catalogue) collect(tallies []*tally, of func(*tally) []*typeTally, all *times) []result.TypeMeasure {
	var list []result.TypeMeasure
	for i, name := range c.names {
		m := result.TypeMeasure{Type: name, Kind: c.kinds[i].String()}
		merged := newTimes()
		for _, t := range tallies {
			types := of(t)
			if i >= len(types) || types[i] == nil {
				continue
			}
			m.Queries += types[i].inTime
			m.Errors += types[i].errors
			merged.merge(types[i].times)
		}
		all.merge(merged)
		m.Latency = merged.distribution()
		list = append(list, m)
	}
	return list
}

// errorCounts merges the errors by class, the most frequent first.
func errorCounts(tallies []*tally) []result.ErrorCount {
	merged := map[string]*result.ErrorCount{}
	for _, t := range tallies {
		for class, e := range t.errors {
			if merged[class] == nil {
				merged[class] = &result.ErrorCount{Class: class, Code: e.code, Example: e.example}
			}
			merged[class].Count += e.count
		}
	}
	var list []result.ErrorCount
	for _, e := range merged {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b result.ErrorCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	return list
}

// transport is the way to the server, in the words of results.
func (r *run) transport() string {
	switch {
	case r.address.Network() == "unix":
		return "socket"
	case r.config.TLS != nil:
		return "tls"
	}
	return "tcp"
}
