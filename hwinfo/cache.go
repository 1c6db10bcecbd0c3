package hwinfo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// caches are those of one level and kind: data or unified, or instruction.
type caches struct {
	shared map[string]int64 // level, kind, CPUs that share it -> bytes
}

// putCaches counts each cache once, however many CPUs share it. Bytes are the
// sum over all caches of online CPUs; the text says "512K x48".
func putCaches(r *reader, t *topology) {
	found := map[string]*caches{}
	for _, n := range t.online {
		dir := cpuDir + "cpu" + strconv.Itoa(n) + "/cache"
		for _, i := range numbered(r.list(dir), "index") {
			addCache(r, found, n, fmt.Sprintf("%s/index%d/", dir, i))
		}
	}
	for _, k := range []struct{ level, key string }{{"1d", "l1d"}, {"1i", "l1i"}, {"2d", "l2"}, {"3d", "l3"}, {"4d", "l4"}} {
		path := cpuDir + "cpu*/cache"
		c := found[k.level]
		if c == nil {
			missing := r.absent
			if (k.key == "l2" || k.key == "l3") && len(found) == 0 {
				missing = func(key, path string) { r.unknown(key, path, errNotTold) }
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

func addCache(r *reader, found map[string]*caches, cpu int, dir string) {
	size, err := r.text(dir + "size")
	bytes, ok := parseCacheSize(size)
	level, err2 := r.number(dir + "level")
	if err != nil || err2 != nil || !ok || level < 1 || level > 9 {
		return
	}
	kind := "d"
	if s, _ := r.text(dir + "type"); s == "Instruction" {
		kind = "i"
	}
	shared, err := r.text(dir + "shared_cpu_list")
	if err != nil {
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
}

// sum gives total bytes and the text: distinct sizes, smallest first, and the number of caches.
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
