package hwinfo

import (
	"fmt"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

const meminfoPath = "/proc/meminfo"

func readMemory(r *reader) {
	readMeminfo(r)
	putMemoryLimit(r)
	readModules(r)
	putHugepages(r)
}

func readMeminfo(r *reader) {
	info := map[string]int64{}
	data, err := r.read(meminfoPath, tableMax)
	if err == nil {
		info = parseMeminfo(data)
	}
	for _, m := range []struct{ key, field string }{
		{"memory.total_bytes", "MemTotal"},
		{"memory.available_bytes", "MemAvailable"},
		{"memory.free_bytes", "MemFree"},
		{"memory.swap_total_bytes", "SwapTotal"},
		{"memory.swap_free_bytes", "SwapFree"},
		{"memory.dirty_bytes", "Dirty"},
		{"memory.hugepages_total", "HugePages_Total"},
		{"memory.hugepages_free", "HugePages_Free"},
		{"memory.hugepage_size_bytes", "Hugepagesize"},
	} {
		if v, ok := info[m.field]; ok {
			r.put(m.key, v, meminfoPath)
			continue
		}
		if err != nil {
			r.unknown(m.key, meminfoPath, err)
			continue
		}
		r.unknown(m.key, meminfoPath, fmt.Errorf("no line %s", m.field))
	}
}

// putHugepages records the settings of transparent huge pages.
func putHugepages(r *reader) {
	const dir = "/sys/kernel/mm/transparent_hugepage/"
	for _, f := range []struct{ key, file string }{
		{"memory.transparent_hugepages", "enabled"}, {"memory.transparent_hugepages_defrag", "defrag"},
	} {
		if s, err := r.text(dir + f.file); err == nil {
			r.put(f.key, chosen(s), dir+f.file)
		} else {
			r.absent(f.key, dir+f.file)
		}
	}
}

// parseMeminfo returns the lines of /proc/meminfo, or of a NUMA node's, by
// name: bytes, or counts where the kernel prints no unit.
func parseMeminfo(data []byte) map[string]int64 {
	info := map[string]int64{}
	procfs.EachMeminfo(data, func(name []byte, value float64) { info[string(name)] = int64(value) })
	return info
}
