package sweep

import (
	"context"
	"strings"
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

// serverLook observes a server during one trial, over a connection of its own
// and by SHOW alone, so that the counters of statements stay the trial's.
type serverLook struct {
	target  *server.Target
	clock   time.Time
	before  server.Counters
	own     int64 // statements of the observer before the trial
	cancel  context.CancelFunc
	done    chan struct{}
	samples []result.ServerSample
	running []float64
	fault   error
}

func lookAtServer(ctx context.Context, target *server.Target, clock time.Time) *serverLook {
	ctx, cancel := context.WithCancel(ctx)
	l := &serverLook{target: target, clock: clock, cancel: cancel, done: make(chan struct{})}
	l.before, l.fault = target.Counters(ctx)
	l.own = target.Statements()
	go l.sample(ctx)
	return l
}

func (l *serverLook) sample(ctx context.Context) {
	defer close(l.done)
	wait := firstSample
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = nextSample
		counters, err := l.target.Counters(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.fault = err
			continue
		}
		l.add(counters)
	}
}

// add keeps a sample. The observer runs while it asks, and does not count.
func (l *serverLook) add(counters server.Counters) {
	running := counters["Threads_running"] - 1
	sample := result.ServerSample{At: time.Since(l.clock).Seconds(), ThreadsRunning: &running, Status: map[string]float64{}}
	for _, name := range sampledCounters {
		if v, ok := counters[name]; ok {
			sample.Status[name] = v
		}
	}
	l.samples = append(l.samples, sample)
	l.running = append(l.running, running)
}

// end stops sampling and writes into the evidence what was seen.
func (l *serverLook) end(e *result.Evidence, m *result.Measure) {
	l.cancel()
	<-l.done
	e.ServerSamples = l.samples
	e.ThreadsRunningMean = mean(l.running)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	after, err := l.target.Counters(ctx)
	own := l.target.Statements() - l.own
	if err != nil || l.fault != nil {
		e.Notes = append(e.Notes, result.Note{Code: "counters-unknown", Text: "the server's counters could not be read: " + text(err, l.fault)})
	}
	if err != nil || l.before == nil {
		return
	}
	delta := after.Delta(l.before)
	foreign := max(0, statements(delta)-own-m.Queries-m.Late-m.Unmeasured-m.ServerErrors)
	e.ForeignQueries = &foreign
	e.Status = map[string]float64{}
	for name, d := range delta {
		if d != 0 {
			e.Status[name] = d
		}
	}
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

func mean(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	sum /= float64(len(list))
	return &sum
}

func text(errs ...error) string {
	for _, err := range errs {
		if err != nil {
			return err.Error()
		}
	}
	return ""
}
