package hwinfo

import (
	"io/fs"
	"slices"
	"strconv"
)

// Processor is one logical CPU that is online.
type Processor struct {
	ID      int
	Package int // -1 if unknown
	Core    int // within its package; -1 if unknown
}

// Processors lists the online CPUs of the machine below root by number, from
// /sys/devices/system/cpu (Documentation/admin-guide/cputopology.rst).
func Processors(root fs.FS) []Processor {
	r := newReader(Options{Root: root})
	ids, _ := r.onlineCPUs()
	var list []Processor
	for _, id := range ids {
		dir := cpuDir + "cpu" + strconv.Itoa(id) + "/topology/"
		list = append(list, Processor{ID: id, Package: r.idOf(dir + "physical_package_id"), Core: r.idOf(dir + "core_id")})
	}
	return list
}

// idOf is the number in a file of the topology, -1 when there is none.
func (r *reader) idOf(path string) int {
	n, err := r.number(path)
	if err != nil || n < 0 {
		return -1
	}
	return int(n)
}

// Choose selects a number of cores with a number of threads of each, from one
// package if it has enough, the lowest CPU numbers first. It returns nil if the
// machine has no such set.
func Choose(list []Processor, cores, threads int) []int {
	byCore := map[[2]int][]int{}
	var order [][2]int
	for _, p := range list {
		key := [2]int{p.Package, p.Core}
		if p.Core < 0 {
			key = [2]int{p.Package, -2 - p.ID} // unknown core: treated as a core of its own
		}
		if byCore[key] == nil {
			order = append(order, key)
		}
		byCore[key] = append(byCore[key], p.ID)
	}
	order = slices.DeleteFunc(order, func(k [2]int) bool { return len(byCore[k]) < threads })
	slices.SortStableFunc(order, func(a, b [2]int) int { return a[0] - b[0] })
	if len(order) < cores {
		return nil
	}
	start := roomiest(order, cores)
	var chosen []int
	for _, key := range order[start : start+cores] {
		chosen = append(chosen, byCore[key][:threads]...)
	}
	slices.Sort(chosen)
	return chosen
}

// roomiest is the index of the first package with enough cores, 0 when the
// cores must come from several. order is sorted by package.
func roomiest(order [][2]int, cores int) int {
	for i := range order {
		if (i == 0 || order[i-1][0] != order[i][0]) && i+cores <= len(order) && order[i+cores-1][0] == order[i][0] {
			return i
		}
	}
	return 0
}
