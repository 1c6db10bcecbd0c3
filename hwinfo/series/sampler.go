package series

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// Options are the sampling intervals. Zero values mean the defaults.
type Options struct {
	Interval         time.Duration // of samples; 1 s
	RunnableInterval time.Duration // of samples of runnable tasks; 100 ms
	PID              int           // a process to watch, 0 for none
}

// Sampler samples one machine. It is safe for concurrent use.
type Sampler struct {
	source  Source
	options Options

	mu       sync.Mutex
	paths    []string // of files, then of the process
	pid      int
	now      counters  // being read
	spare    counters  // the one before, unless a mark came between
	last     *counters // end of the last sample
	throttle []string  // paths of the CPUs' throttle counts, read at marks only
	groups   []string  // paths of cpu.stat of the control groups, read at marks only
	rows     []row
	columns  map[string]int
	names    []string
	runnable struct{ sum, count float64 } // since the beginning
	restart  chan struct{}
}

// row is a Sample, its values by column; NaN where unknown.
type row struct {
	at       time.Time
	length   time.Duration
	load     [3]float64
	runnable float64
	blocked  float64
	values   []float64
}

// New makes a sampler; nothing is read before Run or Mark.
func New(source Source, o Options) *Sampler {
	if o.Interval <= 0 {
		o.Interval = time.Second
	}
	if o.RunnableInterval <= 0 {
		o.RunnableInterval = 100 * time.Millisecond
	}
	s := &Sampler{source: source, options: o, columns: map[string]int{}, restart: make(chan struct{}, 1)}
	for _, f := range files {
		s.paths = append(s.paths, f.path)
	}
	s.Watch(o.PID)
	return s
}

// Watch sets the process that is watched from now on, 0 for none.
func (s *Sampler) Watch(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pid, s.groups = pid, nil
	s.paths = s.paths[:len(files)]
	if pid > 0 {
		s.paths = append(s.paths, fmt.Sprintf("/proc/%d/stat", pid))
	}
}

// Run samples until ctx ends. It returns at once if the machine cannot be read at
// the beginning. Later failures leave gaps, and Run returns the last one when ctx
// has ended.
func (s *Sampler) Run(ctx context.Context) error {
	samples, looks := time.NewTicker(s.options.Interval), time.NewTicker(s.options.RunnableInterval)
	defer samples.Stop()
	defer looks.Stop()
	if _, err := s.Mark(ctx); err != nil {
		return ended(ctx, err)
	}
	var last error
	for {
		var err error
		select {
		case <-ctx.Done():
			return last
		case <-s.restart: // samples count from the last mark
			samples.Reset(s.options.Interval)
		case <-looks.C:
			err = s.look(ctx)
		case <-samples.C:
			err = s.sample(ctx)
		}
		if err != nil && ctx.Err() == nil {
			last = ended(ctx, err)
		}
	}
}

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("sample the machine: %w", err)
}

// Mark is all counters at one moment.
type Mark struct {
	At time.Time
	c  *counters
}

// Mark reads all counters now. The second of the next sample begins here, so
// that a trial which begins with a mark has whole seconds.
func (s *Sampler) Mark(ctx context.Context) (Mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.read(ctx); err != nil {
		return Mark{}, fmt.Errorf("read the machine's counters: %w", err)
	}
	for _, readMore := range []func(context.Context) error{s.readThrottle, s.readQuota} {
		if err := readMore(ctx); err != nil {
			return Mark{}, fmt.Errorf("read the machine's counters: %w", err)
		}
	}
	s.last = s.now.copy()
	select {
	case s.restart <- struct{}{}:
	default:
	}
	return Mark{s.last.at, s.last}, nil
}

// read fills s.now.
func (s *Sampler) read(ctx context.Context) error {
	c := &s.now
	c.clear()
	at, err := s.source.Read(ctx, s.paths, func(i int, data []byte) {
		if i < len(files) {
			files[i].parse(data, c)
			return
		}
		c.process, _ = procfs.ParseProcess(data)
	})
	if err != nil {
		return err
	}
	c.at = at
	c.runnableSum, c.runnableCount = s.runnable.sum, s.runnable.count
	return nil
}

// throttledMax bounds the CPUs whose throttle counts are read.
const throttledMax = 256

// readThrottle sums the thermal throttling events of all CPUs. One file per CPU is
// too expensive for every second.
func (s *Sampler) readThrottle(ctx context.Context) error {
	if s.throttle == nil {
		for i, t := range s.now.stat.CPUs {
			if i == throttledMax {
				break
			}
			s.throttle = append(s.throttle, fmt.Sprintf("/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", t.ID))
		}
	}
	if len(s.throttle) == 0 {
		return nil
	}
	sum, count := 0.0, 0
	_, err := s.source.Read(ctx, s.throttle, func(_ int, data []byte) {
		w, _ := procfs.Word(bytes.TrimSpace(data))
		sum += procfs.Number(w)
		count++
	})
	if count > 0 {
		s.now.throttled = sum
	}
	return err
}

var loadavgOnly = []string{"/proc/loadavg"}

// look samples the number of runnable tasks.
func (s *Sampler) look(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.source.Read(ctx, loadavgOnly, func(_ int, data []byte) {
		if l, err := procfs.ParseLoadavg(data); err == nil {
			s.runnable.sum += l.Runnable
			s.runnable.count++
		}
	})
	return err
}

// sample stores the interval since the last sample.
func (s *Sampler) sample(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.read(ctx); err != nil {
		return err
	}
	a, b := s.last, &s.now
	if a != nil && b.at.Sub(a.at) > s.options.Interval/2 {
		r := row{at: b.at, length: b.at.Sub(a.at), load: b.loadavg.Load, runnable: runnableMean(a, b), blocked: b.stat.Blocked}
		r.values = make([]float64, len(s.names), len(s.names)+8)
		for i := range r.values {
			r.values[i] = nan
		}
		between(a, b, func(name string, v float64) {
			i, ok := s.columns[name]
			if !ok {
				i = len(s.names)
				s.columns[name] = i
				s.names = append(s.names, name)
				r.values = append(r.values, nan)
			}
			r.values[i] = v
		})
		s.rows = append(s.rows, r)
	} else if a != nil {
		return nil // a mark was just read
	}
	s.now, s.spare = s.spare, s.now
	s.last = &s.spare
	return nil
}

func runnableMean(a, b *counters) float64 {
	return (b.runnableSum - a.runnableSum) / (b.runnableCount - a.runnableCount)
}

// Forget drops samples that ended before t.
func (s *Sampler) Forget(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := 0
	for i < len(s.rows) && s.rows[i].at.Before(t) {
		i++
	}
	s.rows = append([]row(nil), s.rows[i:]...)
}
