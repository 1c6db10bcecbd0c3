package verdict

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

const (
	trendFewest = 4    // earlier runs before any is judged
	trendWindow = 20   // of the earlier runs, the last so many
	trendLeast  = 0.05 // of the median: what differs by less is never marked
	trendSpread = 3    // robust standard deviations
)

// Past is one archived run, as run.json and cells.csv tell it.
type Past struct {
	Dir           string
	RunID         string
	Host          string // of the server
	Name          string
	StartedAt     time.Time
	Status        result.Status
	ServerVersion string
	Version       string // of mysweep
	Cells         []PastCell
}

// PastCell is one cell of a run.
type PastCell struct {
	plan.Cell
	QueriesPerSecond *float64 // median, nil when nothing was measured
	P99              *float64 // seconds
}

// Trend is the peak of runs of one name, case and workload on one host, in
// the order of time.
type Trend struct {
	Host, Name, Case, Workload string
	Points                     []TrendPoint
}

// TrendPoint is one run of a trend.
type TrendPoint struct {
	Dir, RunID    string
	StartedAt     time.Time
	Status        result.Status
	ServerVersion string
	Version       string
	Peak          PastCell // its fastest cell
	// Expected is the median of the earlier runs of the same level and
	// Tolerance how far from it a run may be; nil with fewer than four.
	Expected, Tolerance *float64
	Mark                Mark
	// Shift says that the level changed here: the next run was off to the
	// same side, and later ones are judged against the new level.
	Shift bool
}

// Mark says on which side of the tolerance a run lies.
type Mark string

// The marks; a run inside the tolerance, or not judged, has none.
const (
	Slower Mark = "slower"
	Faster Mark = "faster"
)

// Trends groups runs and marks those that lie off: farther from the median of
// the earlier runs than three times their spread (median absolute deviation ×
// 1.4826, which estimates a standard deviation: Hampel, J. Am. Stat. Assoc.
// 69, 1974) and than 5 %. Two in a row to the same side are a new level.
// Runs that did not end well are shown and not judged.
func Trends(runs []Past) []Trend {
	type key struct{ host, name, kase, workload string }
	at := map[key]int{}
	var list []Trend
	ordered := slices.Clone(runs)
	slices.SortStableFunc(ordered, func(a, b Past) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.RunID, b.RunID))
	})
	for _, r := range ordered {
		for _, peak := range r.peaks() {
			k := key{r.Host, r.Name, peak.Case, peak.Workload}
			i, seen := at[k]
			if !seen {
				i = len(list)
				at[k] = i
				list = append(list, Trend{Host: r.Host, Name: r.Name, Case: peak.Case, Workload: peak.Workload})
			}
			list[i].Points = append(list[i].Points, TrendPoint{Dir: r.Dir, RunID: r.RunID, StartedAt: r.StartedAt, Status: r.Status,
				ServerVersion: r.ServerVersion, Version: r.Version, Peak: peak})
		}
	}
	slices.SortStableFunc(list, func(a, b Trend) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Case, b.Case), cmp.Compare(a.Workload, b.Workload))
	})
	for i := range list {
		list[i].judge()
	}
	return list
}

// peaks are the fastest cells of each case and workload, in the order of the cells.
func (p *Past) peaks() []PastCell {
	var peaks []PastCell
	for _, c := range p.Cells {
		if c.QueriesPerSecond == nil {
			continue
		}
		i := slices.IndexFunc(peaks, func(o PastCell) bool { return o.Case == c.Case && o.Workload == c.Workload })
		switch {
		case i < 0:
			peaks = append(peaks, c)
		case *c.QueriesPerSecond > *peaks[i].QueriesPerSecond:
			peaks[i] = c
		}
	}
	return peaks
}

// judge walks the points in time and marks those that lie off the level.
func (t *Trend) judge() {
	var level []float64
	before := -1 // the last point that was judged
	for i := range t.Points {
		p := &t.Points[i]
		if p.Status != result.OK {
			continue
		}
		rate := *p.Peak.QueriesPerSecond
		p.Mark = p.compare(level, rate)
		switch {
		case p.Mark == "":
			level = append(level, rate)
		case before >= 0 && t.Points[before].Mark == p.Mark && !t.Points[before].Shift:
			t.Points[before].Shift = true
			level = []float64{*t.Points[before].Peak.QueriesPerSecond, rate}
		}
		if len(level) > trendWindow {
			level = level[1:]
		}
		before = i
	}
}

// compare sets what was expected and returns the mark.
func (p *TrendPoint) compare(level []float64, rate float64) Mark {
	if len(level) < trendFewest {
		return ""
	}
	middle, tolerance := spread(level)
	tolerance = max(tolerance, trendLeast*middle)
	p.Expected, p.Tolerance = &middle, &tolerance
	switch {
	case rate < middle-tolerance:
		return Slower
	case rate > middle+tolerance:
		return Faster
	}
	return ""
}

// spread is the median of values and three robust standard deviations.
func spread(values []float64) (middle, tolerance float64) {
	middle = *NewFigure(values).Median
	away := make([]float64, len(values))
	for i, v := range values {
		away[i] = math.Abs(v - middle)
	}
	return middle, trendSpread * 1.4826 * *NewFigure(away).Median
}
