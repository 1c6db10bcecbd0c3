package hwinfo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// caches are the caches of one level and kind: data or unified, or instruction.
type caches struct {
	shared map[string]int64 // level, kind, CPUs that share it -> bytes
}

// putCaches counts each cache once, however many CPUs share it. Bytes are the
// sum over all caches of online CPUs; the text says "512K x48".
func putCaches(r *reader, t *topology) {
	found := map[string]*caches{}
	// counted holds, by index, the CPUs whose cache was seen from another CPU that shares it.
	var counted [cachesMax]map[int]bool
	for _, n := range t.online {
		dir := cpuDir + "cpu" + strconv.Itoa(n) + "/cache/index"
		for i := range cachesMax {
			if counted[i][n] {
				continue
			}
			sharers, more := addCache(r, found, n, dir+strconv.Itoa(i)+"/")
			if !more {
				break
			}
			if counted[i] == nil {
				counted[i] = map[int]bool{}
			}
			for _, other := range sharers {
				counted[i][other] = true
			}
		}
	}
	for _, k := range []struct{ level, key string }{{"1d", "l1d"}, {"1i", "l1i"}, {"2d", "l2"}, {"3d", "l3"}, {"4d", "l4"}} {
		path := cpuDir + "cpu*/cache"
		c := found[k.level]
		if c == nil {
			missing := r.absent
			if (k.key == "l2" || k.key == "l3") && len(found) == 0 {
				missing = func(key, path string) { r.unknown(key, path, errNotReported) }
			}
			missing("cpu.cache_"+k.key+"_bytes", path)
			r.absent("cpu.cache_"+k.key, path)
			continue
		}
		total, text := c.sum()
		r.put("cpu.cache_"+k.key+"_bytes", total, path)
		r.put("cpu.cache_"+k.key, text, path)
	}
}

// cachesMax bounds the caches of one CPU.
const cachesMax = 16

// addCache counts one cache of a CPU. It returns the CPUs that share it and
// whether there may be more caches.
func addCache(r *reader, found map[string]*caches, cpu int, dir string) (sharers []int, more bool) {
	level, err := r.number(dir + "level")
	if err != nil {
		return nil, r.exists(dir)
	}
	size, err := r.text(dir + "size")
	bytes, ok := parseCacheSize(size)
	if err != nil || !ok || level < 1 || level > 9 {
		return nil, true
	}
	kind := "d"
	if s, _ := r.text(dir + "type"); s == "Instruction" {
		kind = "i"
	}
	shared, err := r.text(dir + "shared_cpu_list")
	if err == nil {
		sharers = parseCPUList(shared)
	} else {
		shared, err = r.text(dir + "shared_cpu_map")
	}
	if err != nil || shared != "0" && strings.Trim(shared, "0,") == "" {
		shared = "cpu" + strconv.Itoa(cpu)
	}
	key := strconv.FormatInt(level, 10) + kind
	if found[key] == nil {
		found[key] = &caches{map[string]int64{}}
	}
	found[key].shared[shared] = bytes
	return sharers, true
}

// sum returns total bytes and the text: distinct sizes, smallest first, and the
// number of caches.
func (c *caches) sum() (total int64, text string) {
	var sizes []int64
	for _, bytes := range c.shared {
		total += bytes
		sizes = append(sizes, bytes)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	parts := make([]string, len(sizes))
	for i, bytes := range sizes {
		parts[i] = strconv.FormatInt(bytes>>10, 10)
	}
	return total, fmt.Sprintf("%sK x%d", strings.Join(parts, "/"), len(c.shared))
}

// parseCacheSize reads "512K" or "8M" of /sys/devices/system/cpu/cpu*/cache/index*/size.
func parseCacheSize(s string) (bytes int64, ok bool) {
	unit := int64(1)
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	case strings.HasSuffix(s, "G"):
		unit = 1 << 30
	}
	n, err := strconv.ParseInt(strings.TrimRight(s, "KMG"), 10, 64)
	if err != nil || n <= 0 || n > 1<<30 {
		return 0, false
	}
	return n * unit, true
}
