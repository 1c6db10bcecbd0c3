package hwinfo

import (
	"cmp"
	"io"
	"path"
	"strconv"
	"strings"
)

// noLimit is the value of a limit that is known to be unset.
const noLimit = "no limit"

// putUsable records how many CPUs a process of this machine or container may use:
// those online, within cpuset and affinity, limited by the quota of the control
// groups. It may be a fraction: 1.5.
func putUsable(r *reader, t *topology) {
	cpus, source := t.online, t.source
	if len(cpus) == 0 {
		r.unknown("cpu.usable", source, cmp.Or(r.cutOff(), errNoCPU))
	}
	g := r.cgroups()
	if list, from := r.allowed(g); len(list) > 0 {
		if both := intersect(cpus, list); len(both) > 0 && len(both) < len(cpus) {
			cpus, source = both, from
		}
	}
	usable := float64(len(cpus))
	quota, from := g.quota(r)
	switch {
	case from == "":
		r.absent("cpu.quota", "/sys/fs/cgroup/cpu.max")
	case quota <= 0:
		r.put("cpu.quota", noLimit, from)
	default:
		r.put("cpu.quota", quota, from)
	}
	if quota > 0 && quota < usable {
		usable, source = quota, from
	}
	r.put("cpu.usable", usable, source)
	if len(cpus) > 0 {
		r.put("cpu.usable_list", formatCPUList(cpus), source)
	} else {
		r.absent("cpu.usable_list", source)
	}
}

// allowed returns the CPUs permitted by affinity or cpuset.
func (r *reader) allowed(g cgroups) (cpus []int, source string) {
	if list, ok := liveAffinity(r.opt); ok {
		return list, "sched_getaffinity(2)"
	}
	if list, from := g.cpuset(r); len(list) > 0 {
		cpus, source = list, from
	}
	const status = "/proc/self/status"
	if data, err := r.table(status); err == nil {
		lines(data, func(line string) {
			if s, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
				list := parseCPUList(s)
				if cpus == nil || len(intersect(cpus, list)) < len(cpus) && len(intersect(cpus, list)) > 0 {
					cpus, source = list, status
				}
			}
		})
	}
	return cpus, source
}

// putMemoryLimit records the memory limit of the control groups.
func putMemoryLimit(r *reader) {
	limit, from := r.cgroups().memory(r)
	switch total, _ := r.known("memory.total_bytes"); {
	case from == "":
		r.absent("memory.limit_bytes", "/sys/fs/cgroup/memory.max")
	case limit <= 0 || total != nil && limit >= total.(int64):
		r.put("memory.limit_bytes", noLimit, from)
	default:
		r.put("memory.limit_bytes", limit, from)
	}
}

// cgroups are the directories of this process's control groups: for each
// controller from the group itself up to the mount point.
type cgroups struct {
	unified []string            // version 2; nil when not mounted
	v1      map[string][]string // by controller
}

// cgroups reads which control groups the process belongs to. In a container the
// paths may be those of the host: they are relative to the mounted directory, and
// if they do not exist the mount itself is the group.
func (r *reader) cgroups() cgroups {
	groups := map[string]string{}
	for _, p := range []string{"/proc/self/cgroup", "/proc/1/cgroup"} {
		if data, err := r.table(p); err == nil {
			groups = parseCgroup(data)
			break
		}
	}
	g := cgroups{v1: map[string][]string{}}
	table, _, _ := r.mounts()
	for _, m := range table {
		switch m.filesystem {
		case "cgroup2":
			if g.unified == nil || usual(m) {
				g.unified = r.groupDirs(m, groups[""])
			}
		case "cgroup":
			for c := range strings.SplitSeq(m.superOptions+","+m.options, ",") {
				if controller(c) && (g.v1[c] == nil || usual(m)) {
					g.v1[c] = r.groupDirs(m, groups[c])
				}
			}
		}
	}
	return r.usualMounts(g, groups)
}

// usual distinguishes the mounts of this machine from copies below containers.
func usual(m mount) bool { return below(m.point, "/sys/fs/cgroup") }

func controller(name string) bool { return name == "cpu" || name == "cpuset" || name == "memory" }

// usualMounts adds the standard mount points if the mount table has none.
func (r *reader) usualMounts(g cgroups, groups map[string]string) cgroups {
	const dir = "/sys/fs/cgroup"
	if g.unified == nil && len(g.v1) == 0 && r.exists(dir+"/cgroup.controllers") {
		g.unified = r.groupDirs(mount{point: dir, root: "/"}, groups[""])
	}
	for _, c := range []string{"cpu", "cpuset", "memory"} {
		for _, name := range []string{c, "cpu,cpuacct", "cpuacct,cpu"} {
			if g.v1[c] == nil && (c == "cpu" || name == c) && r.exists(dir+"/"+name) {
				g.v1[c] = r.groupDirs(mount{point: dir + "/" + name, root: "/"}, groups[c])
			}
		}
	}
	return g
}

// groupDirs lists the directories from a group up to its mount point: a limit of
// any of them applies.
func (r *reader) groupDirs(m mount, group string) []string {
	group = strings.TrimPrefix(path.Clean("/"+group), strings.TrimSuffix(m.root, "/"))
	var dirs []string
	for p := path.Clean("/" + group); ; p = path.Dir(p) {
		if dir := path.Join(m.point, p); p == "/" || r.exists(dir) {
			dirs = append(dirs, dir)
		}
		if p == "/" {
			return dirs
		}
	}
}

// parseCgroup reads "4:memory:/user.slice" and "0::/init.scope": the path of
// each controller, that of version 2 under the empty name.
// https://man7.org/linux/man-pages/man7/cgroups.7.html
func parseCgroup(r io.Reader) map[string]string {
	groups := map[string]string{}
	lines(r, func(line string) {
		f := strings.SplitN(line, ":", 3)
		if len(f) != 3 {
			return
		}
		for c := range strings.SplitSeq(f[1], ",") {
			groups[c] = f[2]
		}
	})
	return groups
}

// quota returns the smallest quota of all levels, in CPUs; 0 if there is no
// limit, and no source if nothing could be read.
func (g cgroups) quota(r *reader) (cpus float64, source string) {
	lower := func(n float64, p string) {
		if source == "" || n > 0 && (cpus == 0 || n < cpus) {
			cpus, source = n, p
		}
	}
	for _, dir := range g.unified {
		if s, err := r.text(dir + "/cpu.max"); err == nil {
			if n, ok := parseCPUMax(s); ok {
				lower(n, dir+"/cpu.max")
			}
		}
	}
	for _, dir := range g.v1["cpu"] {
		quota, err1 := r.number(dir + "/cpu.cfs_quota_us")
		period, err2 := r.number(dir + "/cpu.cfs_period_us")
		if err1 == nil && err2 == nil && period > 0 {
			lower(max(0, float64(quota)/float64(period)), dir+"/cpu.cfs_quota_us")
		}
	}
	return cpus, source
}

// parseCPUMax reads "150000 100000" (quota and period in microseconds) or "max 100000"; 0 means no
// limit.
func parseCPUMax(s string) (cpus float64, ok bool) {
	f := strings.Fields(s)
	if len(f) == 0 {
		return 0, false
	}
	if f[0] == "max" {
		return 0, true
	}
	period := 100000.0
	quota, err := strconv.ParseUint(f[0], 10, 53)
	if len(f) > 1 {
		p, err2 := strconv.ParseUint(f[1], 10, 53)
		err, period = cmp.Or(err, err2), float64(p)
	}
	if err != nil || period <= 0 {
		return 0, false
	}
	return float64(quota) / period, true
}

func (g cgroups) cpuset(r *reader) ([]int, string) {
	for _, f := range []struct {
		dirs []string
		file string
	}{{g.unified, "/cpuset.cpus.effective"}, {g.v1["cpuset"], "/cpuset.effective_cpus"}, {g.v1["cpuset"], "/cpuset.cpus"}} {
		for _, dir := range f.dirs {
			if s, err := r.text(dir + f.file); err == nil {
				if list := parseCPUList(s); len(list) > 0 {
					return list, dir + f.file
				}
			}
		}
	}
	return nil, ""
}

// memory returns the smallest limit in bytes; 0 if there is none. Version 1
// writes the largest possible number of pages for "none".
func (g cgroups) memory(r *reader) (bytes int64, source string) {
	lower := func(n int64, p string) {
		if source == "" || n > 0 && (bytes == 0 || n < bytes) {
			bytes, source = n, p
		}
	}
	for _, dir := range g.unified {
		if s, err := r.text(dir + "/memory.max"); err == nil {
			lower(parseLimit(s), dir+"/memory.max")
		}
	}
	for _, dir := range g.v1["memory"] {
		if s, err := r.text(dir + "/memory.limit_in_bytes"); err == nil {
			lower(parseLimit(s), dir+"/memory.limit_in_bytes")
		}
	}
	return bytes, source
}

// parseLimit parses a number of bytes; 0 for "max" and for numbers that mean "none".
func parseLimit(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n >= 1<<62 {
		return 0
	}
	return n
}
