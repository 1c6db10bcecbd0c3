package series

import (
	"math"
	"slices"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

var nan = math.NaN()

// counters are the counters of a machine at one moment. Unknown ones are NaN, so
// that every difference with them is unknown too.
type counters struct {
	at time.Time

	stat    procfs.Stat
	loadavg procfs.Loadavg
	sockets procfs.Sockets
	process procfs.Process
	nics    []nic
	disks   []disk

	throttled     float64 // thermal events, all CPUs together
	quotaPeriods  float64 // periods in which a control group used up its CPU quota
	quotaThrottle float64 // seconds that its threads had to wait for that, summed over CPUs

	memoryAvailable, memoryFree, memoryDirty, swapTotal, swapFree float64
	swapIn, swapOut, majorFaults                                  float64 // pages; faults

	retransmits, listenOverflows, listenDropped float64

	pressure [pressures]float64 // seconds, cumulative

	// Runnable tasks observed so far, at 10 Hz.
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

// clear makes all values unknown and keeps the memory.
func (c *counters) clear() {
	stat, nics, disks := c.stat, c.nics, c.disks
	stat.Reset()
	*c = counters{stat: stat, loadavg: procfs.UnknownLoadavg(), sockets: procfs.Sockets{InUse: nan, TimeWait: nan},
		process: procfs.UnknownProcess(), nics: nics, disks: disks}
	for i := range c.pressure {
		c.pressure[i] = nan
	}
	for _, v := range []*float64{&c.throttled, &c.quotaPeriods, &c.quotaThrottle, &c.memoryAvailable, &c.memoryFree, &c.memoryDirty, &c.swapTotal, &c.swapFree,
		&c.swapIn, &c.swapOut, &c.majorFaults, &c.retransmits, &c.listenOverflows, &c.listenDropped} {
		*v = nan
	}
	for i := range c.nics {
		c.nics[i].fresh = false
	}
	for i := range c.disks {
		c.disks[i].fresh = false
	}
}

// copy returns a copy that shares no memory.
func (c *counters) copy() *counters {
	d := *c
	d.stat.CPUs, d.nics, d.disks = slices.Clone(c.stat.CPUs), slices.Clone(c.nics), slices.Clone(c.disks)
	d.process.Name = nil // shares memory with the file that was read
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
