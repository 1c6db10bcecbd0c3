package hwinfo

import (
	"fmt"
	"io"
	"strconv"
	"strings"
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
	data, err := r.table(meminfoPath)
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

// putHugepages tells how the kernel hands out transparent huge pages.
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

// parseMeminfo reads lines "Name:  123 kB" of /proc/meminfo; values are bytes,
// or counts where the kernel prints no unit.
// https://docs.kernel.org/filesystems/proc.html#meminfo
func parseMeminfo(r io.Reader) map[string]int64 {
	info := map[string]int64{}
	lines(r, func(line string) {
		name, rest, ok := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if !ok || len(fields) == 0 {
			return
		}
		n, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil || n < 0 {
			return
		}
		if len(fields) > 1 && fields[1] == "kB" {
			if n > 1<<52 {
				return
			}
			n *= 1024
		}
		info[strings.TrimSpace(name)] = n
	})
	return info
}

// parseNodeMeminfo reads lines "Node 0 MemTotal:  123 kB" of a NUMA node.
func parseNodeMeminfo(r io.Reader) map[string]int64 {
	var plain strings.Builder
	lines(r, func(line string) {
		if f := strings.SplitN(strings.TrimSpace(line), " ", 3); len(f) == 3 && f[0] == "Node" {
			plain.WriteString(f[2] + "\n")
		}
	})
	return parseMeminfo(strings.NewReader(plain.String()))
}
