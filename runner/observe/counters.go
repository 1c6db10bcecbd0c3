package observe

import (
	"context"
	"time"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// The first sample of a trial comes soon, so that a trial of half a second has
// one; the others come once a second.
const (
	firstSample = 100 * time.Millisecond
	nextSample  = time.Second
)

// sampledCounters are kept of each sample; all are kept of a trial's change.
var sampledCounters = []string{
	"Queries", "Threads_connected", "Innodb_rows_read", "Innodb_data_reads", "Innodb_data_fsyncs", "Innodb_os_log_written",
	"Innodb_buffer_pool_pages_dirty", "Innodb_row_lock_waits", "Innodb_row_lock_current_waits",
}

// serverSampler samples a server's counters during one trial, over a connection
// of its own and by SHOW alone, so that the counters of statements stay the trial's.
type serverSampler struct {
	target  *server.Target
	clock   time.Time
	cancel  context.CancelFunc
	done    chan struct{}
	samples []serverSample
	fault   error
}

type serverSample struct {
	at       time.Time
	archived result.ServerSample
}

func sampleServer(ctx context.Context, target *server.Target, clock time.Time) *serverSampler {
	ctx, cancel := context.WithCancel(ctx)
	s := &serverSampler{target: target, clock: clock, cancel: cancel, done: make(chan struct{})}
	go s.run(ctx)
	return s
}

func (s *serverSampler) run(ctx context.Context) {
	defer close(s.done)
	for wait := firstSample; ; wait = nextSample {
		if pause(ctx, wait) != nil {
			return
		}
		counters, err := s.target.Counters(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.fault = err
			continue
		}
		s.add(time.Now(), counters)
	}
}

// add keeps a sample. The observer runs while it asks, and does not count.
func (s *serverSampler) add(at time.Time, counters server.Counters) {
	sample := result.ServerSample{At: at.Sub(s.clock).Seconds(), Status: map[string]float64{}}
	if running := counters["Threads_running"]; running >= 1 { // else it is not told, or not kept
		running--
		sample.ThreadsRunning = &running
	}
	for _, name := range sampledCounters {
		if v, ok := counters[name]; ok {
			sample.Status[name] = v
		}
	}
	s.samples = append(s.samples, serverSample{at, sample})
}

// stop returns the samples, and why the last one that is missing could not be read.
func (s *serverSampler) stop() ([]serverSample, error) {
	s.cancel()
	<-s.done
	return s.samples, s.fault
}

// archived are the samples in the form of the archive, with the mean of the
// threads that ran, nil when no sample tells them.
func archived(samples []serverSample) (list []result.ServerSample, runningMean *float64) {
	sum, n := 0.0, 0.0
	for _, s := range samples {
		list = append(list, s.archived)
		if running := s.archived.ThreadsRunning; running != nil {
			sum, n = sum+*running, n+1
		}
	}
	if n > 0 {
		sum /= n
		runningMean = &sum
	}
	return list, runningMean
}
