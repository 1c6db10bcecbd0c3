package load

import (
	"math/rand/v2"
	"sync"
	"time"
)

// arrivals is the schedule of an open loop: the times, from the barrier on, at which rounds are
// due. All threads of a trial draw from the same schedule.
type arrivals struct {
	mu   sync.Mutex
	rand *rand.Rand // nil for even distances
	mean float64    // nanoseconds between two arrivals
	// Nanoseconds up to the latest arrival: in floating point, so that no fraction is lost on the
	// way.
	elapsed float64
}

// newArrivals makes a schedule of rate arrivals per second: "poisson" draws the distances from the
// exponential distribution, "uniform" makes them all the same.
func newArrivals(rate float64, kind string, seed uint64) *arrivals {
	a := &arrivals{mean: 1e9 / rate}
	if kind == "poisson" {
		// The threads have random streams of their own.
		a.rand = rand.New(rand.NewPCG(seed, 0x617272697665))
	}
	return a
}

func (a *arrivals) next() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	distance := a.mean
	if a.rand != nil {
		distance *= a.rand.ExpFloat64()
	}
	a.elapsed += distance
	return time.Duration(a.elapsed)
}
