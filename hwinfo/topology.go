package hwinfo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// topology is the set of online CPUs with their cores and sockets. Counts are of
// online CPUs; 0 means unknown.
type topology struct {
	online         []int // sorted
	source         string
	sockets, cores int
	threadsMin     int
	threadsMax     int
	topologySource string // of sockets and cores
	threadsSource  string
	why            string // why a count is unknown
}

func (t *topology) isOnline(cpu int) bool {
	_, ok := slices.BinarySearch(t.online, cpu)
	return ok || len(t.online) == 0
}

// topology reads /sys/devices/system/cpu once, with /proc/cpuinfo as fallback.
func (r *reader) topology() *topology {
	if r.topo == nil {
		t := &topology{topologySource: cpuDir + "cpu*/topology", threadsSource: cpuDir + "cpu*/topology"}
		r.topo = t
		t.online, t.source = r.onlineCPUs()
		if !t.fromSysfs(r) {
			t.fromCPUInfo(r)
		}
	}
	return r.topo
}

// cpuDirs lists the numbers of all cpuN directories.
func (r *reader) cpuDirs() []int { return numbered(r.list(cpuDir), "cpu") }

// onlineCPUs reads the kernel's list; without it the CPUs' own online files and
// topology directories (an offline CPU has none); without /sys the CPUs of
// /proc/cpuinfo, then of /proc/stat.
func (r *reader) onlineCPUs() ([]int, string) {
	if s, err := r.text(cpuDir + "online"); err == nil {
		if list := parseCPUList(s); len(list) > 0 {
			return list, cpuDir + "online"
		}
	}
	if list := r.onlineByDirs(); len(list) > 0 {
		return list, cpuDir + "cpu*"
	}
	if list := r.processors().ids(); len(list) > 0 && r.cutOff() == nil {
		return list, cpuinfoPath
	}
	if data, err := r.read("/proc/stat", tableMax); err == nil {
		var stat procfs.Stat
		stat.Parse(data)
		var list []int
		for _, c := range stat.CPUs {
			list = append(list, c.ID)
		}
		slices.Sort(list)
		if list = slices.Compact(list); len(list) > 0 {
			return list, "/proc/stat"
		}
	}
	if r.cutOff() != nil {
		return nil, cpuinfoPath
	}
	return nil, cpuDir + "online"
}

func (r *reader) onlineByDirs() []int {
	var all, withTopology []int
	for _, n := range r.cpuDirs() {
		dir := cpuDir + "cpu" + strconv.Itoa(n)
		if s, err := r.text(dir + "/online"); err == nil && s == "0" {
			continue
		}
		all = append(all, n)
		if r.exists(dir + "/topology") {
			withTopology = append(withTopology, n)
		}
	}
	if len(withTopology) > 0 {
		return withTopology
	}
	return all
}

// cutOff returns an error if the file is truncated: a package has more CPUs than
// are listed. Counts from such a file are not those of the machine.
// A container sees some CPUs of a package only, which is complete for it.
func (r *reader) cutOff() error {
	if kind, _ := r.container(); kind != "" {
		return nil
	}
	c := r.processors()
	listed := map[string]int{}
	for i := range c.cpus {
		listed[c.cpus[i].fields["physical id"]]++
	}
	for i := range c.cpus {
		f := c.cpus[i].fields
		siblings, err := strconv.Atoi(f["siblings"])
		if n := listed[f["physical id"]]; err == nil && f["physical id"] != "" && n < siblings {
			return fmt.Errorf("lists %d of the %d CPUs of a package", n, siblings)
		}
	}
	return nil
}

func (c *cpuinfo) ids() []int {
	var ids []int
	for i := range c.cpus {
		ids = append(ids, c.cpus[i].id)
	}
	if len(ids) == 0 {
		n, err := strconv.Atoi(cmp.Or(c.common["# processors"], c.common["ncpus active"], c.common["cpus active"]))
		for i := 0; err == nil && i < n && i < cpusMax; i++ {
			ids = append(ids, i)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// fromSysfs counts packages and sets of thread siblings. Sets are compared as
// the kernel prints them: it lists only CPUs that are online.
func (t *topology) fromSysfs(r *reader) bool {
	packages, cores := map[string]bool{}, map[string]int{}
	coreless, packageless, found := false, false, false
	for _, n := range t.online {
		dir := cpuDir + "cpu" + strconv.Itoa(n) + "/topology/"
		pkg, hasPackage := r.packageOf(dir)
		core, hasCore := r.coreOf(dir, pkg)
		found = found || hasPackage || hasCore
		packageless = packageless || !hasPackage
		coreless = coreless || !hasCore
		packages[pkg] = true
		cores[core]++
	}
	if !found {
		return false
	}
	t.why = "not reported for every online CPU"
	if !packageless {
		t.sockets = len(packages)
	}
	if !coreless {
		t.cores = len(cores)
		t.threads(cores)
	}
	return true
}

func (t *topology) threads(cores map[string]int) {
	for _, n := range cores {
		if t.threadsMin == 0 || n < t.threadsMin {
			t.threadsMin = n
		}
		t.threadsMax = max(t.threadsMax, n)
	}
}

// packageOf names the socket of a CPU. The kernel writes -1 for unknown; on s390x
// a socket is numbered within its book and drawer.
func (r *reader) packageOf(dir string) (string, bool) {
	id, err := r.number(dir + "physical_package_id")
	if err != nil || id < 0 {
		return "", false
	}
	name := strconv.FormatInt(id, 10)
	if !r.hasBooks() {
		return name, true
	}
	for _, above := range []string{"book_id", "drawer_id"} {
		if n, err := r.number(dir + above); err == nil && n >= 0 {
			name += "/" + strconv.FormatInt(n, 10)
		}
	}
	return name, true
}

// hasBooks: only s390x has books and drawers above sockets.
func (r *reader) hasBooks() bool {
	if r.books == nil {
		first := 0
		if online := r.topology().online; len(online) > 0 {
			first = online[0]
		}
		r.books = new(r.exists(cpuDir + "cpu" + strconv.Itoa(first) + "/topology/book_id"))
	}
	return *r.books
}

func (r *reader) coreOf(dir, pkg string) (string, bool) {
	for _, file := range []string{"thread_siblings_list", "core_cpus_list", "thread_siblings", "core_cpus"} {
		if s, err := r.text(dir + file); err == nil && strings.Trim(s, "0,") != "" {
			return s, true
		} else if err == nil && s == "0" && strings.HasSuffix(file, "_list") {
			return s, true
		}
	}
	id, err := r.number(dir + "core_id")
	if err != nil || id < 0 {
		return "", false
	}
	return fmt.Sprintf("%s core %d", pkg, id), true
}

// fromCPUInfo counts by the lines physical id, core id, siblings and cpu cores;
// s390x has only the number of threads per core.
func (t *topology) fromCPUInfo(r *reader) {
	c := r.processors()
	t.topologySource, t.threadsSource = cpuinfoPath, cpuinfoPath
	t.why = "no topology in /sys, and no lines physical id and core id"
	if n, err := strconv.Atoi(c.common["max thread id"]); err == nil && n >= 0 && n < 16 {
		t.threadsMin, t.threadsMax = n+1, n+1
		t.why = "no topology in /sys; ids in cpuinfo are not those of sockets"
		return
	}
	packages, cores := map[string]bool{}, map[string]int{}
	for i := range c.cpus {
		if !t.isOnline(c.cpus[i].id) {
			continue
		}
		pkg := cmp.Or(c.cpus[i].fields["physical id"], c.cpus[i].fields["package"])
		core := cmp.Or(c.cpus[i].fields["core id"], c.cpus[i].fields["core"])
		if pkg == "" || c.cpus[i].fields["vendor_id"] == "IBM/S390" {
			return
		}
		packages[pkg] = true
		if core == "" {
			core = "of cpu " + strconv.Itoa(c.cpus[i].id)
		}
		cores[pkg+"/"+core]++
	}
	if len(packages) == 0 {
		return
	}
	if err := r.cutOff(); err != nil {
		t.why = err.Error()
	} else {
		t.sockets, t.cores = len(packages), len(cores)
		t.threads(cores)
	}
	t.threadsBySiblings(c)
}

// threadsBySiblings uses siblings / cpu cores if both are present: a container
// may see one thread of a core that has two.
func (t *topology) threadsBySiblings(c *cpuinfo) {
	lowest, highest := 0, 0
	for i := range c.cpus {
		siblings, err1 := strconv.Atoi(c.cpus[i].fields["siblings"])
		cores, err2 := strconv.Atoi(c.cpus[i].fields["cpu cores"])
		if err1 != nil || err2 != nil || cores < 1 || siblings < cores || siblings%cores != 0 {
			return
		}
		n := siblings / cores
		if lowest == 0 || n < lowest {
			lowest = n
		}
		highest = max(highest, n)
	}
	if lowest > 0 {
		t.threadsMin, t.threadsMax = lowest, highest
	}
}
