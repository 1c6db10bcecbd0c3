package hwinfo

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

const limitsPath = "/proc/self/limits"

// limitNames maps lines of /proc/self/limits to the names of getrlimit(2).
var limitNames = []struct{ name, line string }{
	{"nofile", "Max open files"}, {"nproc", "Max processes"}, {"memlock_bytes", "Max locked memory"},
	{"stack_bytes", "Max stack size"}, {"core_bytes", "Max core file size"}, {"as_bytes", "Max address space"},
}

// readLimits reads the limits of this process: limit.NAME is the soft one,
// limit.NAME_hard the hard one; "unlimited" stays a word.
func readLimits(r *reader) {
	data, err := r.table(limitsPath)
	limits := map[string][2]string{}
	if err == nil {
		limits = parseLimits(data)
	}
	for _, l := range limitNames {
		v, ok := limits[l.line]
		name, unit, _ := strings.Cut(l.name, "_")
		if unit != "" {
			unit = "_" + unit
		}
		for i, key := range []string{"limit." + name + unit, "limit." + name + "_hard" + unit} {
			switch {
			case ok:
				r.put(key, settingValue(v[i]), limitsPath)
			case l.name == "nofile" && err != nil:
				r.unknown(key, limitsPath, err)
			case l.name == "nofile":
				r.unknown(key, limitsPath, errors.New("no line Max open files"))
			default:
				r.absent(key, limitsPath)
			}
		}
	}
}

// parseLimits reads "Max open files  1024  4096  files": soft and hard limit by the line's name.
func parseLimits(r io.Reader) map[string][2]string {
	limits := map[string][2]string{}
	lines(r, func(line string) {
		f := strings.Fields(line)
		for i := 1; i+1 < len(f); i++ {
			if isLimit(f[i]) && isLimit(f[i+1]) {
				limits[strings.Join(f[:i], " ")] = [2]string{f[i], f[i+1]}
				return
			}
		}
	})
	return limits
}

func isLimit(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil || s == "unlimited"
}
