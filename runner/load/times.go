package load

import (
	"math"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/mysweep/mysweep/runner/result"
)

// longest is the highest time that a histogram holds; what is longer is counted apart, and enters
// sum and maximum exactly.
const longest = time.Hour

// times is a set of times: a histogram of fixed size (about 270 KB) with 3 significant digits, and
// beside it exact count, sum, minimum and maximum.
type times struct {
	histogram *hdr.Histogram
	count     int64
	over      int64
	// sum is in nanoseconds, in floating point: 1,000 threads that wait an hour come near 2^63.
	sum      float64
	min, max time.Duration
}

func newTimes() *times {
	return &times{histogram: hdr.New(1, int64(longest), 3), min: math.MaxInt64}
}

func (s *times) add(d time.Duration) {
	d = max(d, 1) // the clock may stand still for less than its step
	s.count++
	s.sum += float64(d)
	s.min = min(s.min, d)
	s.max = max(s.max, d)
	if d > longest || s.histogram.RecordValue(int64(d)) != nil {
		s.over++
	}
}

func (s *times) merge(other *times) {
	s.count += other.count
	s.sum += other.sum
	s.over += other.over
	s.min = min(s.min, other.min)
	s.max = max(s.max, other.max)
	s.histogram.Merge(other.histogram)
}

// distribution is the set as results have it.
func (s *times) distribution() result.Distribution {
	d := result.Distribution{Count: s.count, Sum: s.sum / 1e9, Over: s.over}
	if s.count == 0 {
		return d
	}
	mean := s.sum / float64(s.count) / 1e9
	shortest, greatest := s.min.Seconds(), s.max.Seconds()
	mean = min(max(mean, shortest), greatest) // against the last digit of the division
	d.Min, d.Mean, d.Max = &shortest, &mean, &greatest
	d.SetPercentiles(s.histogram)
	// Encode writes to memory and has no error to return.
	if encoded, err := s.histogram.Encode(hdr.V2CompressedEncodingCookieBase); err == nil {
		d.Histogram = string(encoded)
	}
	return d
}
