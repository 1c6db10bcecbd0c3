package observe

import (
	"fmt"
	"math"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// statementCounts compares what the server counted during a trial with what was sent to it.
type statementCounts struct {
	delta    server.Counters // of the trial, its connects and disconnects included
	observer int64           // statements of the observer
	trial    *result.Measure
}

// countStatements returns nil when the counters of one of the edges are not known.
func countStatements(begin, end *edge, m *result.Measure) *statementCounts {
	if begin.counters == nil || end.counters == nil {
		return nil
	}
	return &statementCounts{end.counters.Delta(begin.counters), end.statements - begin.statements, m}
}

// foreign is how many statements others sent to the server during a trial, nil when it is not
// known. There are two bounds, and the lower one counts: Com_ counters include the statements
// inside routines and triggers, Questions the end of each connection and what changes its database.
func (a *statementCounts) foreign() *int64 {
	if a == nil || a.counted() < a.answered() {
		return nil
	}
	m := a.trial
	ours := a.observer + m.OwnStatements + m.SessionSets + m.Queries + m.Late + m.Unmeasured + m.ServerErrors
	var lowest *int64
	bound := func(n int64) {
		if n = max(0, n-ours); lowest == nil || n < *lowest {
			lowest = &n
		}
	}
	if _, ok := a.delta["Com_select"]; ok {
		bound(statements(a.delta))
	}
	if questions, ok := a.delta["Questions"]; ok {
		bound(int64(questions) - m.Quits)
	}
	return lowest
}

// shortfall says that the server counted fewer statements than it would have to if it had answered
// the trial's, "" when it did not. Counters that do not move at all prove nothing, nor do those
// that was reset.
func (a *statementCounts) shortfall() string {
	if a == nil {
		return ""
	}
	flushed := a.delta["Uptime_since_flush_status"] < 0
	if counted := a.counted(); !flushed && counted >= 0 && counted < a.answered() {
		return fmt.Sprintf("%d statements were answered, while its counter of statements grew by %d", a.answered(), counted)
	}
	return ""
}

// answered is how many statements of the trial the server has counted at least.
func (a *statementCounts) answered() int64 {
	return a.trial.Queries + a.trial.Late + a.trial.Unmeasured
}

// counted is by how much the server's counter of statements grew beyond the observer's own. A
// server without it is taken to have counted enough.
func (a *statementCounts) counted() int64 {
	questions, ok := a.delta["Questions"]
	if !ok {
		return math.MaxInt64
	}
	return int64(questions) - a.observer
}

// statements counts what the server executed, by its Com_ counters: Questions
// counts the end of each connection as well. A prepared statement counts under
// its own kind; Com_stmt_ counts it a second time.
func statements(delta server.Counters) int64 {
	sum := 0.0
	for name, d := range delta {
		if strings.HasPrefix(name, "Com_") && !strings.HasPrefix(name, "Com_stmt_") && name != "Com_admin_commands" {
			sum += d
		}
	}
	return int64(sum)
}

// clearOther leaves out what was read from another server than the one that the load was on, and
// says so.
func (b *Observation) clearOther(e *result.Evidence, a *statementCounts) {
	b.mu.Lock()
	load := b.load
	b.mu.Unlock()
	why := a.shortfall()
	if b.own.Differs(load) {
		why = "its server_uuid, or its host, port and start time, are not those of the load's server"
	}
	if why == "" {
		return
	}
	e.Status, e.StatusSeconds, e.ForeignQueries, e.ThreadsRunningMean, e.ServerSamples = nil, nil, nil, nil, nil
	if !e.SharedHost {
		e.Server = nil
	}
	e.Notes = append(e.Notes, result.Note{Code: "counters-of-another-server",
		Text: "the observer's connection was on another server than the load (a balancer, proxy or reader endpoint): " + why})
}
