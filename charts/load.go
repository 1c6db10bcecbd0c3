package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/result"
)

// mostPoints is how many points of time a line may have; longer runs are averaged.
const mostPoints = 300

// mostShaded is how many trials are marked one by one.
const mostShaded = 40

// loadCharts draw load averages and runnable tasks of the server's machine over the run.
func loadCharts(d *Data) ([]Chart, error) {
	load := &d.observed().load
	samples := load.inOrder()
	if len(samples) < fewestSamples {
		return nil, nil
	}
	points := average(samples, mostPoints)
	names := []string{"runnable now", "load 1 min", "load 5 min", "load 15 min"}
	chart := ec.NewLine()
	chart.SetGlobalOptions(
		tip("axis", "timeTip"), legend(names),
		axis{name: "minutes:seconds since the run began", kind: "value", format: "clock", min: "dataMin", max: "dataMax"}.x(),
		axis{name: "tasks", kind: "value", format: "plain"}.y(),
	)
	of := []func(loadPoint) *float64{
		func(p loadPoint) *float64 { return p.runnable.mean() },
		func(p loadPoint) *float64 { return p.one.mean() },
		func(p loadPoint) *float64 { return p.five.mean() },
		func(p loadPoint) *float64 { return p.fifteen.mean() },
	}
	for i, name := range names {
		style := []ec.SeriesOpts{ec.WithLineChartOpts(opts.LineChart{ShowSymbol: opts.Bool(false)})}
		if i == 0 {
			style = append(style, ec.WithLineStyleOpts(opts.LineStyle{Width: 1, Opacity: opts.Float(0.75)}))
			style = append(style, trialMarks(d.Archive)...)
		}
		data := make([]opts.LineData, len(points))
		for j, p := range points {
			data[j] = point(digits(p.at, 5), of[i](p))
		}
		chart.AddSeries(name, data, style...)
	}
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	if err != nil {
		return nil, err
	}
	return []Chart{{
		ID: "load", Title: loadTitle(points), Aid: loadAid(d.Archive, load.whole > 0, len(samples) > len(points)),
		Option: option, Wide: wide, Narrow: narrow, Numbers: loadNumbers(points),
	}}, nil
}

// fewestSamples make a line.
const fewestSamples = 2

// TooShort reports whether load averages and runnable tasks were looked at too seldom to be drawn
// over time.
func TooShort(d *Data) bool { return len(d.observed().load.samples) < fewestSamples }

// loadSamples are the whole seconds of the server's machine. A trial in which none lay is one
// sample: its runnable tasks, and the load averages after it; whole counts those.
type loadSamples struct {
	samples []loadSample
	whole   int
}

type loadSample struct {
	at       float64 // seconds since the run began
	load     *result.Load
	runnable *float64
}

func (l *loadSamples) add(run *result.Run, t *result.Trial, m *result.Machine) {
	switch {
	case m == nil:
	case len(m.Samples) > 0:
		for _, s := range m.Samples {
			l.samples = append(l.samples, loadSample{s.At, s.Load, s.Runnable})
		}
	case m.RunnableMean != nil || m.LoadAfter != nil:
		l.samples = append(l.samples, loadSample{since(run, t) + t.Measure.ElapsedWithConnect, m.LoadAfter, m.RunnableMean})
		l.whole++
	}
}

func (l *loadSamples) inOrder() []loadSample {
	slices.SortStableFunc(l.samples, func(x, y loadSample) int { return cmp.Compare(x.at, y.at) })
	return l.samples
}

// tally is a mean in the making.
type tally struct {
	sum float64
	n   int
}

func (t *tally) add(x *float64) {
	if x != nil {
		t.sum, t.n = t.sum+*x, t.n+1
	}
}

func (t *tally) mean() *float64 {
	if t == nil || t.n == 0 {
		return nil
	}
	m := t.sum / float64(t.n)
	return &m
}

// loadPoint is some seconds of a machine.
type loadPoint struct {
	at                           float64 // seconds since the run began
	runnable, one, five, fifteen tally
}

// average puts neighbouring samples together until at most so many points are left.
func average(samples []loadSample, most int) []loadPoint {
	per := (len(samples) + most - 1) / most
	var points []loadPoint
	for i := range samples {
		if i%per == 0 {
			points = append(points, loadPoint{at: samples[i].at})
		}
		p := &points[len(points)-1]
		p.runnable.add(samples[i].runnable)
		if load := samples[i].load; load != nil {
			p.one.add(&load.One)
			p.five.add(&load.Five)
			p.fifteen.add(&load.Fifteen)
		}
	}
	return points
}

// labelRoom is the fraction of the time axis that the label of a mark needs, on a phone too; the
// name of the other axis needs as much at the beginning.
const labelRoom = 0.2

// trialMarks shades every other trial, or where they are many, marks where each walk through the
// cells begins. A mark too near to another label has none.
func trialMarks(a *result.Archive) []ec.SeriesOpts {
	if len(a.Trials) <= mostShaded {
		return shades(a)
	}
	var marks []ec.SeriesOpts
	repeat, labelled := 0, since(&a.Run, &a.Trials[0])
	last := &a.Trials[len(a.Trials)-1]
	room := labelRoom * (since(&a.Run, last) + last.Measure.ElapsedWithConnect - labelled)
	for i := range a.Trials {
		t := &a.Trials[i]
		name := fmt.Sprintf("repeat %d", t.Repeat)
		if t.Confirm {
			name = "confirm"
		}
		if t.Interleaved {
			continue
		}
		if t.Repeat <= repeat || t.Confirm && a.Trials[i-1].Confirm {
			continue
		}
		repeat = t.Repeat
		if i == 0 {
			continue // where the run begins needs no mark
		}
		at := since(&a.Run, t)
		if at-labelled < room {
			name = ""
		} else {
			labelled = at
		}
		marks = append(marks, ec.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: name, XAxis: at}))
	}
	if len(marks) > 8 { // a sequential run: its repeats are not walks
		return nil
	}
	return append(marks, markStyle(markLabel()))
}

func shades(a *result.Archive) []ec.SeriesOpts {
	var marks []ec.SeriesOpts
	for i := 0; i < len(a.Trials); i += 2 {
		t := &a.Trials[i]
		start := since(&a.Run, t)
		marks = append(marks, ec.WithMarkAreaData([]opts.MarkAreaData{
			{XAxis: start, MarkAreaStyle: opts.MarkAreaStyle{ItemStyle: &opts.ItemStyle{Color: "#8a94a6", Opacity: opts.Float(0.12)}}},
			{XAxis: digits(start+t.Measure.ElapsedWithConnect, 5)},
		}))
	}
	return marks
}

// since is when a trial began, in seconds since the run did.
func since(run *result.Run, t *result.Trial) float64 {
	return digits(t.StartedAt.Sub(run.StartedAt).Seconds(), 5)
}

func loadTitle(points []loadPoint) string {
	var runnable, one float64
	for _, p := range points {
		if v := p.runnable.mean(); v != nil {
			runnable = max(runnable, *v)
		}
		if v := p.one.mean(); v != nil {
			one = max(one, *v)
		}
	}
	if runnable == 0 {
		return fmt.Sprintf("The load average rose to %s", words.Significant(one))
	}
	return fmt.Sprintf("Runnable tasks peaked at %s (load average: %s)", words.Significant(runnable), words.Significant(one))
}

func loadAid(a *result.Archive, whole, averaged bool) string {
	text := "Server's machine: runnable tasks, sampled ten times a second, and the kernel's averages over 1, 5 and 15 minutes, which follow late."
	if whole {
		text += " A trial without a whole second in it is one point."
	}
	if len(a.Trials) <= mostShaded {
		text += " Every other trial is shaded."
	}
	if averaged {
		text += " Neighbouring points are averaged; series.csv and results.csv have them all."
	}
	return text
}

// loadNumbers are some of the points: a table of hundreds of seconds is of no use, and series.csv
// has them.
func loadNumbers(points []loadPoint) Numbers {
	n := Numbers{Columns: []string{"seconds", "runnable", "load 1 min", "load 5 min", "load 15 min"}}
	step := (len(points) + 29) / 30
	for i := 0; i < len(points); i += step {
		p := points[i]
		n.Rows = append(n.Rows, []string{
			words.Count(math.Round(10*p.at) / 10), Significant(p.runnable.mean()), Significant(p.one.mean()), Significant(p.five.mean()), Significant(p.fifteen.mean()),
		})
	}
	return n
}
