package load

import (
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
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

// skip passes over the arrivals before end and counts them: all at once, as a rate far above what a
// server can do has billions of them. The number of Poisson arrivals in a span has the Poisson
// distribution, whatever came before.
func (a *arrivals) skip(end time.Duration) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := (float64(end) - a.elapsed) / a.mean
	if left <= 0 {
		return 0
	}
	a.elapsed = float64(end)
	if a.rand == nil {
		return int64(math.Ceil(left)) - 1
	}
	return int64(distuv.Poisson{Lambda: left, Src: a.rand}.Rand())
}
