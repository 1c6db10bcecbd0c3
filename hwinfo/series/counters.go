package series

import (
	"math"
	"slices"
	"strconv"
	"time"
)

var nan = math.NaN()

// counters are what a machine counts, read at one moment. What it does not
// tell is NaN, so that every difference with it is unknown, too.
type counters struct {
	at time.Time

	total cpuTimes
	cpus  []cpuTimes
	nics  []nic
	disks []disk

	load            [3]float64
	runnable, tasks float64
	blocked         float64
	contextSwitches float64
	forks           float64
	throttled       float64

	memoryAvailable, memoryFree, memoryDirty, swapTotal, swapFree float64
	swapIn, swapOut, majorFaults                                  float64 // pages; faults

	timeWait, tcpInUse                          float64
	retransmits, listenOverflows, listenDropped float64

	pressure [pressures]float64 // seconds, cumulative

	process process

	// seen are the runnable tasks observed up to here, at 10 Hz.
	runnableSum, runnableCount float64
}

// The order of pressure totals.
const (
	cpuSome = iota
	ioSome
	ioFull
	memorySome
	memoryFull
	pressures
)

type cpuTimes struct {
	id    int
	ticks [10]float64 // user nice system idle iowait irq softirq steal guest guest_nice
	known bool
}

type nic struct {
	name                                                     string
	rxBytes, rxPackets, rxDrops, txBytes, txPackets, txDrops float64
	fresh                                                    bool
}

type disk struct {
	name                                                              string
	reads, readSectors, readMillis, writes, writeSectors, writeMillis float64
	inFlight, busyMillis                                              float64
	fresh                                                             bool
}

type process struct {
	cpuTicks, threads, rssPages float64
	started                     float64
}

// clear forgets the values and keeps the memory.
func (c *counters) clear() {
	cpus, nics, disks := c.cpus[:0], c.nics, c.disks
	*c = counters{cpus: cpus, nics: nics, disks: disks}
	for i := range c.load {
		c.load[i] = nan
	}
	for i := range c.pressure {
		c.pressure[i] = nan
	}
	for _, v := range []*float64{&c.runnable, &c.tasks, &c.blocked, &c.contextSwitches, &c.forks, &c.throttled,
		&c.memoryAvailable, &c.memoryFree, &c.memoryDirty, &c.swapTotal, &c.swapFree, &c.swapIn, &c.swapOut, &c.majorFaults,
		&c.timeWait, &c.tcpInUse, &c.retransmits, &c.listenOverflows, &c.listenDropped} {
		*v = nan
	}
	c.process = process{nan, nan, nan, nan}
	for i := range c.nics {
		c.nics[i].fresh = false
	}
	for i := range c.disks {
		c.disks[i].fresh = false
	}
}

// copy gives counters of its own.
func (c *counters) copy() *counters {
	d := *c
	d.cpus, d.nics, d.disks = slices.Clone(c.cpus), slices.Clone(c.nics), slices.Clone(c.disks)
	return &d
}

func (c *counters) nic(name []byte) *nic {
	for i := range c.nics {
		if c.nics[i].name == string(name) {
			return &c.nics[i]
		}
	}
	c.nics = append(c.nics, nic{name: string(name)})
	return &c.nics[len(c.nics)-1]
}

func (c *counters) disk(name []byte) *disk {
	for i := range c.disks {
		if c.disks[i].name == string(name) {
			return &c.disks[i]
		}
	}
	c.disks = append(c.disks, disk{name: string(name)})
	return &c.disks[len(c.disks)-1]
}

// words gives the next blank-separated word of a line and what follows.
func word(line []byte) (w, rest []byte) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	j := i
	for j < len(line) && line[j] != ' ' && line[j] != '\t' {
		j++
	}
	return line[i:j], line[j:]
}

// number reads a decimal number without allocating; NaN when it is none.
func number(w []byte) float64 {
	if len(w) == 0 || len(w) > 20 {
		return nan
	}
	n := 0.0
	for i, b := range w {
		if b < '0' || b > '9' {
			return slow(w, i)
		}
		n = n*10 + float64(b-'0')
	}
	return n
}

// slow reads what is not a whole number: 0.25.
func slow(w []byte, _ int) float64 {
	n, err := strconv.ParseFloat(string(w), 64)
	if err != nil || math.IsInf(n, 0) {
		return nan
	}
	return n
}

// numbers reads the words of a line into the places given; places for which there is no word are NaN.
func numbers(line []byte, into ...*float64) {
	for _, p := range into {
		var w []byte
		w, line = word(line)
		if p != nil {
			*p = number(w)
		}
	}
}
