package hwinfo

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const cpuDir = "/sys/devices/system/cpu/"

var errNoCPU = errors.New("no CPU listed")

func readCPU(r *reader) {
	t := r.topology()
	putModel(r, t)
	putCPUCounts(r, t)
	putTopology(r, t)
	putCaches(r, t)
	putFrequencies(r, t)
	putCPUState(r)
	putNUMA(r)
}

// putModel records the model. For a chip with several kinds of cores it lists
// all, the fastest first.
func putModel(r *reader, t *topology) {
	c := r.processors()
	type kind struct {
		model, vendor string
		capacity      int64
	}
	var kinds []kind
	renumbered := c.renumbered(t) // then every CPU that is listed is online
	for i := range c.cpus {
		if !renumbered && !t.isOnline(c.cpus[i].id) {
			continue
		}
		k := kind{model: c.model(i), vendor: c.vendor(i)}
		at := slices.IndexFunc(kinds, func(o kind) bool { return o.model == k.model && o.vendor == k.vendor })
		if at < 0 {
			k.capacity = r.capacity(c.cpus[i].id)
			kinds = append(kinds, k)
		}
	}
	if len(c.cpus) == 0 {
		kinds = append(kinds, kind{model: c.model(0), vendor: c.vendor(0)})
	}
	slices.SortStableFunc(kinds, func(a, b kind) int { return cmp.Compare(b.capacity, a.capacity) })
	var models, vendors []string
	for _, k := range kinds {
		models, vendors = append(models, k.model), append(vendors, k.vendor)
	}
	r.putNames("cpu.model", models, cpuinfoPath)
	r.putNames("cpu.vendor", vendors, cpuinfoPath)
	if m := c.any("machine"); m != "" && strings.HasPrefix(c.any("vendor_id"), "IBM/S390") {
		r.put("cpu.machine", m, cpuinfoPath)
	} else if p := c.common["platform"]; p != "" {
		r.put("cpu.machine", clean(p+" "+c.common["model"]), cpuinfoPath)
	} else {
		r.absent("cpu.machine", cpuinfoPath)
	}
}

// capacity ranks kinds of cores: the scheduler's cpu_capacity, else the maximum
// frequency.
func (r *reader) capacity(cpu int) int64 {
	dir := cpuDir + "cpu" + strconv.Itoa(cpu)
	for _, p := range []string{"/cpu_capacity", "/cpufreq/cpuinfo_max_freq"} {
		if n, err := r.number(dir + p); err == nil {
			return n
		}
	}
	return 0
}

// putNames records the distinct non-empty names, joined by "; ".
func (r *reader) putNames(key string, names []string, path string) {
	var distinct []string
	for _, n := range names {
		if n != "" && !slices.Contains(distinct, n) {
			distinct = append(distinct, n)
		}
	}
	if len(distinct) == 0 {
		r.unknown(key, path, errNotReported)
		return
	}
	r.put(key, strings.Join(distinct, "; "), path)
}

func putCPUCounts(r *reader, t *topology) {
	if len(t.online) == 0 {
		why := cmp.Or(r.cutOff(), errNoCPU)
		r.unknown("cpu.online", t.source, why)
		r.unknown("cpu.online_list", t.source, why)
	} else {
		r.put("cpu.online", len(t.online), t.source)
		r.put("cpu.online_list", formatCPUList(t.online), t.source)
	}
	putPresent(r)
	putUsable(r, t)
}

func putPresent(r *reader) {
	path := cpuDir + "present"
	s, err := r.text(path)
	if list := parseCPUList(s); err == nil && len(list) > 0 {
		r.put("cpu.present", len(list), path)
		return
	}
	if n := len(r.cpuDirs()); n > 0 {
		r.put("cpu.present", n, cpuDir)
		return
	}
	if err == nil {
		err = fmt.Errorf("%q is not a list of CPUs", shorten(s))
	}
	r.unknown("cpu.present", path, err)
}

func putTopology(r *reader, t *topology) {
	putCount(r, "cpu.sockets", t.sockets, t)
	putCount(r, "cpu.cores", t.cores, t)
	switch {
	case t.threadsMin == 0:
		r.unknown("cpu.threads_per_core", t.threadsSource, errNotReported)
	case t.threadsMin == t.threadsMax:
		r.put("cpu.threads_per_core", t.threadsMin, t.threadsSource)
	default:
		r.put("cpu.threads_per_core", fmt.Sprintf("%d-%d", t.threadsMin, t.threadsMax), t.threadsSource)
	}
	putHyperthreading(r, t)
	for _, f := range []struct{ key, file string }{
		{"cpu.smt_control", "smt/control"}, {"cpu.isolated", "isolated"}, {"cpu.nohz_full", "nohz_full"},
	} {
		s, err := r.text(cpuDir + f.file)
		if err != nil || s == "(null)" {
			r.absent(f.key, cpuDir+f.file)
			continue
		}
		r.put(f.key, s, cpuDir+f.file)
	}
}

func putCount(r *reader, key string, n int, t *topology) {
	if n == 0 {
		r.unknown(key, t.topologySource, errors.New(t.why))
		return
	}
	r.put(key, n, t.topologySource)
}

// putHyperthreading records whether cores have several threads: on, off, partial
// (some cores), or unknown.
func putHyperthreading(r *reader, t *topology) {
	const key = "cpu.hyperthreading"
	switch {
	case t.threadsMin > 1:
		r.put(key, "on", t.threadsSource)
		return
	case t.threadsMax > 1:
		r.put(key, "partial", t.threadsSource)
		return
	case t.threadsMax == 1:
		r.put(key, "off", t.threadsSource)
		return
	}
	switch s, _ := r.text(cpuDir + "smt/active"); s {
	case "1":
		r.put(key, "on", cpuDir+"smt/active")
	case "0":
		r.put(key, "off", cpuDir+"smt/active")
	default:
		r.put(key, "unknown", t.threadsSource)
	}
}

func putCPUState(r *reader) {
	putGovernor(r)
	putTurbo(r)
	c := r.processors()
	if m := c.any("microcode"); m != "" {
		r.put("cpu.microcode", m, cpuinfoPath)
	} else {
		r.putTextOrAbsent("cpu.microcode", cpuDir+"cpu0/microcode/version")
	}
	dir := cpuDir + "vulnerabilities"
	for _, name := range r.list(dir) {
		r.putText("cpu.vulnerability."+name, dir+"/"+name)
	}
}

// putTextOrAbsent records a small file that not every machine has.
func (r *reader) putTextOrAbsent(key, path string) {
	if s, err := r.text(path); err == nil {
		r.put(key, s, path)
		return
	}
	r.absent(key, path)
}

// putTurbo reads intel_pstate's switch, which is inverted, else cpufreq's.
func putTurbo(r *reader) {
	for _, f := range []struct{ path, on string }{
		{cpuDir + "intel_pstate/no_turbo", "0"}, {cpuDir + "cpufreq/boost", "1"},
	} {
		if s, err := r.text(f.path); err == nil && (s == "0" || s == "1") {
			r.put("cpu.turbo", map[bool]string{true: "on", false: "off"}[s == f.on], f.path)
			return
		}
	}
	r.absent("cpu.turbo", cpuDir+"cpufreq/boost")
}

func putNUMA(r *reader) {
	const dir = "/sys/devices/system/node"
	nodes, withCPUs := 0, 0
	online := map[int]bool{}
	if s, err := r.text(dir + "/online"); err == nil {
		for _, n := range parseCPUList(s) {
			online[n] = true
		}
	}
	for _, n := range numbered(r.list(dir), "node") {
		if len(online) > 0 && !online[n] {
			continue
		}
		nodes++
		node := fmt.Sprintf("%s/node%d", dir, n)
		if s, err := r.text(node + "/cpulist"); err == nil {
			r.put(fmt.Sprintf("numa.node%d.cpus", n), s, node+"/cpulist")
			withCPUs++
		} else if s, err := r.text(node + "/cpumap"); err == nil {
			if cpus, ok := parseCPUMask(s); ok && len(cpus) > 0 {
				r.put(fmt.Sprintf("numa.node%d.cpus", n), formatCPUList(cpus), node+"/cpumap")
				withCPUs++
			}
		}
		if m, err := r.read(node+"/meminfo", attributeMax); err == nil {
			if total, ok := parseMeminfo(m)["MemTotal"]; ok {
				r.put(fmt.Sprintf("numa.node%d.memory_bytes", n), total, node+"/meminfo")
			}
		}
	}
	if nodes == 0 {
		r.unknown("numa.nodes", dir, errors.New("no node listed"))
		return
	}
	r.put("numa.nodes", nodes, dir)
	if withCPUs > 0 {
		r.put("numa.nodes_with_cpus", withCPUs, dir)
	}
}

// numbered returns the sorted numbers N of names PREFIX+N.
func numbered(names []string, prefix string) []int {
	var numbers []int
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 && n < cpusMax && strconv.Itoa(n) == rest {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}
