package command

import (
	"fmt"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"mysweep/runner/result"
	"mysweep/runner/sweep"
)

// progress shows a sweep under way on standard error: a bar to a person, a
// line a minute at most to a log.
type progress struct {
	world World
	quiet bool
	began time.Time
	first int // trials that were there already when the sweep began
	bar   *progressbar.ProgressBar
	last  time.Time // of the last line in a log
}

func newProgress(w World, quiet bool) *progress {
	return &progress{world: w, quiet: quiet, began: time.Now(), first: -1, last: time.Now()}
}

func (p *progress) watch(e sweep.Event) {
	if p.quiet {
		return
	}
	if p.first < 0 {
		p.first = e.Done
		if e.Trial != nil {
			p.first--
		}
	}
	if p.world.ErrTerminal {
		p.show(e)
	} else if time.Since(p.last) >= time.Minute {
		p.last = time.Now()
		fmt.Fprintf(p.world.Stderr, "mysweep: trial %d of %d%s, about %s left\n", e.Done, e.Total, rateText(e.Trial), p.left(e))
	}
}

func (p *progress) show(e sweep.Event) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(e.Total,
			progressbar.OptionSetWriter(p.world.Stderr),
			progressbar.OptionSetWidth(max(10, min(30, p.world.Width-60))),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(0),
			progressbar.OptionUseANSICodes(false),
			progressbar.OptionSetTheme(progressbar.Theme{Saucer: "#", SaucerPadding: ".", BarStart: "[", BarEnd: "]"}),
		)
	}
	p.bar.Describe(p.describe(e))
	p.bar.Set(e.Done)
}

func (p *progress) describe(e sweep.Event) string {
	if e.Trial == nil {
		return e.Doing
	}
	return fmt.Sprintf("trial %d of %d%s, %s left", e.Done, e.Total, rateText(e.Trial), p.left(e))
}

func rateText(t *result.Trial) string {
	if t == nil {
		return ""
	}
	where := fmt.Sprintf(", %d threads", t.Threads)
	if t.Queries > 0 {
		where += fmt.Sprintf(" x %d", t.Queries)
	}
	if r := t.Measure.QueriesPerSecond(); r != nil {
		return fmt.Sprintf("%s: %.0f q/s", where, *r)
	}
	return fmt.Sprintf("%s: %s", where, t.Status)
}

// left is the time that the remaining trials will take at the pace so far.
func (p *progress) left(e sweep.Event) string {
	done := e.Done - p.first
	if done < 1 {
		return "some time"
	}
	pace := time.Since(p.began) / time.Duration(done)
	return shortTime(pace * time.Duration(e.Total-e.Done))
}

// shortTime is a time for reading: 42 s, 5 min 3 s, 2 h 10 min.
func shortTime(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := d/time.Hour, d%time.Hour/time.Minute, d%time.Minute/time.Second
	switch {
	case h > 0:
		return fmt.Sprintf("%d h %d min", h, m)
	case m > 0:
		return fmt.Sprintf("%d min %d s", m, s)
	}
	return fmt.Sprintf("%d s", s)
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Clear()
		fmt.Fprint(p.world.Stderr, "\r"+strings.Repeat(" ", max(0, p.world.Width-1))+"\r")
	}
}
