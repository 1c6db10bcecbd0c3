package hwinfo

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
)

// machine makes a topology: packages x cores x threads, numbered as Linux
// does on most machines: first threads of all cores first.
func machine(packages, cores, threads int) fstest.MapFS {
	root := fstest.MapFS{}
	total := packages * cores * threads
	root["sys/devices/system/cpu/online"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("0-%d\n", total-1))}
	for id := range total {
		core := id % (packages * cores)
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", id)
		root[dir+"physical_package_id"] = &fstest.MapFile{Data: []byte(fmt.Sprintln(core / cores))}
		root[dir+"core_id"] = &fstest.MapFile{Data: []byte(fmt.Sprintln(core % cores))}
	}
	return root
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		why                      string
		packages, cores, threads int // of the machine
		wantCores, wantThreads   int
		want                     []int
	}{
		{"one core, one thread", 1, 4, 2, 1, 1, []int{0}},
		{"two cores, one thread each", 1, 4, 2, 2, 1, []int{0, 1}},
		{"two cores with both threads", 1, 4, 2, 2, 2, []int{0, 1, 4, 5}},
		{"all from one package", 2, 4, 1, 4, 1, []int{0, 1, 2, 3}},
		{"more than a package has", 2, 4, 1, 6, 1, []int{0, 1, 2, 3, 4, 5}},
		{"no SMT", 1, 4, 1, 2, 2, nil},
		{"too few cores", 1, 2, 1, 3, 1, nil},
	} {
		got := Choose(Processors(machine(c.packages, c.cores, c.threads)), c.wantCores, c.wantThreads)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v; want %v", c.why, got, c.want)
		}
	}
}

// An offline CPU is not chosen, and one without topology stands for itself.
func TestProcessorsOffline(t *testing.T) {
	root := machine(1, 4, 1)
	root["sys/devices/system/cpu/online"] = &fstest.MapFile{Data: []byte("1,3\n")}
	delete(root, "sys/devices/system/cpu/cpu3/topology/core_id")
	list := Processors(root)
	if want := []Processor{{1, 0, 1}, {3, 0, -1}}; !slices.Equal(list, want) {
		t.Errorf("%v; want %v", list, want)
	}
	if got := Choose(list, 2, 1); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("%v; want both", got)
	}
}
