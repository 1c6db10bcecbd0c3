package verdict

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Shares from which on something counts as used up.
const (
	fullCPU       = 0.90 // of the usable CPUs
	fullGenerator = 0.90 // of the load generator's busiest loop
	fullNIC       = 0.85 // of the link's speed
	fullInterrupt = 0.80 // of one CPU, in hard and soft interrupts
	fullDisk      = 0.90 // of the time with a request under way
	fullFlush     = 0.70 // of the elapsed time, in flushes of the log
	fullThink     = 0.95 // of the rate that the think time allows
	fullLocks     = 0.25 // of the threads' time, waiting for row locks
	manyRunning   = 0.50 // of the threads, running inside the server
)

// Kinds of Limit.
const (
	LimitClient    = "client"     // the load generator: the figure is a lower bound
	LimitRate      = "rate"       // the rate that was asked for
	LimitNetwork   = "network"    // a link
	LimitOneCPU    = "one-cpu"    // one CPU busy with interrupts
	LimitServerCPU = "server-cpu" // all CPUs that the server may use
	LimitSharedCPU = "shared-cpu" // all CPUs of the machine that server and client share
	LimitDisk      = "disk"
	LimitLogFlush  = "log-flush"
	LimitRowLocks  = "row-locks"
	LimitWaits     = "waits"      // inside the server, on what is not known
	LimitThinkTime = "think-time" // of the users that the threads stand for
	LimitThreads   = "threads"    // none of the above, and it still rose
	LimitUnknown   = "unknown"    // nothing that was seen
	LimitNone      = ""           // no peak
)

// Limit says what limited the peak, in one sentence with its evidence.
type Limit struct {
	Kind string
	Text string
	Uses []Use // all that was looked at
}

// Use is how much of something the peak used, as a share of what there is.
type Use struct {
	What  string // in words, e.g. "network eth0 of the server"
	Kind  string // the Limit that it would be
	Share float64
	Full  float64 // the share from which on it counts as used up
}

// limit judges the trials that speak for the peak.
func (s *Sweep) limit(run *result.Run) Limit {
	if s.Peak == nil {
		return Limit{}
	}
	threads := s.ThreadCounts()
	w := witness{peak: s.Peak, rising: s.Rising, most: threads[len(threads)-1], shared: s.Peak.trials[0].Evidence.SharedHost}
	w.usable = NewFigure(known(w.peak.trials, usable)).Median
	w.collect(run, s)
	l := Limit{Uses: w.uses}
	l.Kind, l.Text = w.judge()
	return l
}

// witness is the evidence of the peak's trials.
type witness struct {
	peak   *Point
	rising bool
	most   int // threads that were tried
	shared bool
	think  float64  // mean think time in seconds, 0 without one
	usable *float64 // CPUs of the server's machine
	uses   []Use
}

func usable(t *result.Trial) *float64 {
	if m := serverMachine(t); m != nil && m.UsableCPUs > 0 {
		return &m.UsableCPUs
	}
	return nil
}

// collect looks at each resource, the most telling first.
func (w *witness) collect(run *result.Run, s *Sweep) {
	cpu, what := LimitServerCPU, "server CPUs"
	if w.shared {
		cpu, what = LimitSharedCPU, "CPUs of the machine"
	}
	w.add(what, cpu, fullCPU, func(t *result.Trial) *float64 { return busy(serverMachine(t)) })
	w.add("load generator", LimitClient, fullGenerator, generatorBusy)
	if !w.shared {
		w.add("client CPUs", LimitClient, fullCPU, func(t *result.Trial) *float64 { return busy(t.Evidence.Client) })
	}
	if w.think = thinkTime(&run.Plan, s.Workload); w.think > 0 {
		w.add("think time", LimitThinkTime, fullThink, w.thinking)
	}
	w.device("network", nicRatio, LimitNetwork, fullNIC)
	w.interrupts()
	w.device("disk", diskRatio, LimitDisk, fullDisk)
	w.add("log flushes", LimitLogFlush, fullFlush, func(t *result.Trial) *float64 { return flushing(t, caseOf(run, s.Case)) })
	w.add("row lock waits", LimitRowLocks, fullLocks, lockWaiting)
	w.add("threads running in the server", LimitWaits, manyRunning, running)
}

// add notes the median over the trials, when it is known.
func (w *witness) add(what, kind string, full float64, of func(*result.Trial) *float64) {
	if m := NewFigure(known(w.peak.trials, of)).Median; m != nil {
		w.uses = append(w.uses, Use{what, kind, *m, full})
	}
}

// device notes the busiest device that any machine had in any trial.
func (w *witness) device(word, pattern, kind string, full float64) {
	var most *device
	for _, t := range w.peak.trials {
		for _, side := range sides(t) {
			if d := busiest(side, pattern); d != nil && (most == nil || d.share > most.share) {
				most = d
			}
		}
	}
	if most != nil {
		w.uses = append(w.uses, Use{word + " " + most.name + of(most.side), kind, most.share, full})
	}
}

func (w *witness) interrupts() {
	var most *Use
	for _, t := range w.peak.trials {
		for _, side := range sides(t) {
			c := interrupts(side.machine)
			if c != nil && (most == nil || c.IRQ+c.SoftIRQ > most.Share) {
				most = &Use{fmt.Sprintf("interrupts on CPU %d%s", c.ID, of(side.role)), LimitOneCPU, c.IRQ + c.SoftIRQ, fullInterrupt}
			}
		}
	}
	if most != nil {
		w.uses = append(w.uses, *most)
	}
}

// of says whose a device is; a shared machine needs no name.
func of(role string) string {
	if role == "shared" {
		return ""
	}
	return " of the " + role
}

// use is the first use of a kind that is used up, nil when none is.
func (w *witness) full(kinds ...string) *Use {
	for _, kind := range kinds {
		for i := range w.uses {
			if u := &w.uses[i]; u.Kind == kind && u.Share >= u.Full {
				return u
			}
		}
	}
	return nil
}

// judge names the limit. What makes every other figure a lower bound stands
// first; waits inside the server only count where nothing else is used up.
func (w *witness) judge() (kind, text string) {
	if asked := w.peak.trials[0].Rate; asked != nil {
		return LimitRate, fmt.Sprintf("The rate was set to %s a second: this shows how the server stands it, not the most it can do.", count(*asked))
	}
	u := w.full(LimitThinkTime, LimitSharedCPU, LimitClient, LimitNetwork, LimitOneCPU, LimitServerCPU, LimitDisk, LimitLogFlush, LimitRowLocks)
	if u != nil {
		return u.Kind, w.sentence(u)
	}
	seen := w.seen(nil)
	if waits := w.full(LimitWaits); waits != nil && w.serverIdle() {
		return LimitWaits, fmt.Sprintf("The threads wait inside the server: %s of %s run there, yet %s. On what they wait these figures do not tell.",
			two(waits.Share*float64(w.peak.Threads)), plural(w.peak.Threads, "thread"), seen)
	}
	if w.rising {
		return LimitThreads, fmt.Sprintf("It still rose at %s, the most that were tried: %s.", plural(w.most, "thread"), orNothing(seen))
	}
	return LimitUnknown, fmt.Sprintf("What limits it is not known: %s.", orNothing(seen))
}

// serverIdle reports whether the server's CPUs are known to be less than half busy.
func (w *witness) serverIdle() bool {
	c := w.peak.ServerCPU
	return c != nil && *c < 0.5
}

func (w *witness) sentence(u *Use) string {
	var text string
	switch u.Kind {
	case LimitSharedCPU:
		text = fmt.Sprintf("The CPUs of the one machine limit it: %s%s", w.cpus(u), w.split())
	case LimitClient:
		text = fmt.Sprintf("The client limits it, so the figure is a lower bound: %s %s busy", u.What, percent(u.Share))
	case LimitThinkTime:
		text = fmt.Sprintf("The users' think time limits it: %s that think %s each allow %s rounds/s, and %s of that was reached",
			plural(w.peak.Threads, "user"), span(w.think), count(float64(w.peak.Threads)/w.think), percent(u.Share))
	case LimitNetwork:
		text = fmt.Sprintf("The network limits it: %s at %s of its link", strings.TrimPrefix(u.What, "network "), percent(u.Share))
	case LimitOneCPU:
		text = fmt.Sprintf("One CPU limits it: %s take %s of its time", u.What, percent(u.Share))
	case LimitServerCPU:
		text = "The server's CPU limits it: " + w.cpus(u)
	case LimitDisk:
		text = fmt.Sprintf("The disk seems to limit it: %s had requests under way %s of the time", strings.TrimPrefix(u.What, "disk "), percent(u.Share))
	case LimitLogFlush:
		text = fmt.Sprintf("Flushing the log seems to limit it: by the time of one flush, all take about %s of the time", percent(u.Share))
	case LimitRowLocks:
		text = fmt.Sprintf("Row locks limit it: threads wait for them %s of their time", percent(u.Share))
	}
	if rest := w.seen(u); rest != "" {
		text += "; " + rest
	}
	return text + "."
}

func (w *witness) cpus(u *Use) string {
	text := percent(u.Share) + " busy"
	if w.usable != nil {
		text = short(*w.usable) + " CPUs " + text
	}
	if r := w.peak.RunnablePerCPU; r != nil {
		text += ", " + two(*r) + " runnable per CPU"
	}
	return text
}

// split says who used the CPUs of a shared machine.
func (w *witness) split() string {
	rest := NewFigure(known(w.peak.trials, others)).Median
	if rest == nil {
		return ", used by server and client together"
	}
	text := fmt.Sprintf(", of which the server used %s and the client %s", two(*w.peak.ServerProcess), two(*w.peak.ClientProcess))
	if w.usable != nil && *rest > mostOthers**w.usable {
		text += ", but others " + two(*rest)
	}
	return text
}

// seen lists what else was looked at, in a few words each.
func (w *witness) seen(but *Use) string {
	var list []string
	for i := range w.uses {
		u := &w.uses[i]
		if u == but || but != nil && u.Kind == but.Kind || u.Share < 0.01 {
			continue
		}
		switch u.Kind {
		case LimitNetwork:
			list = append(list, fmt.Sprintf("%s at %s of its link", u.What, percent(u.Share)))
		case LimitServerCPU, LimitSharedCPU, LimitClient, LimitDisk:
			list = append(list, fmt.Sprintf("%s %s busy", u.What, percent(u.Share)))
		}
	}
	return and(list)
}

func orNothing(seen string) string {
	if seen == "" {
		return "nothing was seen beside the trials"
	}
	return seen
}

func caseOf(run *result.Run, name string) *result.Case {
	for i := range run.Cases {
		if run.Cases[i].Name == name {
			return &run.Cases[i]
		}
	}
	return nil
}

// flushing is the share of the elapsed time that the log's flushes took, by
// the time of one flush of that file system.
func flushing(t *result.Trial, c *result.Case) *float64 {
	flushes, ok := t.Evidence.Status["Innodb_os_log_fsyncs"]
	if !ok || c == nil || c.FsyncP50 == nil || t.Measure.Elapsed <= 0 {
		return nil
	}
	return ptr(flushes * *c.FsyncP50 / t.Measure.Elapsed)
}

// lockWaiting is the share of the threads' time that they waited for row
// locks; the server counts milliseconds.
func lockWaiting(t *result.Trial) *float64 {
	ms, ok := t.Evidence.Status["Innodb_row_lock_time"]
	if !ok || t.Measure.Elapsed <= 0 {
		return nil
	}
	return ptr(ms / 1000 / (t.Measure.Elapsed * threadsOf(t)))
}

// thinking is the share of the rate that the think time allows: threads /
// (think time + response time) has threads / think time as its bound.
func (w *witness) thinking(t *result.Trial) *float64 {
	tps := t.Measure.TransactionsPerSecond()
	if tps == nil {
		return nil
	}
	return ptr(*tps * w.think / threadsOf(t))
}

// thinkTime is the mean think time of a workload in seconds, 0 without one.
// DBT-1's is 7.2 s unless set.
func thinkTime(p *plan.Plan, label string) float64 {
	w := workloadOf(p, label)
	if w == nil || w.Name != "dbt1" {
		return 0
	}
	for _, key := range []string{"think-time", "think_time"} {
		if d, err := plan.ParseDuration(w.Options[key]); err == nil {
			return d.Seconds()
		}
	}
	return 7.2
}

// running is the share of the threads that ran inside the server.
func running(t *result.Trial) *float64 {
	if t.Evidence.ThreadsRunningMean == nil {
		return nil
	}
	return ptr(*t.Evidence.ThreadsRunningMean / threadsOf(t))
}

// threadsOf is how many threads really ran: a .smack file may start several
// for each that the cell counts.
func threadsOf(t *result.Trial) float64 {
	return float64(max(t.Threads, t.Measure.Threads))
}
