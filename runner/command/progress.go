package command

import (
	"fmt"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/sweep"
)

// progress shows a sweep under way as a bar on standard error, when that is a terminal.
type progress struct {
	env   Env
	quiet bool
	bar   *progressbar.ProgressBar

	paceFrom time.Time // when the first trial had ended
	paceDone int       // trials that had ended then
}

func newProgress(env Env, quiet bool) *progress {
	return &progress{env: env, quiet: quiet || !env.ErrTerminal}
}

func (p *progress) watch(e sweep.Event) {
	if p.quiet {
		return
	}
	if e.Trial != nil && p.paceFrom.IsZero() {
		p.paceFrom, p.paceDone = time.Now(), e.Done
	}
	p.show(e)
}

// barFrame is what a line has beside the description and the bar itself: " 100% [", "]" and blanks.
const barFrame = 12

// barWidth leaves the description most of the line.
func (p *progress) barWidth() int { return max(10, min(30, p.env.Width-70)) }

func (p *progress) show(e sweep.Event) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(e.Total,
			progressbar.OptionSetWriter(p.env.Stderr),
			progressbar.OptionSetWidth(p.barWidth()),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(0),
			progressbar.OptionUseANSICodes(false),
			progressbar.OptionSetTheme(progressbar.Theme{Saucer: "#", SaucerPadding: ".", BarStart: "[", BarEnd: "]"}),
		)
	}
	text := []rune(p.describe(e))
	if most := max(10, p.env.Width-1-p.barWidth()-barFrame); len(text) > most {
		text = append(text[:most-3], '.', '.', '.')
	}
	p.bar.Describe(string(text))
	p.bar.Set(e.Done)
}

func (p *progress) describe(e sweep.Event) string {
	text := fmt.Sprintf("trial %d of %d", e.Done, e.Total)
	if e.Trial != nil {
		text += ", " + rateText(e.Trial)
	} else {
		text += ", " + e.Doing
	}
	if left, ok := p.left(e); ok {
		text += ", " + shortTime(left) + " left"
	}
	return charts.Line(text)
}

func rateText(t *result.Trial) string {
	where := fmt.Sprintf("%d threads", t.Threads)
	if t.Queries > 0 {
		where = fmt.Sprintf("%d x %d", t.Threads, t.Queries)
	}
	if r := t.Measure.QueriesPerSecond(); r != nil {
		return fmt.Sprintf("%s: %.0f q/s", where, *r)
	}
	return fmt.Sprintf("%s: %s", where, t.Status)
}

// left is the time that the remaining trials will take at the pace since the
// first one, so that starting and loading do not count.
func (p *progress) left(e sweep.Event) (time.Duration, bool) {
	done := e.Done - p.paceDone
	if p.paceFrom.IsZero() || done < 1 {
		return 0, false
	}
	return time.Since(p.paceFrom) / time.Duration(done) * time.Duration(e.Total-e.Done), true
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
		fmt.Fprint(p.env.Stderr, "\r"+strings.Repeat(" ", max(0, p.env.Width-1))+"\r")
	}
}
