package hwinfo

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

// Fsync is the time of an append to a file and fsync(2) together.
type Fsync struct {
	Bytes      int // of one append
	Count      int
	P50        *float64 // seconds; nil without a sample
	P99        *float64 // seconds; nil with fewer than 100 samples
	Max        *float64 // seconds
	PerSecond  *float64 // appends per second
	totalTimes time.Duration
}

// fileMax bounds the probe's file; it is cut to nothing when it is that large.
const fileMax = 16 << 20

// FsyncProbe measures the file system of dir: appends of 4 KiB and of 512
// bytes, each followed by fsync, each for half of d. Its file has no name while it is written.
// Typical times are 1.6 ms on a network disk, 0.2 ms on NVMe, 0.03 ms in memory.
func FsyncProbe(ctx context.Context, dir string, d time.Duration) ([]Fsync, error) {
	f, err := os.CreateTemp(dir, ".mysweep-fsync-*")
	if err != nil {
		return nil, fmt.Errorf("measure fsync: %w", err)
	}
	defer f.Close()
	// Without a name nothing is left behind when this process is killed.
	if err := os.Remove(f.Name()); err != nil {
		return nil, fmt.Errorf("measure fsync: %w", err)
	}
	var results []Fsync
	for _, size := range []int{4096, 512} {
		result, err := appendAndSync(ctx, f, size, d/2)
		if err != nil {
			return results, fmt.Errorf("measure fsync: %s: %w", f.Name(), err)
		}
		results = append(results, result)
	}
	return results, nil
}

func appendAndSync(ctx context.Context, f *os.File, size int, d time.Duration) (Fsync, error) {
	block := make([]byte, size)
	for i := range block {
		block[i] = byte(i)
	}
	var took []time.Duration
	written := 0
	if err := f.Truncate(0); err != nil {
		return Fsync{}, err
	}
	for end := time.Now().Add(d); len(took) == 0 || time.Now().Before(end); {
		if err := ctx.Err(); err != nil {
			return Fsync{}, err
		}
		began := time.Now()
		if _, err := f.WriteAt(block, int64(written)); err != nil {
			return Fsync{}, err
		}
		if err := f.Sync(); err != nil {
			return Fsync{}, err
		}
		took = append(took, time.Since(began))
		if written += size; written >= fileMax {
			written = 0
			if err := f.Truncate(0); err != nil {
				return Fsync{}, err
			}
		}
	}
	return fsyncOf(size, took), nil
}

// fsyncOf takes percentiles by nearest rank.
func fsyncOf(size int, took []time.Duration) Fsync {
	r := Fsync{Bytes: size, Count: len(took)}
	slices.Sort(took)
	for _, t := range took {
		r.totalTimes += t
	}
	at := func(thousandths int64) *float64 {
		return new(took[NearestRank(thousandths, int64(len(took)))-1].Seconds())
	}
	if len(took) == 0 {
		return r
	}
	r.P50, r.Max = at(500), new(took[len(took)-1].Seconds())
	if len(took) >= 100 {
		r.P99 = at(990)
	}
	if r.totalTimes > 0 {
		r.PerSecond = new(float64(len(took)) / r.totalTimes.Seconds())
	}
	return r
}

// Mean is the mean time of one append in seconds, nil without a sample.
func (f Fsync) Mean() *float64 {
	if f.Count == 0 {
		return nil
	}
	return new(f.totalTimes.Seconds() / float64(f.Count))
}

// AddFsync records a probe: datadir.fsync_4k_p50_seconds and its like.
func (f *Facts) AddFsync(probes []Fsync, dir string) {
	source := "fsync(2) in " + dir
	add := func(key string, v *float64) {
		if v == nil {
			f.Add(key, nil, source)
			return
		}
		f.Add(key, *v, source)
	}
	for _, p := range probes {
		name := fmt.Sprintf("datadir.fsync_%d_", p.Bytes)
		if p.Bytes%1024 == 0 {
			name = fmt.Sprintf("datadir.fsync_%dk_", p.Bytes/1024)
		}
		add(name+"p50_seconds", p.P50)
		add(name+"p99_seconds", p.P99)
		add(name+"max_seconds", p.Max)
		add(name+"per_second", p.PerSecond)
	}
}
