package load

import (
	"sync"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// meter takes what the load generator itself uses in the measured part of a burst. The part may end
// while threads still wait for late answers, so whoever comes first closes the meter: the watch at
// the deadline, or the last thread.
type meter struct {
	engine engine
	clock  clock

	mu            sync.Mutex
	opened        bool
	closed        bool
	from, to      time.Duration // on the trial's clock
	before, after usage         // of the process
}

// open begins to count, unless the burst is already over.
func (m *meter) open() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.opened = true
	m.from, m.before = m.clock.now(), processUsage()
	m.engine.clockStarts()
}

// close ends the count. The loops still run whenever it has an effect: the last thread closes the
// meter before it leaves.
func (m *meter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	m.closed = true
	if m.opened {
		m.to, m.after = m.clock.now(), processUsage()
		m.engine.clockStops()
	}
}

// addTo adds what was used, with the time that it covers. A burst that ended in its ramp-up adds
// nothing.
func (m *meter) addTo(c *result.ClientCost) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.opened || !m.closed {
		return
	}
	c.Seconds += (m.to - m.from).Seconds()
	m.after.addTo(c, m.before)
	m.engine.cost(c)
}
