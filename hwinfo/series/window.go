package series

import (
	"math"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// Window is the activity of a machine between two marks. All fields but Samples
// come from the counters at the marks, for any length.
type Window struct {
	From, To              time.Time
	LoadBefore, LoadAfter *Load
	RunnableMean          *float64 // tasks, mean of samples at 10 Hz; nil without one
	Total                 *CPU     // all CPUs together
	CPUs                  []CPU    // those online throughout, by number
	// Values are the columns of Sample.Values over the whole window.
	Values map[string]float64
	// ProcessCPUSeconds is what the watched process used.
	ProcessCPUSeconds *float64
	Samples           []Sample // within the window
}

// Between returns the activity from one mark to a later one.
func (s *Sampler) Between(from, to Mark) Window {
	w := Window{From: from.At, To: to.At, Values: map[string]float64{}}
	if from.c == nil || to.c == nil {
		return w
	}
	a, b := from.c, to.c
	w.LoadBefore, w.LoadAfter = loadOf(a.loadavg.Load), loadOf(b.loadavg.Load)
	w.RunnableMean = known(runnableMean(a, b))
	if total, ok := shareOf(a.stat.Total, b.stat.Total); ok {
		w.Total = &total
	}
	w.CPUs = sharesOf(a, b)
	between(a, b, func(name string, v float64) { w.Values[name] = v })
	if a.process.StartTicks == b.process.StartTicks {
		w.ProcessCPUSeconds = known((b.process.CPUTicks - a.process.CPUTicks) / procfs.TicksPerSecond)
	}
	w.Samples = s.Since(from.At, to.At)
	return w
}

// Since returns the samples between two moments.
func (s *Sampler) Since(from, to time.Time) []Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	var samples []Sample
	for i := range s.rows {
		r := &s.rows[i]
		if r.at.Add(-r.length).Before(from) || r.at.After(to) {
			continue
		}
		samples = append(samples, s.sampleOf(r))
	}
	return samples
}

func (s *Sampler) sampleOf(r *row) Sample {
	values := make(map[string]float64, len(r.values))
	for i, v := range r.values {
		if !math.IsNaN(v) {
			values[s.names[i]] = v
		}
	}
	return Sample{At: r.at, Length: r.length, Load: loadOf(r.load), Runnable: known(r.runnable), Blocked: known(r.blocked), Values: values}
}

func loadOf(l [3]float64) *Load {
	if math.IsNaN(l[0] + l[1] + l[2]) {
		return nil
	}
	return &Load{l[0], l[1], l[2]}
}

func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
