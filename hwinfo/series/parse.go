package series

import (
	"bytes"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// file is a sampled file and its parser.
type file struct {
	path  string
	parse func(data []byte, c *counters)
}

// files are read once a second and at marks. /proc/stat is the first one, because
// the time of the counters is that of the first file.
var files = []file{
	{"/proc/stat", func(d []byte, c *counters) { c.stat.Parse(d) }},
	{"/proc/loadavg", func(d []byte, c *counters) { c.loadavg, _ = procfs.ParseLoadavg(d) }},
	{"/proc/net/dev", parseNetDev},
	{"/proc/diskstats", parseDiskstats},
	{"/proc/meminfo", parseMeminfo},
	{"/proc/vmstat", parseVmstat},
	{"/proc/net/sockstat", func(d []byte, c *counters) { c.sockets = procfs.ParseSockstat(d) }},
	{"/proc/net/snmp", parseSNMP},
	{"/proc/net/netstat", parseNetstat},
	{"/proc/pressure/cpu", func(d []byte, c *counters) { parsePressure(d, &c.pressure[cpuSome], nil) }},
	{"/proc/pressure/io", func(d []byte, c *counters) { parsePressure(d, &c.pressure[ioSome], &c.pressure[ioFull]) }},
	{"/proc/pressure/memory", func(d []byte, c *counters) { parsePressure(d, &c.pressure[memorySome], &c.pressure[memoryFull]) }},
}

// parseNetDev reads "  eth0: 1296 12 0 0 0 0 0 0 1296 12 0 ...": eight
// counters received, eight sent. The colon may touch the first number.
func parseNetDev(data []byte, c *counters) {
	procfs.EachLine(data, func(line []byte) {
		name, rest, ok := bytes.Cut(line, []byte(":"))
		name = bytes.TrimSpace(name)
		if !ok || len(name) == 0 || bytes.IndexByte(name, '|') >= 0 {
			return
		}
		n := c.nic(name)
		procfs.Numbers(rest, &n.rxBytes, &n.rxPackets, nil, &n.rxDrops, nil, nil, nil, nil, &n.txBytes, &n.txPackets, nil, &n.txDrops)
		n.fresh = true
	})
}

// parseDiskstats reads /proc/diskstats: after major, minor and name come
// reads, merged, sectors, ms, writes, merged, sectors, ms, in flight, busy ms.
// https://docs.kernel.org/admin-guide/iostats.html
func parseDiskstats(data []byte, c *counters) {
	procfs.EachLine(data, func(line []byte) {
		_, rest := procfs.Word(line)
		_, rest = procfs.Word(rest)
		name, rest := procfs.Word(rest)
		if len(name) == 0 || skippedDisk(name) {
			return
		}
		d := c.disk(name)
		procfs.Numbers(rest, &d.reads, nil, &d.readSectors, &d.readMillis, &d.writes, nil, &d.writeSectors, &d.writeMillis, &d.inFlight, &d.busyMillis)
		d.fresh = true
	})
}

func skippedDisk(name []byte) bool {
	for _, prefix := range []string{"loop", "ram", "zram", "sr", "fd"} {
		if len(name) > len(prefix) && string(name[:len(prefix)]) == prefix && name[len(prefix)] >= '0' && name[len(prefix)] <= '9' {
			return true
		}
	}
	return false
}

func parseMeminfo(data []byte, c *counters) {
	procfs.EachMeminfo(data, func(name []byte, value float64) {
		switch string(name) {
		case "MemAvailable":
			c.memoryAvailable = value
		case "MemFree":
			c.memoryFree = value
		case "Dirty":
			c.memoryDirty = value
		case "SwapTotal":
			c.swapTotal = value
		case "SwapFree":
			c.swapFree = value
		}
	})
}

func parseVmstat(data []byte, c *counters) {
	procfs.EachLine(data, func(line []byte) {
		name, rest := procfs.Word(line)
		switch string(name) {
		case "pswpin":
			procfs.Numbers(rest, &c.swapIn)
		case "pswpout":
			procfs.Numbers(rest, &c.swapOut)
		case "pgmajfault":
			procfs.Numbers(rest, &c.majorFaults)
		}
	})
}

func parseSNMP(data []byte, c *counters) {
	column(data, "Tcp:", "RetransSegs", &c.retransmits)
}

func parseNetstat(data []byte, c *counters) {
	column(data, "TcpExt:", "ListenOverflows", &c.listenOverflows)
	column(data, "TcpExt:", "ListenDrops", &c.listenDropped)
}

// column finds a value in pairs of lines: names, then numbers.
func column(data []byte, prefix, name string, into *float64) {
	var names []byte
	procfs.EachLine(data, func(line []byte) {
		first, rest := procfs.Word(line)
		if string(first) != prefix {
			return
		}
		if names == nil {
			names = rest
			return
		}
		for {
			var key, value []byte
			key, names = procfs.Word(names)
			value, rest = procfs.Word(rest)
			if len(key) == 0 || len(value) == 0 {
				return
			}
			if string(key) == name {
				*into = procfs.Number(value)
				return
			}
		}
	})
}

// parsePressure reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" and the
// line full; totals are microseconds.
// https://docs.kernel.org/accounting/psi.html
func parsePressure(data []byte, some, full *float64) {
	procfs.EachLine(data, func(line []byte) {
		name, _ := procfs.Word(line)
		_, total, ok := bytes.Cut(line, []byte("total="))
		if !ok {
			return
		}
		w, _ := procfs.Word(total)
		switch {
		case string(name) == "some" && some != nil:
			*some = procfs.Number(w) / 1e6
		case string(name) == "full" && full != nil:
			*full = procfs.Number(w) / 1e6
		}
	})
}
