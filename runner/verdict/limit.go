package verdict

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/mysweep/mysweep/runner/result"
)

// Saturation thresholds.
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
	// A server limit on connections or prepared statements, while throughput still increased.
	LimitCapacity = "capacity"
	LimitThreads  = "threads" // none of the above, and throughput still increased
	LimitUnknown  = "unknown" // nothing that was seen
	LimitNone     = ""        // no peak
)

// Certainty says how far a limit may be trusted.
type Certainty string

// The certainties.
const (
	Measured Certainty = "measured" // the resource's own use says so
	Indirect Certainty = "indirect" // worked out from other figures
	Possible Certainty = "possible" // who used the resource is unknown
)

// Limit is what limited the peak, with the evidence that was looked at.
type Limit struct {
	Kind      string
	Certainty Certainty // of Cause; empty without one
	Cause     *Use      // the saturated resource, nil when none is; one of Uses
	Uses      []Use     // all that was looked at

	Elapsed float64  // seconds measured per trial, the median
	Short   bool     // too short for any limit to be named
	Shared  bool     // client and server on the same CPUs
	Usable  *float64 // CPUs that the server may use
	// Others is how many CPUs processes other than server and load generator
	// used on the client's machine; nil where that is unknown.
	// OthersDominate says that where the server is on that machine too they used
	// more than both together: the CPU use is not the benchmark's.
	Others         *float64
	OthersDominate bool
	ClientUsable   float64 // CPUs of the client's machine, where OthersDominate

	Rate, Reached *float64 // rounds per second requested of an open-loop trial, and reached
	Dropped       int64    // rounds that were due and never sent
	Think         float64  // mean think time in seconds, 0 without one
	Threads       int      // highest thread count that was measured
	// Capacity is the server's limit that more threads were above, such as
	// max_connections; empty if there were none.
	Capacity string
}

// Use is how much of something the peak used, as a share of what there is.
type Use struct {
	What  string // a stable name, e.g. "network eth0 of the server"
	Kind  string // the Limit that it would be
	Share float64
	Full  float64 // saturation threshold
	// Error is how far Share may be off because of how finely it was measured:
	// kernel ticks and samples over the time of a trial, events over their count.
	Error float64

	Device string // of networks and disks; the number of a CPU
	Role   string // whose it is: client, server or shared; empty for what has no machine
}

// saturated reports whether a use is above its threshold by more than its error.
func (u *Use) saturated() bool { return u.Share-u.Error >= u.Full }

// excess is how far a use is beyond its threshold, 1 at the end of the scale.
func (u *Use) excess() float64 { return (u.Share - u.Full) / (1 - u.Full) }

const (
	kernelTick     = 0.01 // seconds: the resolution of /proc/stat and of a disk's busy time
	samplingPeriod = 0.1  // seconds between samples of running threads
)

// limit judges the trials that speak for the peak.
func (s *Sweep) limit(a *result.Archive) Limit {
	if s.Peak == nil {
		return Limit{}
	}
	peak := *s.Peak
	if peak.trials = a.FullOf(peak.trials); a.Err() != nil {
		return Limit{}
	}
	f := limitFinder{peak: &peak, rising: s.Rising}
	f.Threads = f.peak.Threads
	for i := range s.Cells {
		if s.Cells[i].Ranks() {
			f.Threads = max(f.Threads, s.Cells[i].Threads)
		}
	}
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Threads > f.Threads && c.Capacity != "" {
			f.Capacity = c.Capacity
		}
	}
	f.Shared = sharedCPUs(f.peak.trials[0])
	f.Elapsed = *NewFigure(known(f.peak.trials, func(t *result.Trial) *float64 { return &t.Measure.Elapsed })).Median
	f.Short = f.Elapsed < shortest
	f.Usable = NewFigure(known(f.peak.trials, usable)).Median
	f.requested()
	f.others()
	f.collect(&a.Run, s)
	f.judge()
	return f.Limit
}

// limitFinder gathers the evidence of the peak's trials.
type limitFinder struct {
	Limit
	peak   *Point
	rising bool
}

func usable(t *result.Trial) *float64 {
	if m := serverMachine(t); m != nil && m.UsableCPUs > 0 {
		return &m.UsableCPUs
	}
	return nil
}

// requested notes the rate that open-loop trials were asked for.
func (f *limitFinder) requested() {
	if f.Rate = f.peak.trials[0].Rate; f.Rate == nil {
		return
	}
	f.Reached = f.peak.TransactionsPerSecond.Median
	for _, t := range f.peak.trials {
		f.Dropped += t.Measure.Dropped
	}
}

func (f *limitFinder) others() {
	f.Others = NewFigure(known(f.peak.trials, others)).Median
	first := f.peak.trials[0]
	// Other processes on the client's machine do not load a separate server machine.
	if !first.Evidence.SharedHost || f.Others == nil {
		return
	}
	ours := *f.peak.ClientProcess + *f.peak.ServerProcess // both are known where others is
	f.ClientUsable = clientUsable(first)
	f.OthersDominate = *f.Others > ours && *f.Others > mostOthers*f.ClientUsable
}

// collect looks at each resource.
func (f *limitFinder) collect(run *result.Run, s *Sweep) {
	tick := min(1, kernelTick/max(f.Elapsed, 1e-9))
	cpu, what, role := LimitServerCPU, "server CPUs", "server"
	if f.Shared {
		cpu, what, role = LimitSharedCPU, "CPUs of the machine", "shared"
	}
	f.add(Use{What: what, Kind: cpu, Full: fullCPU, Error: tick, Role: role}, func(t *result.Trial) *float64 { return busy(serverMachine(t)) })
	f.add(Use{What: "load generator", Kind: LimitClient, Full: fullGenerator}, generatorBusy)
	if !f.Shared {
		f.add(Use{What: "client CPUs", Kind: LimitClient, Full: fullCPU, Error: tick, Role: "client"},
			func(t *result.Trial) *float64 { return busy(t.Evidence.Client) })
	}
	f.thinkTime(run, s)
	f.device("network", nicRatio, Use{Kind: LimitNetwork, Full: fullNIC})
	f.interrupts(tick)
	f.device("disk", diskRatio, Use{Kind: LimitDisk, Full: fullDisk, Error: tick})
	f.add(Use{What: "log flushes", Kind: LimitLogFlush, Full: fullFlush}, func(t *result.Trial) *float64 { return flushing(t, caseOf(run, s.Case)) })
	f.add(Use{What: "row lock waits", Kind: LimitRowLocks, Full: fullLocks}, lockWaiting)
	f.add(Use{What: "threads running in the server", Kind: LimitWaits, Full: manyRunning, Error: min(1, samplingPeriod/max(f.Elapsed, 1e-9))}, running)
}

// add notes the median over the trials, when it is known.
func (f *limitFinder) add(u Use, of func(*result.Trial) *float64) {
	if m := NewFigure(known(f.peak.trials, of)).Median; m != nil {
		u.Share = *m
		f.Uses = append(f.Uses, u)
	}
}

// device notes the busiest device that any machine had in any trial.
func (f *limitFinder) device(word, pattern string, u Use) {
	var most *device
	for _, t := range f.peak.trials {
		for _, side := range sides(t) {
			if d := busiest(side, pattern); d != nil && (most == nil || d.share > most.share) {
				most = d
			}
		}
	}
	if most != nil {
		u.What, u.Device, u.Role, u.Share = word+" "+most.name+of(most.side), most.name, most.side, most.share
		f.Uses = append(f.Uses, u)
	}
}

func (f *limitFinder) interrupts(tick float64) {
	var most *Use
	for _, t := range f.peak.trials {
		for _, side := range sides(t) {
			c := interrupts(side.machine)
			if c != nil && (most == nil || c.IRQ+c.SoftIRQ > most.Share) {
				number := strconv.Itoa(c.ID)
				most = &Use{What: "interrupts on CPU " + number + of(side.role), Kind: LimitOneCPU, Share: c.IRQ + c.SoftIRQ,
					Full: fullInterrupt, Error: tick, Device: number, Role: side.role}
			}
		}
	}
	if most != nil {
		f.Uses = append(f.Uses, *most)
	}
}

// of says whose a device is; a shared machine needs no name.
func of(role string) string {
	if role == "shared" {
		return ""
	}
	return " of the " + role
}

// thinkTime notes which share of the rounds that the think time allows was
// reached. Rounds of many users come as a Poisson process, so a share from n
// rounds is off by its 1/√n: a few rounds may well be half more than expected,
// and that says nothing about a limit.
func (f *limitFinder) thinkTime(run *result.Run, s *Sweep) {
	if f.Think = thinkTime(&run.Plan, s.Workload); f.Think <= 0 {
		return
	}
	rounds := 0.0
	for _, t := range f.peak.trials {
		rounds += float64(t.Measure.Transactions)
	}
	u := Use{What: "think time", Kind: LimitThinkTime, Full: fullThink}
	f.add(u, func(t *result.Trial) *float64 { return thinking(t, f.Think) })
	if last := len(f.Uses) - 1; rounds > 0 && f.Uses[last].Kind == LimitThinkTime {
		f.Uses[last].Error = f.Uses[last].Share / math.Sqrt(rounds)
	}
}

// candidates are the saturated resources, the strongest evidence first.
//
// On separate machines a saturated client comes first: it makes every other
// figure a lower bound. CPU use by other processes is no limit of the server,
// and it keeps the load generator's loops from running, so that those look
// busy: neither counts when others dominate.
func (f *limitFinder) candidates() []*Use {
	var list []*Use
	for i := range f.Uses {
		u := &f.Uses[i]
		switch {
		case u.Kind == LimitWaits:
		case u.Kind == LimitThinkTime:
			if u.Share >= u.Full && u.Error <= 1-u.Full && u.Share <= 1+2*u.Error {
				list = append(list, u)
			}
		case f.OthersDominate && (u.Kind == LimitSharedCPU || u.Kind == LimitServerCPU || u.Kind == LimitClient):
		case u.saturated():
			list = append(list, u)
		}
	}
	slices.SortStableFunc(list, func(a, b *Use) int {
		first := func(u *Use) bool { return u.Kind == LimitThinkTime || u.Kind == LimitClient && !f.Shared }
		switch {
		case first(a) && !first(b):
			return -1
		case first(b) && !first(a):
			return 1
		}
		return cmp.Compare(b.excess(), a.excess())
	})
	return list
}

// judge names the limit. Waits inside the server only count where nothing is
// saturated.
func (f *limitFinder) judge() {
	if f.Rate != nil && f.Dropped == 0 {
		f.Kind = LimitRate
		return
	}
	f.Kind = LimitUnknown
	if f.Short {
		return
	}
	if list := f.candidates(); len(list) > 0 {
		f.Cause, f.Kind, f.Certainty = list[0], list[0].Kind, f.certainty(list[0])
		return
	}
	if waits := f.use(LimitWaits); waits != nil && waits.saturated() && f.serverIdle() && !f.OthersDominate {
		f.Cause, f.Kind, f.Certainty = waits, LimitWaits, Indirect
		return
	}
	if f.rising && !f.OthersDominate {
		f.Kind = LimitThreads
		if f.Capacity != "" {
			f.Kind = LimitCapacity
		}
	}
}

func (f *limitFinder) certainty(u *Use) Certainty {
	switch {
	case u.Kind == LimitDisk, u.Kind == LimitLogFlush:
		return Indirect
	case u.Kind == LimitSharedCPU && f.Others == nil:
		return Possible
	}
	return Measured
}

func (f *limitFinder) use(kind string) *Use {
	for i := range f.Uses {
		if f.Uses[i].Kind == kind {
			return &f.Uses[i]
		}
	}
	return nil
}

// serverIdle reports whether the server's CPUs are known to be less than half busy.
func (f *limitFinder) serverIdle() bool {
	c := f.peak.ServerCPU
	return c != nil && *c < 0.5
}
