package series

import (
	"math"
	"os"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// Load is the kernel's load average over 1, 5 and 15 minutes.
type Load struct {
	One     float64 `json:"1m"`
	Five    float64 `json:"5m"`
	Fifteen float64 `json:"15m"`
}

// CPU is the share of its time that a CPU spent in each state, each in [0,1];
// all states but Guest add up to 1. Guest is time that is inside User or Nice
// already, as the kernel counts it.
type CPU struct {
	ID      int     `json:"id"` // -1 for all CPUs together
	User    float64 `json:"user"`
	Nice    float64 `json:"nice"`
	System  float64 `json:"system"`
	IOWait  float64 `json:"iowait"`
	IRQ     float64 `json:"irq"`
	SoftIRQ float64 `json:"softirq"`
	Steal   float64 `json:"steal"`
	Guest   float64 `json:"guest"`
	Idle    float64 `json:"idle"`
}

// Busy is all time but idle, iowait and steal.
func (c CPU) Busy() float64 { return c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ }

// Sample is an interval of one machine, usually one second.
type Sample struct {
	At       time.Time     // its end
	Length   time.Duration // what rates are over
	Load     *Load         // nil when unknown, as below
	Runnable *float64      // tasks, mean of the samples at 10 Hz, the sampler included
	Blocked  *float64      // tasks that wait for a disk
	// Values are the other columns by name, in base units:
	// nic.eth0.rx_bytes_per_second. What is unknown has no entry.
	Values map[string]float64
}

const sectorBytes = 512 // the unit of /proc/diskstats, whatever the sector size of the disk

var pageBytes = float64(os.Getpagesize())

// shareOf returns the shares of one CPU between two readings. The counters of idle
// and iowait may decrease slightly, which counts as 0.
func shareOf(a, b procfs.CPUTimes) (CPU, bool) {
	if !a.Known || !b.Known {
		return CPU{}, false
	}
	var d [10]float64
	total := 0.0
	for i := range d {
		d[i] = max(0, b.Ticks[i]-a.Ticks[i])
		if i < 8 {
			total += d[i]
		}
	}
	if total <= 0 {
		return CPU{}, false
	}
	for i := range d {
		d[i] /= total
	}
	return CPU{ID: b.ID, User: d[0], Nice: d[1], System: d[2], Idle: d[3], IOWait: d[4], IRQ: d[5], SoftIRQ: d[6], Steal: d[7],
		Guest: min(d[8]+d[9], d[0]+d[1])}, true
}

// sharesOf returns the shares of each CPU that was online at both readings.
func sharesOf(a, b *counters) []CPU {
	var shares []CPU
	j := 0
	for _, t := range b.stat.CPUs {
		for j < len(a.stat.CPUs) && a.stat.CPUs[j].ID < t.ID {
			j++
		}
		if j == len(a.stat.CPUs) || a.stat.CPUs[j].ID != t.ID {
			continue
		}
		if s, ok := shareOf(a.stat.CPUs[j], t); ok {
			shares = append(shares, s)
		}
	}
	return shares
}

// put receives the value of a column, if it is known.
type put func(name string, value float64)

// between computes all columns but load, runnable and blocked.
func between(a, b *counters, each put) {
	seconds := b.at.Sub(a.at).Seconds()
	if !(seconds > 0) {
		return
	}
	known := func(name string, v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			each(name, v)
		}
	}
	rate := func(name string, from, to, scale float64) {
		if to >= from { // a counter that decreased was reset
			known(name, (to-from)*scale/seconds)
		}
	}
	cpuColumns(a, b, known)
	rate("context_switches_per_second", a.stat.ContextSwitches, b.stat.ContextSwitches, 1)
	rate("forks_per_second", a.stat.Forks, b.stat.Forks, 1)
	known("tasks", b.loadavg.Tasks)
	rate("cpu.throttle_events_per_second", a.throttled, b.throttled, 1)
	rate("cgroup.throttled_periods_per_second", a.quotaPeriods, b.quotaPeriods, 1)
	rate("cgroup.throttled_seconds_per_second", a.quotaThrottle, b.quotaThrottle, 1)
	nicColumns(a, b, rate)
	diskColumns(a, b, seconds, rate, known)
	known("memory.available_bytes", b.memoryAvailable)
	known("memory.free_bytes", b.memoryFree)
	known("memory.dirty_bytes", b.memoryDirty)
	known("memory.swap_used_bytes", b.swapTotal-b.swapFree)
	rate("memory.swap_in_bytes_per_second", a.swapIn, b.swapIn, pageBytes)
	rate("memory.swap_out_bytes_per_second", a.swapOut, b.swapOut, pageBytes)
	rate("memory.major_faults_per_second", a.majorFaults, b.majorFaults, 1)
	known("tcp.timewait", b.sockets.TimeWait)
	known("tcp.in_use", b.sockets.InUse)
	rate("tcp.retransmits_per_second", a.retransmits, b.retransmits, 1)
	rate("tcp.listen_overflows_per_second", a.listenOverflows, b.listenOverflows, 1)
	rate("tcp.listen_drops_per_second", a.listenDropped, b.listenDropped, 1)
	for i, name := range [pressures]string{"psi.cpu_some_ratio", "psi.io_some_ratio", "psi.io_full_ratio", "psi.memory_some_ratio", "psi.memory_full_ratio"} {
		rate(name, a.pressure[i], b.pressure[i], 1)
	}
	if a.process.StartTicks == b.process.StartTicks {
		rate("process.cpu_seconds_per_second", a.process.CPUTicks, b.process.CPUTicks, 1.0/procfs.TicksPerSecond)
	}
	known("process.threads", b.process.Threads)
	known("process.rss_bytes", b.process.RSSPages*pageBytes)
}

func cpuColumns(a, b *counters, known put) {
	if c, ok := shareOf(a.stat.Total, b.stat.Total); ok {
		known("cpu.user_ratio", c.User)
		known("cpu.nice_ratio", c.Nice)
		known("cpu.system_ratio", c.System)
		known("cpu.iowait_ratio", c.IOWait)
		known("cpu.irq_ratio", c.IRQ)
		known("cpu.softirq_ratio", c.SoftIRQ)
		known("cpu.steal_ratio", c.Steal)
		known("cpu.guest_ratio", c.Guest)
		known("cpu.idle_ratio", c.Idle)
		known("cpu.busy_ratio", c.Busy())
	}
	busiest, softest := math.NaN(), math.NaN()
	for _, c := range sharesOf(a, b) {
		busiest = larger(busiest, c.Busy())
		softest = larger(softest, c.SoftIRQ)
	}
	known("cpu.busiest_ratio", busiest)
	known("cpu.softirq_highest_ratio", softest)
}

// larger is the maximum of what is known.
func larger(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	return max(a, b)
}

func nicColumns(a, b *counters, rate func(string, float64, float64, float64)) {
	for i := range b.nics {
		n := &b.nics[i]
		if !n.fresh || n.rxBytes+n.txBytes == 0 {
			continue
		}
		o := a.nicBefore(n.name)
		if o == nil {
			continue
		}
		p := "nic." + n.name + "."
		rate(p+"rx_bytes_per_second", o.rxBytes, n.rxBytes, 1)
		rate(p+"tx_bytes_per_second", o.txBytes, n.txBytes, 1)
		rate(p+"rx_packets_per_second", o.rxPackets, n.rxPackets, 1)
		rate(p+"tx_packets_per_second", o.txPackets, n.txPackets, 1)
		rate(p+"rx_drops_per_second", o.rxDrops, n.rxDrops, 1)
		rate(p+"tx_drops_per_second", o.txDrops, n.txDrops, 1)
	}
}

func (c *counters) nicBefore(name string) *nic {
	for i := range c.nics {
		if c.nics[i].name == name && c.nics[i].fresh {
			return &c.nics[i]
		}
	}
	return nil
}

func (c *counters) diskBefore(name string) *disk {
	for i := range c.disks {
		if c.disks[i].name == name && c.disks[i].fresh {
			return &c.disks[i]
		}
	}
	return nil
}

// diskColumns skips partitions and disks that were never used. await is the mean
// time of the completed requests, in seconds, as in iostat.
func diskColumns(a, b *counters, seconds float64, rate func(string, float64, float64, float64), known put) {
	for i := range b.disks {
		d := &b.disks[i]
		if !d.fresh || d.reads+d.writes == 0 || b.isPartition(d.name) {
			continue
		}
		o := a.diskBefore(d.name)
		if o == nil {
			continue
		}
		p := "disk." + d.name + "."
		rate(p+"read_bytes_per_second", o.readSectors, d.readSectors, sectorBytes)
		rate(p+"write_bytes_per_second", o.writeSectors, d.writeSectors, sectorBytes)
		rate(p+"reads_per_second", o.reads, d.reads, 1)
		rate(p+"writes_per_second", o.writes, d.writes, 1)
		if busy := (d.busyMillis - o.busyMillis) / 1000 / seconds; busy >= 0 {
			known(p+"busy_ratio", min(1, busy))
		}
		known(p+"in_flight", d.inFlight)
		requests := d.reads - o.reads + d.writes - o.writes
		if waited := d.readMillis - o.readMillis + d.writeMillis - o.writeMillis; requests > 0 && waited >= 0 {
			known(p+"await_seconds", waited/1000/requests)
		}
	}
}

// isPartition reports whether the disk of a name exists: sda of sda1, nvme0n1 of
// nvme0n1p2.
func (c *counters) isPartition(name string) bool {
	end := len(name)
	for end > 0 && name[end-1] >= '0' && name[end-1] <= '9' {
		end--
	}
	if end == 0 || end == len(name) {
		return false
	}
	if c.diskBefore(name[:end]) != nil {
		return true
	}
	return name[end-1] == 'p' && c.diskBefore(name[:end-1]) != nil
}
