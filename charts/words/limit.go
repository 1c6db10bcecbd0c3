package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/verdict"
)

// Limit says what limited the peak of a sweep, with the evidence. What makes
// the figures doubtful comes first: other processes that used the CPUs, a
// requested rate, trials that are too short.
func Limit(s *verdict.Sweep) string {
	if s.Peak == nil {
		return ""
	}
	l := limitWords{&s.Limit, s.Peak}
	var parts []string
	if l.OthersDominate {
		parts = append(parts, fmt.Sprintf("Other processes used %s of %s CPUs, more than server and load generator together (%s).",
			Significant(*l.Others), Significant(l.ClientUsable), l.processes()))
	}
	if l.Rate != nil && l.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("The server did not keep up with the requested rate: %s of %s rounds/s reached, %s dropped.",
			Or(l.Reached, Count), Count(*l.Rate), Plural(int(l.Dropped), "round")))
	}
	return strings.Join(append(parts, l.sentence()), " ")
}

// LimitInShort is Limit for a line that is labelled "limit", without what else
// was looked at.
func LimitInShort(s *verdict.Sweep) string {
	l := limitWords{&s.Limit, s.Peak}
	switch {
	case s.Peak == nil:
		return ""
	case l.Kind == verdict.LimitRate:
		return fmt.Sprintf("the requested rate of %s rounds/s, not the server", Count(*l.Rate))
	case l.Short:
		return fmt.Sprintf("unknown: trials of %s are too short to tell", Span(l.Elapsed))
	case l.Kind == verdict.LimitCapacity:
		return fmt.Sprintf("%s of the server: throughput still increases at %s", l.Capacity, Plural(l.Threads, "thread"))
	case l.Kind == verdict.LimitThreads:
		return fmt.Sprintf("the thread count: throughput still increases at %s, the highest tested", Plural(l.Threads, "thread"))
	case l.Cause == nil && l.OthersDominate:
		return fmt.Sprintf("unknown: other processes used %s of %s CPUs (%s)", Significant(*l.Others), Significant(l.ClientUsable), l.processes())
	case l.Cause == nil:
		return "unknown: " + orNothing(l.seen())
	}
	text := strings.NewReplacer("Limited by ", "", "Probably limited by ", "probably ").Replace(l.cause())
	if l.Certainty == verdict.Possible {
		text = "possibly " + text
	}
	if l.OthersDominate {
		text += fmt.Sprintf("; other processes used %s of %s CPUs", Significant(*l.Others), Significant(l.ClientUsable))
	}
	return text
}

// limitWords is a limit with the cell that it is about.
type limitWords struct {
	*verdict.Limit
	peak *verdict.Point
}

func (l limitWords) sentence() string {
	seen := l.seen()
	switch {
	case l.Kind == verdict.LimitRate:
		return fmt.Sprintf("Limited by the requested rate of %s rounds/s: this is not the maximum of the server.", Count(*l.Rate))
	case l.Short:
		return fmt.Sprintf("Limit unknown: trials of %s are too short to tell.", Span(l.Elapsed))
	case l.Kind == verdict.LimitCapacity:
		return fmt.Sprintf("Limited by %s of the server: throughput still increases at %s, and more are not accepted; %s.", l.Capacity, Plural(l.Threads, "thread"), orNothing(seen))
	case l.Kind == verdict.LimitThreads:
		return fmt.Sprintf("Limited by the thread count: throughput still increases at %s, the highest tested; %s.", Plural(l.Threads, "thread"), orNothing(seen))
	case l.Cause == nil:
		return fmt.Sprintf("Limit unknown: %s.", orNothing(seen))
	}
	text := l.cause()
	if l.Certainty == verdict.Possible {
		text = "Possibly l" + strings.TrimPrefix(text, "L")
	}
	if seen != "" {
		text += "; " + seen
	}
	return text + "."
}

// cause names the saturated resource.
func (l limitWords) cause() string {
	u := l.Cause
	switch u.Kind {
	case verdict.LimitSharedCPU:
		return "Limited by CPU: client and server share this machine (" + l.cpus() + "; " + l.processes() + ")"
	case verdict.LimitServerCPU:
		return "Limited by server CPU (" + l.cpus() + ")"
	case verdict.LimitClient:
		return fmt.Sprintf("Limited by the client, so the figure is a lower bound: %s %s busy", u.What, Percent(u.Share))
	case verdict.LimitThinkTime:
		return fmt.Sprintf("Limited by think time: %s with a mean think time of %s allow %s rounds/s, of which %s were reached",
			Plural(l.peak.Threads, "user"), Span(l.Think), Count(float64(l.peak.Threads)/l.Think), Percent(min(1, u.Share)))
	case verdict.LimitNetwork:
		return fmt.Sprintf("Limited by the network: %s%s at %s of its link speed", u.Device, of(u.Role), Percent(u.Share))
	case verdict.LimitOneCPU:
		return fmt.Sprintf("Limited by one CPU: interrupts take %s of CPU %s%s", Percent(u.Share), u.Device, of(u.Role))
	case verdict.LimitDisk:
		return fmt.Sprintf("Probably limited by the disk: %s%s %s busy", u.Device, of(u.Role), Percent(u.Share))
	case verdict.LimitLogFlush:
		return fmt.Sprintf("Probably limited by log flushes: at the time of one flush, they take about %s of the elapsed time", Percent(u.Share))
	case verdict.LimitRowLocks:
		return fmt.Sprintf("Limited by row locks: threads wait for them %s of the time", Percent(min(1, u.Share)))
	}
	return fmt.Sprintf("Limited by waits inside the server: %s of %s are running there while its CPUs are mostly idle; on what they wait is unknown",
		Significant(u.Share*float64(l.peak.Threads)), Plural(l.peak.Threads, "thread"))
}

func (l limitWords) cpus() string {
	text := Percent(l.Cause.Share) + " busy"
	if l.Usable != nil {
		text = Significant(*l.Usable) + " " + Things(int(*l.Usable+0.5), "CPU") + " " + text
	}
	if r := l.peak.RunnablePerCPU; r != nil {
		text += ", " + Significant(*r) + " runnable tasks per CPU"
	}
	return text
}

// processes says who used the CPUs of a shared machine.
func (l limitWords) processes() string {
	if l.Others == nil || l.peak.ServerProcess == nil || l.peak.ClientProcess == nil {
		return "by which processes is unknown"
	}
	text := fmt.Sprintf("server %s, load generator %s", Significant(*l.peak.ServerProcess), Significant(*l.peak.ClientProcess))
	if l.Usable != nil && *l.Others > 0.15**l.Usable && !l.OthersDominate {
		text += ", other processes " + Significant(*l.Others)
	}
	return text
}

// seen lists what else was looked at, in a few words each.
func (l limitWords) seen() string {
	var list []string
	for i := range l.Uses {
		u := &l.Uses[i]
		if l.Cause != nil && u.Kind == l.Cause.Kind || u.Share < 0.01 {
			continue
		}
		switch u.Kind {
		case verdict.LimitNetwork:
			list = append(list, fmt.Sprintf("%s at %s of its link speed", u.What, Percent(u.Share)))
		case verdict.LimitServerCPU, verdict.LimitSharedCPU, verdict.LimitClient, verdict.LimitDisk:
			list = append(list, fmt.Sprintf("%s %s busy", u.What, Percent(u.Share)))
		}
	}
	return And(list)
}

func orNothing(seen string) string {
	if seen == "" {
		return "nothing but the trials was observed"
	}
	return seen
}

// of says whose a device is; a shared machine needs no name.
func of(role string) string {
	if role == "shared" || role == "" {
		return ""
	}
	return " of the " + role
}
