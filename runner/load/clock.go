package load

import "time"

// clock counts monotonic time from the start of a trial. Reading it is cheaper than time.Now, which
// reads two clocks.
type clock struct{ origin time.Time }

func newClock() clock { return clock{time.Now()} }

func (c clock) now() time.Duration { return time.Since(c.origin) }

// at is the point in time that the clock shows as d.
func (c clock) at(d time.Duration) time.Time { return c.origin.Add(d) }
