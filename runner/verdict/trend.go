package verdict

import (
	"cmp"
	"slices"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
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
	Tags          map[string]string
	Note          string // remark of the user
	// Changed is in what it differs from the run of this name before it: options, versions, the
	// machine.
	Changed []string
	PastAnswer
	Cells []PastCell
}

// PastAnswer is what a run said of its requirement and of its baseline; both are empty where the
// plan has none, and in archives of older versions.
type PastAnswer struct {
	Requirement Outcome
	Decision    Decision
}

// Outcome is the answer in one word, "" where nothing was asked. A comparison that could not be
// made counts as undecided.
func (a PastAnswer) Outcome() Outcome {
	switch {
	case a.Requirement == Fail, a.Decision == Regression:
		return Fail
	case a.Decision == Undecided, a.Decision == CannotCompare:
		return Open
	case a.Requirement == Pass, a.Decision == NoRegression:
		return Pass
	}
	return ""
}

// PastCell is one cell of a run. Rates are medians, nil when nothing was
// measured; times are seconds.
type PastCell struct {
	plan.Cell
	Headline              Headline // "" in archives that do not report it
	QueriesPerSecond      *float64
	TransactionsPerSecond *float64
	ConnectsPerSecond     *float64
	P99                   *float64 // of a statement
	TransactionP99        *float64
}

// rate is the cell's figure for a headline.
func (c *PastCell) rate(h Headline) *float64 {
	switch h {
	case Transactions:
		return c.TransactionsPerSecond
	case Connects:
		return c.ConnectsPerSecond
	}
	return c.QueriesPerSecond
}

// Trend is the peak of runs of one name, case and workload on one host, in
// the order of time.
type Trend struct {
	Host, Name, Case, Workload string
	Headline                   Headline // by the latest run that tells it, else queries
	Points                     []TrendPoint
}

// TrendPoint is one run of a trend.
type TrendPoint struct {
	Past
	Peak PastCell // its fastest cell
	Rate float64  // of the peak, for the headline of the trend
	P99  *float64 // seconds, of what the headline counts
	// Expected is the geometric mean of the runs of its level, and Tolerance two
	// standard deviations of them; nil for levels of fewer than four runs, and
	// for runs that are not judged.
	Expected, Tolerance *float64
	// Shift says that the level changed here, by the ratio Change; Outlier that
	// the run belongs to no level. Mark says to which side, else it is empty.
	Shift   bool
	Change  *float64
	Outlier bool
	Mark    Mark
}

// Mark says to which side a run, or the level that begins with it, differs.
type Mark string

// The marks.
const (
	Slower Mark = "slower"
	Faster Mark = "faster"
)

// levelFewest is how many runs show how much those of a level differ.
const levelFewest = 4

// Trends groups runs, and marks where their level changes and which are
// outliers, see Levels. Runs that did not end well are shown and not judged.
func Trends(runs []Past) []Trend {
	type key struct{ host, name, caseName, workload string }
	at := map[key]int{}
	var list []Trend
	ordered := slices.Clone(runs)
	slices.SortStableFunc(ordered, func(a, b Past) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.RunID, b.RunID))
	})
	headlines := map[key]Headline{}
	for _, r := range ordered {
		for _, c := range r.Cells {
			k := key{r.Host, r.Name, c.Case, c.Workload}
			headlines[k] = cmp.Or(c.Headline, headlines[k], Queries)
		}
	}
	for _, r := range ordered {
		of := func(c *PastCell) Headline { return headlines[key{r.Host, r.Name, c.Case, c.Workload}] }
		for _, peak := range r.peaks(of) {
			k, h := key{r.Host, r.Name, peak.Case, peak.Workload}, of(&peak)
			i, seen := at[k]
			if !seen {
				i = len(list)
				at[k] = i
				list = append(list, Trend{Host: r.Host, Name: r.Name, Case: peak.Case, Workload: peak.Workload, Headline: h})
			}
			list[i].Points = append(list[i].Points, TrendPoint{Past: r, Peak: peak, Rate: *peak.rate(h), P99: peak.p99(h)})
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

// p99 is the cell's 99th percentile for a headline.
func (c *PastCell) p99(h Headline) *float64 {
	if h == Transactions {
		return c.TransactionP99
	}
	return c.P99
}

// peaks are the fastest cells of each case and workload by their headline, in
// the order of the cells.
func (p *Past) peaks(of func(*PastCell) Headline) []PastCell {
	var peaks []PastCell
	for _, c := range p.Cells {
		rate := c.rate(of(&c))
		if rate == nil {
			continue
		}
		i := slices.IndexFunc(peaks, func(o PastCell) bool { return o.Case == c.Case && o.Workload == c.Workload })
		switch {
		case i < 0:
			peaks = append(peaks, c)
		case *rate > *peaks[i].rate(of(&c)):
			peaks[i] = c
		}
	}
	return peaks
}

// judged are the points that count, in their order.
func (t *Trend) judged() []*TrendPoint {
	var list []*TrendPoint
	for i := range t.Points {
		if p := &t.Points[i]; p.Status == result.OK && p.Rate > 0 {
			list = append(list, p)
		}
	}
	return list
}

// judge sets what the points say together.
func (t *Trend) judge() {
	points := t.judged()
	values := make([]float64, len(points))
	for i, p := range points {
		values[i] = p.Rate
	}
	changes, outliers := Levels(values)
	start := 0
	for i := range len(changes) + 1 {
		end := len(points)
		if i < len(changes) {
			end = changes[i].At
		}
		level(points[start:end], values[start:end], outliers[start:end])
		if i < len(changes) {
			p, ratio := points[end], changes[i].Ratio.Value
			p.Shift, p.Change, p.Mark = true, &ratio, markOf(ratio)
		}
		start = end
	}
}

// level sets what is expected of the runs of one level, and marks its outliers.
func level(points []*TrendPoint, values []float64, outliers []bool) {
	var kept []float64
	for i, v := range values {
		if !outliers[i] {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		return
	}
	f := NewFigure(kept)
	expected := *f.Geometric()
	for i, p := range points {
		if len(kept) >= levelFewest {
			p.Expected, p.Tolerance = &expected, ptr(2**f.Deviation)
		}
		if outliers[i] {
			p.Outlier, p.Mark = true, markOf(values[i]/expected)
		}
	}
}

func markOf(ratio float64) Mark {
	if ratio < 1 {
		return Slower
	}
	return Faster
}

// Stable are the latest runs of one level: those since the last change of any
// trend, without outliers, the oldest first.
func Stable(trends []Trend) []TrendPoint {
	var since time.Time
	for i := range trends {
		for _, p := range trends[i].Points {
			if p.Shift && p.StartedAt.After(since) {
				since = p.StartedAt
			}
		}
	}
	var list []TrendPoint
	seen := map[string]bool{}
	for i := range trends {
		for _, p := range trends[i].judged() {
			if !p.Outlier && !p.StartedAt.Before(since) && !seen[p.RunID] {
				seen[p.RunID] = true
				list = append(list, *p)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b TrendPoint) int { return a.StartedAt.Compare(b.StartedAt) })
	return list
}
