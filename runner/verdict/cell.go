package verdict

import (
	"cmp"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Tally counts trials by what became of them.
type Tally struct {
	OK, Invalid, Failed, Skipped, Interrupted int
}

// Bad counts the trials that ran and gave no figure to rank.
func (t Tally) Bad() int { return t.Invalid + t.Failed }

// All counts all of them.
func (t Tally) All() int { return t.OK + t.Invalid + t.Failed + t.Skipped + t.Interrupted }

func (t *Tally) add(s result.Status) {
	switch s {
	case result.OK:
		t.OK++
	case result.Invalid:
		t.Invalid++
	case result.Failed:
		t.Failed++
	case result.Skipped:
		t.Skipped++
	case result.Interrupted:
		t.Interrupted++
	}
}

// Cell is what the trials of one cell say together. Only trials that are ok
// have a part in its figures; the others are counted in Tally.
type Cell struct {
	plan.Cell
	Tally
	Confirming int      // of the trials that are ok, the confirming ones
	Headline   Headline // of its sweep

	QueriesPerSecond                 Figure
	QueriesPerSecondWithConnect      Figure
	TransactionsPerSecond            Figure
	TransactionsPerSecondWithConnect Figure
	ConnectsPerSecond                Figure // only where connects are inside the clock
	FullConcurrencyQueriesPerSecond  Figure

	Latency     result.Distribution // of statements, merged
	Transaction result.Distribution // of rounds, merged
	Connects    result.Distribution // of connects, merged

	// Errors are failed statements of all trials of the cell, Deadlocks rounds
	// restarted, Dropped what an open-loop trial never sent.
	Errors, Deadlocks, Dropped int64

	// Medians over the trials. The server's are those of the one machine on a
	// shared host, and nil where the server's machine cannot be seen.
	RunnablePerCPU *float64 // runnable tasks per usable CPU of the server's machine
	ThreadsRunning *float64
	ServerCPU      *float64 // busy share of the server machine's usable CPUs, in [0,1]
	ClientCPU      *float64 // busy share of the client machine's usable CPUs, in [0,1]
	ServerProcess  *float64 // CPUs that the server's process used
	ClientProcess  *float64 // CPUs that the load generator used
	// Load is the server machine's load average after the trial in which that
	// of one minute was highest.
	Load *result.Load

	// Capacity is the server's limit that its skipped trials need more of, such as max_connections.
	Capacity string

	Notes []string // codes of the notes on its trials, each once

	trials []*result.Trial // that are ok
}

// Trials is how many trials have a part in the cell's figures.
func (c *Cell) Trials() int { return len(c.trials) }

// Ranks reports whether the cell has a rate that may be compared with others:
// it has trials that are ok, and not more that failed.
func (c *Cell) Ranks() bool {
	return c.QueriesPerSecond.Median != nil && c.OK > c.Bad()
}

// rate is the headline rate by which cells are ranked, 0 when it does not rank.
func (c *Cell) rate() float64 {
	if m := c.Rate().Median; m != nil && c.Ranks() {
		return *m
	}
	return 0
}

// newCell describes trials of one cell.
func newCell(key plan.Cell, h Headline, trials []*result.Trial) Cell {
	c := Cell{Cell: key, Headline: h}
	for _, t := range trials {
		c.Tally.add(t.Status)
		c.Errors += t.Measure.Errors
		if t.Status != result.OK {
			c.Capacity = cmp.Or(c.Capacity, t.Capacity)
			continue
		}
		c.trials = append(c.trials, t)
		c.Deadlocks += t.Measure.Deadlocks
		c.Dropped += t.Measure.Dropped
		if t.Confirm {
			c.Confirming++
		}
	}
	c.rates()
	c.Latency = c.merge(func(m *result.Measure) result.Distribution { return m.Latency })
	c.Transaction = c.merge(func(m *result.Measure) result.Distribution { return m.Transaction })
	c.Connects = c.merge(func(m *result.Measure) result.Distribution { return m.Connects })
	c.machines()
	return c
}

func (c *Cell) rates() {
	c.QueriesPerSecond = c.figure((*result.Measure).QueriesPerSecond)
	c.QueriesPerSecondWithConnect = c.figure((*result.Measure).QueriesPerSecondWithConnect)
	c.TransactionsPerSecond = c.figure((*result.Measure).TransactionsPerSecond)
	c.TransactionsPerSecondWithConnect = c.figure((*result.Measure).TransactionsPerSecondWithConnect)
	c.ConnectsPerSecond = c.figure((*result.Measure).ConnectsPerSecond)
	c.FullConcurrencyQueriesPerSecond = c.figure((*result.Measure).FullConcurrencyQueriesPerSecond)
}

func (c *Cell) figure(of func(*result.Measure) *float64) Figure {
	return NewFigure(known(c.trials, func(t *result.Trial) *float64 { return of(&t.Measure) }))
}

func (c *Cell) merge(of func(*result.Measure) result.Distribution) result.Distribution {
	list := make([]result.Distribution, len(c.trials))
	for i, t := range c.trials {
		list[i] = of(&t.Measure)
	}
	return Merge(list)
}

func (c *Cell) machines() {
	of := func(f func(*result.Trial) *float64) *float64 { return NewFigure(known(c.trials, f)).Median }
	c.RunnablePerCPU = of(runnablePerCPU)
	c.ThreadsRunning = of(func(t *result.Trial) *float64 { return t.Evidence.ThreadsRunningMean })
	c.ServerCPU = of(func(t *result.Trial) *float64 { return busy(serverMachine(t)) })
	c.ClientCPU = of(func(t *result.Trial) *float64 { return busy(t.Evidence.Client) })
	c.ServerProcess = of(serverProcess)
	c.ClientProcess = of(clientProcess)
	for _, t := range c.trials {
		if m := serverMachine(t); m != nil && m.LoadAfter != nil && (c.Load == nil || m.LoadAfter.One > c.Load.One) {
			c.Load = m.LoadAfter
		}
	}
}

// known are the values that are there.
func known(trials []*result.Trial, of func(*result.Trial) *float64) []float64 {
	var values []float64
	for _, t := range trials {
		if v := of(t); v != nil {
			values = append(values, *v)
		}
	}
	return values
}
