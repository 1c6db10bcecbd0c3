package result

// QueriesPerSecond is answered statements over the time from the barrier to
// the last answer, nil when nothing was measured.
func (m *Measure) QueriesPerSecond() *float64 { return rate(m.Queries, m.Elapsed) }

// QueriesPerSecondWithConnect counts from before the first connect, as
// super-smack and "including connections establishing" do.
func (m *Measure) QueriesPerSecondWithConnect() *float64 {
	return rate(m.Queries, m.ElapsedWithConnect)
}

// TransactionsPerSecond and TransactionsPerSecondWithConnect are the same for
// rounds that ended well.
func (m *Measure) TransactionsPerSecond() *float64 { return rate(m.Transactions, m.Elapsed) }

func (m *Measure) TransactionsPerSecondWithConnect() *float64 {
	return rate(m.Transactions, m.ElapsedWithConnect)
}

// ConnectsPerSecond exists only where connects are inside the clock.
func (m *Measure) ConnectsPerSecond() *float64 {
	if m.Reconnects == 0 {
		return nil
	}
	return rate(m.Reconnects, m.Elapsed)
}

// FullConcurrencyQueriesPerSecond is the rate while all threads were busy.
func (m *Measure) FullConcurrencyQueriesPerSecond() *float64 {
	return rate(m.FullConcurrency.Queries, m.FullConcurrency.Elapsed)
}

// Questions is by how much the trial raises the server's counter Questions:
// all statements that it answered, well or with an error, and the goodbyes.
func (m *Measure) Questions() int64 {
	return m.Queries + m.Late + m.Unmeasured + m.ServerErrors + m.Quits + m.SessionSets + m.OwnStatements
}

// ClientCPUSeconds is what the load generator used, user and system.
func (c ClientCost) CPUSeconds() float64 { return c.UserSeconds + c.SystemSeconds }

// CPUs is how many CPUs the load generator used on average, nil when not known.
// elapsed is the measured time, for archives without the time that the cost covers.
func (c ClientCost) CPUs(elapsed float64) *float64 {
	if c.Seconds > 0 {
		elapsed = c.Seconds
	}
	if elapsed <= 0 || c.CPUSeconds() <= 0 {
		return nil
	}
	cpus := c.CPUSeconds() / elapsed
	return &cpus
}

// rate is nil where nothing was counted or no time passed: unknown is not 0.
func rate(n int64, seconds float64) *float64 {
	if n == 0 || seconds <= 0 {
		return nil
	}
	r := float64(n) / seconds
	return &r
}
