package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/plan"
)

// how says in a few sentences how the figures came about.
func how(d *charts.Data) []string {
	p := &d.Archive.Run.Plan
	said := []string{trialInWords(p), sweepInWords(p), talkInWords(p, reconnecting(d))}
	if charts.TooShort(d) {
		said = append(said, "Load averages and runnable tasks are not drawn over time: the run was too short, or the server's machine could not be seen.")
	}
	return said
}

func trialInWords(p *plan.Plan) string {
	connect := "all threads connect at once"
	if p.ConnectParallel > 0 {
		connect = fmt.Sprintf("%d threads connect at a time", p.ConnectParallel)
	}
	text := "In a trial " + connect + ", all wait until the last is ready, then the clock starts. "
	switch {
	case p.Time > 0:
		text += fmt.Sprintf("It runs for %s; what is answered later counts in no rate.", span(p.Time))
	case p.Events > 0:
		text += fmt.Sprintf("It ends after %d rounds in all.", p.Events)
	case p.MinTime > 0:
		text += fmt.Sprintf("It ends when each thread has done its rounds, and this burst is repeated until %s are full.", span(p.MinTime))
	default:
		text += "It ends when each thread has done its rounds."
	}
	return text + " Loading tables, reading facts and warm-up are not measured."
}

func sweepInWords(p *plan.Plan) string {
	var parts []string
	switch {
	case p.Repeat > 1 && p.Order == "sequential":
		parts = append(parts, fmt.Sprintf("Each cell ran %d times in a row.", p.Repeat))
	case p.Repeat > 1:
		parts = append(parts, fmt.Sprintf("%d repeats walk the cells, each in a fresh order drawn from the seed %d, so that drift of the machine falls on all alike.", p.Repeat, p.Seed))
	default:
		parts = append(parts, "Each cell ran once.")
	}
	if p.Confirm > 0 {
		parts = append(parts, fmt.Sprintf("The best cell then ran %d times more, and the answer speaks of those: the best of many is partly luck.", p.Confirm))
	}
	return strings.Join(parts, " ")
}

// reconnecting says when the threads of each workload reconnected, as its trials have it: a
// workload that does so by itself overrides the plan.
func reconnecting(d *charts.Data) string {
	p := &d.Archive.Run.Plan
	var all, named []string
	for _, w := range p.Workloads {
		when := p.Reconnect
		for _, t := range d.Archive.Trials {
			if t.Workload == w.Label() && t.Reconnect != "" {
				when = t.Reconnect
				break
			}
		}
		text := reconnectInWords(when)
		if !contains(all, text) {
			all = append(all, text)
		}
		named = append(named, w.Label()+": "+text)
	}
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(named, "; ")
}

func reconnectInWords(when string) string {
	switch when {
	case "never", "":
		return "each thread keeps one connection"
	case "query", "round":
		return "each thread reconnects for every " + when
	case "random":
		return "each thread reconnects at random"
	}
	return "each thread reconnects after " + when + " rounds"
}

func talkInWords(p *plan.Plan, reconnecting string) string {
	text := fmt.Sprintf("Statements use the %s protocol; %s.", p.Protocol, reconnecting)
	if p.Rate > 0 {
		text += fmt.Sprintf(" Rounds are due at %s a second (%s), and latency counts from when they were due.", charts.Grouped(&p.Rate), p.Arrivals)
	}
	return text + " Failed statements are counted separately and excluded from rates and latencies."
}

func span(d plan.Duration) string {
	t := time.Duration(d)
	if t < time.Second {
		return fmt.Sprintf("%d ms", t.Milliseconds())
	}
	return lasted(t)
}
