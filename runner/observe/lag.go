package observe

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// lagSampler asks each replica once a second how far it is behind.
type lagSampler struct {
	cancel   context.CancelFunc
	watchers sync.WaitGroup
	samples  [][]result.LagSample // by replica
}

func sampleLag(ctx context.Context, replicas []Replica, clock time.Time) *lagSampler {
	ctx, cancel := context.WithCancel(ctx)
	l := &lagSampler{cancel: cancel, samples: make([][]result.LagSample, len(replicas))}
	for i, r := range replicas {
		l.watchers.Go(func() { l.samples[i] = r.sample(ctx, clock) })
	}
	return l
}

// sample asks a replica until ctx ends.
func (r Replica) sample(ctx context.Context, clock time.Time) []result.LagSample {
	var samples []result.LagSample
	for {
		lag, err := r.Target.Lag(ctx)
		if ctx.Err() != nil {
			return samples
		}
		if err == nil {
			samples = append(samples, result.LagSample{Replica: r.Name, At: time.Since(clock).Seconds(), Seconds: lag})
		}
		if pause(ctx, nextSample) != nil {
			return samples
		}
	}
}

// stop returns what all replicas said, in the order of time.
func (l *lagSampler) stop() []result.LagSample {
	l.cancel()
	l.watchers.Wait()
	all := slices.Concat(l.samples...)
	slices.SortStableFunc(all, func(a, b result.LagSample) int { return cmp.Compare(a.At, b.At) })
	return all
}

// pause waits until d has passed or ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
