package hwinfo

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

const cpuinfoPath = "/proc/cpuinfo"

// cpuinfo is /proc/cpuinfo, whose shape depends on the architecture.
type cpuinfo struct {
	cpus []processor
	// common holds the lines that belong to no single CPU, by key in lower case. The first wins.
	common map[string]string
	agreed map[string]string // the one value that all CPUs with such a line have
}

type processor struct {
	id     int
	fields map[string]string
}

// kept reports whether a field is used. The others, above all the flags of every
// CPU, would take megabytes on large machines.
func kept(key string) bool {
	switch key {
	case "vendor_id", "vendor", "model name", "cpu model", "cpu", "physical id", "core id", "book id", "drawer id",
		"siblings", "cpu cores", "cpu implementer", "cpu part", "cpu architecture", "cpu mhz", "clock", "microcode",
		"cpu mhz static", "cpu mhz dynamic", "mvendorid", "marchid", "uarch", "isa", "machine", "package", "core", "family", "arch":
		return true
	}
	return false
}

// processors reads /proc/cpuinfo once.
func (r *reader) processors() *cpuinfo {
	if r.cpuinfo != nil {
		return r.cpuinfo
	}
	r.cpuinfo = &cpuinfo{common: map[string]string{}}
	if data, err := r.table(cpuinfoPath); err == nil {
		r.cpuinfo = parseCPUInfo(data)
	}
	return r.cpuinfo
}

// parseCPUInfo reads the formats of all architectures: lines "key : value",
// a CPU beginning at "processor : N"; on s390x at "processor N: k = v, ..."
// and "cpu number : N". Lines after a blank one and before the next CPU
// belong to all.
func parseCPUInfo(r io.Reader) *cpuinfo {
	c := &cpuinfo{common: map[string]string{}}
	place := map[int]int{}
	open := func(id int) map[string]string {
		i, ok := place[id]
		if !ok {
			i = len(c.cpus)
			place[id] = i
			c.cpus = append(c.cpus, processor{id, map[string]string{}})
		}
		return c.cpus[i].fields
	}
	var current map[string]string
	lines(r, func(line string) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			if strings.TrimSpace(line) == "" {
				current = nil
			}
			return
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), clean(value)
		if id, ok := cpuNumber(key, value); ok {
			current = open(id)
			return
		}
		if n, ok := strings.CutPrefix(key, "processor "); ok {
			if id, ok := cpuNumber("processor", n); ok {
				pairs(value, open(id))
				current = nil
			}
			return
		}
		if current != nil && kept(key) {
			if _, ok := current[key]; !ok {
				current[key] = value
			}
			return
		}
		if _, ok := c.common[key]; !ok {
			c.common[key] = value
		}
	})
	return c
}

// cpuNumber recognises the first line of a CPU. Old ARM kernels also print
// "Processor : ARMv7 Processor rev 4 (v7l)", which is not one.
func cpuNumber(key, value string) (int, bool) {
	if key != "processor" && key != "cpu number" {
		return 0, false
	}
	id, err := strconv.Atoi(strings.TrimSpace(value))
	return id, err == nil && id >= 0 && id < cpusMax
}

// pairs reads "version = 00,  identification = 0ABCDE,  machine = 2817".
func pairs(s string, into map[string]string) {
	for part := range strings.SplitSeq(s, ",") {
		if k, v, ok := strings.Cut(part, "="); ok && kept(strings.TrimSpace(k)) {
			into[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
}

// field returns a value of one CPU: its own line, else the line for all CPUs,
// else the only value of the other CPUs (old kernels print the ARM part number
// once, at the end).
func (c *cpuinfo) field(cpu int, key string) string {
	if cpu >= len(c.cpus) { // sparc64 and alpha list no CPUs
		return c.common[key]
	}
	if v := c.cpus[cpu].fields[key]; v != "" {
		return v
	}
	if v := c.common[key]; v != "" {
		return v
	}
	return c.agreement(key)
}

func (c *cpuinfo) agreement(key string) string {
	if v, ok := c.agreed[key]; ok {
		return v
	}
	if c.agreed == nil {
		c.agreed = map[string]string{}
	}
	c.agreed[key] = ""
	for i := range c.cpus {
		v, so := c.cpus[i].fields[key], c.agreed[key]
		if v != "" && so != "" && v != so {
			c.agreed[key] = ""
			break
		}
		if v != "" {
			c.agreed[key] = v
		}
	}
	return c.agreed[key]
}

// renumbered reports whether the CPUs have other numbers than in /sys: lxcfs
// numbers the CPUs of a container from 0, while /sys has the host's numbers.
func (c *cpuinfo) renumbered(t *topology) bool {
	return !slices.ContainsFunc(c.cpus, func(p processor) bool { return t.isOnline(p.id) })
}

// any returns the first value of key of a CPU or of the common part.
func (c *cpuinfo) any(key string) string {
	for i := range c.cpus {
		if v := c.cpus[i].fields[key]; v != "" {
			return v
		}
	}
	return c.common[key]
}

// has reports whether the flags contain one.
func (c *cpuinfo) has(flag string) bool {
	return strings.Contains(" "+c.common["flags"]+" ", " "+flag+" ")
}

// architecture is the name of uname -m, as far as the format of the file shows it.
func (c *cpuinfo) architecture() string {
	switch {
	case c.common["flags"] != "" && (c.any("vendor_id") != "" || c.any("cpu mhz") != ""):
		if c.has("lm") {
			return "x86_64"
		}
		return "i686"
	case c.any("cpu implementer") != "":
		return armArchitecture(c)
	case strings.HasPrefix(c.any("vendor_id"), "IBM/S390"):
		return "s390x"
	case strings.HasPrefix(c.any("isa"), "rv64"):
		return "riscv64"
	case strings.HasPrefix(c.any("isa"), "rv32"):
		return "riscv32"
	case strings.Contains(c.common["cpu family"]+c.common["isa"]+c.any("isa"), "oongarch64"):
		return "loongarch64"
	case strings.HasPrefix(c.common["type"], "sun4"):
		return "sparc64"
	case c.any("arch") == "IA-64":
		return "ia64"
	case c.common["cpu"] == "Alpha":
		return "alpha"
	case strings.Contains(c.any("cpu"), "POWER") || strings.Contains(c.common["platform"], "PowerNV"):
		return "" // ppc64 and ppc64le look the same here
	}
	return ""
}

func armArchitecture(c *cpuinfo) string {
	features := " " + c.common["features"] + " "
	name := c.any("model name") + c.common["processor"]
	switch {
	case strings.Contains(features, " asimd ") || strings.HasPrefix(c.any("cpu architecture"), "8") && !strings.Contains(name, "ARMv"):
		return "aarch64"
	case strings.Contains(name, "ARMv6"):
		return "armv6l"
	case strings.Contains(name, "ARMv7"), strings.HasPrefix(c.any("cpu architecture"), "7"):
		return "armv7l"
	}
	return "arm"
}
