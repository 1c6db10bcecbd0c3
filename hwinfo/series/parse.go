package series

import "bytes"

// file is one that is sampled, and how it is read.
type file struct {
	path  string
	parse func(data []byte, c *counters)
}

// files are read once a second and at marks; /proc/stat stands first, as the
// time of the counters is that of the first.
var files = []file{
	{"/proc/stat", parseStat},
	{"/proc/loadavg", parseLoadavg},
	{"/proc/net/dev", parseNetDev},
	{"/proc/diskstats", parseDiskstats},
	{"/proc/meminfo", parseMeminfo},
	{"/proc/vmstat", parseVmstat},
	{"/proc/net/sockstat", parseSockstat},
	{"/proc/net/snmp", parseSNMP},
	{"/proc/net/netstat", parseNetstat},
	{"/proc/pressure/cpu", func(d []byte, c *counters) { parsePressure(d, &c.pressure[cpuSome], nil) }},
	{"/proc/pressure/io", func(d []byte, c *counters) { parsePressure(d, &c.pressure[ioSome], &c.pressure[ioFull]) }},
	{"/proc/pressure/memory", func(d []byte, c *counters) { parsePressure(d, &c.pressure[memorySome], &c.pressure[memoryFull]) }},
}

// eachLine calls f for each line, without its end.
func eachLine(data []byte, f func(line []byte)) {
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			f(data)
			return
		}
		f(data[:i])
		data = data[i+1:]
	}
}

// parseStat reads /proc/stat: times of each CPU in ticks of 1/100 s, and counters.
// https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat
func parseStat(data []byte, c *counters) {
	eachLine(data, func(line []byte) {
		name, rest := word(line)
		switch {
		case bytes.HasPrefix(name, []byte("cpu")):
			parseCPULine(name[3:], rest, c)
		case string(name) == "ctxt":
			numbers(rest, &c.contextSwitches)
		case string(name) == "processes":
			numbers(rest, &c.forks)
		case string(name) == "procs_blocked":
			numbers(rest, &c.blocked)
		}
	})
}

func parseCPULine(id, rest []byte, c *counters) {
	t := cpuTimes{id: -1, known: true}
	for i := range t.ticks {
		var w []byte
		w, rest = word(rest)
		n := number(w)
		if len(w) == 0 {
			n = 0 // kernels of old have fewer columns
		}
		t.ticks[i] = n
		t.known = t.known && n == n
	}
	if len(id) == 0 {
		c.total = t
		return
	}
	n := number(id)
	if n != n || n < 0 || n > 1<<20 {
		return
	}
	t.id = int(n)
	c.cpus = append(c.cpus, t)
}

// parseLoadavg reads "0.20 0.18 0.12 1/80 11206".
func parseLoadavg(data []byte, c *counters) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	for i := range c.load {
		var w []byte
		w, line = word(line)
		c.load[i] = number(w)
	}
	w, _ := word(line)
	running, tasks, ok := bytes.Cut(w, []byte("/"))
	if ok {
		c.runnable, c.tasks = number(running), number(tasks)
	}
}

// parseNetDev reads "  eth0: 1296 12 0 0 0 0 0 0 1296 12 0 ...": eight
// counters received, eight sent. The colon may touch the first number.
func parseNetDev(data []byte, c *counters) {
	eachLine(data, func(line []byte) {
		name, rest, ok := bytes.Cut(line, []byte(":"))
		name = bytes.TrimSpace(name)
		if !ok || len(name) == 0 || bytes.IndexByte(name, '|') >= 0 {
			return
		}
		n := c.nic(name)
		numbers(rest, &n.rxBytes, &n.rxPackets, nil, &n.rxDrops, nil, nil, nil, nil, &n.txBytes, &n.txPackets, nil, &n.txDrops)
		n.fresh = true
	})
}

// parseDiskstats reads /proc/diskstats: after major, minor and name come
// reads, merged, sectors, ms, writes, merged, sectors, ms, in flight, busy ms.
// https://docs.kernel.org/admin-guide/iostats.html
func parseDiskstats(data []byte, c *counters) {
	eachLine(data, func(line []byte) {
		_, rest := word(line)
		_, rest = word(rest)
		name, rest := word(rest)
		if len(name) == 0 || skippedDisk(name) {
			return
		}
		d := c.disk(name)
		numbers(rest, &d.reads, nil, &d.readSectors, &d.readMillis, &d.writes, nil, &d.writeSectors, &d.writeMillis, &d.inFlight, &d.busyMillis)
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
	eachLine(data, func(line []byte) {
		name, rest := word(line)
		var into *float64
		switch string(name) {
		case "MemAvailable:":
			into = &c.memoryAvailable
		case "MemFree:":
			into = &c.memoryFree
		case "Dirty:":
			into = &c.memoryDirty
		case "SwapTotal:":
			into = &c.swapTotal
		case "SwapFree:":
			into = &c.swapFree
		default:
			return
		}
		numbers(rest, into)
		*into *= 1024
	})
}

func parseVmstat(data []byte, c *counters) {
	eachLine(data, func(line []byte) {
		name, rest := word(line)
		switch string(name) {
		case "pswpin":
			numbers(rest, &c.swapIn)
		case "pswpout":
			numbers(rest, &c.swapOut)
		case "pgmajfault":
			numbers(rest, &c.majorFaults)
		}
	})
}

// parseSockstat reads "TCP: inuse 5 orphan 0 tw 123 alloc 8 mem 1".
func parseSockstat(data []byte, c *counters) {
	eachLine(data, func(line []byte) {
		name, rest := word(line)
		if string(name) != "TCP:" {
			return
		}
		for {
			var key, value []byte
			key, rest = word(rest)
			value, rest = word(rest)
			switch string(key) {
			case "":
				return
			case "inuse":
				c.tcpInUse = number(value)
			case "tw":
				c.timeWait = number(value)
			}
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
	eachLine(data, func(line []byte) {
		first, rest := word(line)
		if string(first) != prefix {
			return
		}
		if names == nil {
			names = rest
			return
		}
		for {
			var key, value []byte
			key, names = word(names)
			value, rest = word(rest)
			if len(key) == 0 || len(value) == 0 {
				return
			}
			if string(key) == name {
				*into = number(value)
				return
			}
		}
	})
}

// parsePressure reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=0" and the
// line full; totals are microseconds.
// https://docs.kernel.org/accounting/psi.html
func parsePressure(data []byte, some, full *float64) {
	eachLine(data, func(line []byte) {
		name, _ := word(line)
		_, total, ok := bytes.Cut(line, []byte("total="))
		if !ok {
			return
		}
		w, _ := word(total)
		switch {
		case string(name) == "some" && some != nil:
			*some = number(w) / 1e6
		case string(name) == "full" && full != nil:
			*full = number(w) / 1e6
		}
	})
}

// parseProcess reads /proc/PID/stat. The name may hold blanks and brackets:
// the fields count from the last ")". proc_pid_stat(5)
func parseProcess(data []byte, c *counters) {
	i := bytes.LastIndexByte(data, ')')
	if i < 0 {
		return
	}
	line, _, _ := bytes.Cut(data[i+1:], []byte("\n"))
	var user, system float64
	p := &c.process
	numbers(line, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, &user, &system, nil, nil, nil, nil,
		&p.threads, nil, &p.started, nil, &p.rssPages)
	p.cpuTicks = user + system
}
