package hwinfo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// putFrequencies reads cpufreq, which is in kHz. Most guests have none: the
// limits are unknown there, and the current frequency comes from cpuinfo.
func putFrequencies(r *reader, t *topology) {
	var lowest, highest, base, sum int64
	count := 0
	for _, n := range t.online {
		dir := cpuDir + "cpu" + strconv.Itoa(n) + "/cpufreq/"
		if !r.exists(dir) {
			continue
		}
		if khz, err := r.number(dir + "cpuinfo_max_freq"); err == nil {
			highest = max(highest, khz)
		}
		if khz, err := r.number(dir + "cpuinfo_min_freq"); err == nil && khz > 0 && (lowest == 0 || khz < lowest) {
			lowest = khz
		}
		if khz, err := r.number(dir + "base_frequency"); err == nil {
			base = max(base, khz)
		}
		if khz, err := r.number(dir + "scaling_cur_freq"); err == nil && khz > 0 {
			sum += khz
			count++
		}
	}
	path := cpuDir + "cpu*/cpufreq/"
	putMHz(r, "cpu.mhz_max", highest, path+"cpuinfo_max_freq")
	putMHz(r, "cpu.mhz_min", lowest, path+"cpuinfo_min_freq")
	if base > 0 {
		putMHz(r, "cpu.mhz_base", base, path+"base_frequency")
	} else {
		r.absent("cpu.mhz_base", path+"base_frequency")
	}
	if count > 0 {
		putMHz(r, "cpu.mhz_current", sum/int64(count), path+"scaling_cur_freq")
		return
	}
	putMHzOfCPUInfo(r)
}

func putMHz(r *reader, key string, khz int64, path string) {
	if khz <= 0 || khz > 1e9 {
		r.unknown(key, path, errNotReported)
		return
	}
	r.put(key, float64(khz)/1000, path)
}

// putMHzOfCPUInfo averages "cpu MHz" (x86, loongarch), "clock" (POWER) or "cpu MHz dynamic"
// (s390x).
func putMHzOfCPUInfo(r *reader) {
	c := r.processors()
	sum, count := 0.0, 0
	for i := range c.cpus {
		f := c.cpus[i].fields
		text := strings.TrimSuffix(cmp.Or(f["cpu mhz"], f["clock"], f["cpu mhz dynamic"]), "MHz")
		if mhz, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && mhz > 0 && mhz < 1e6 {
			sum += mhz
			count++
		}
	}
	if count == 0 {
		r.unknown("cpu.mhz_current", cpuinfoPath, errNotReported)
		return
	}
	mean, _ := strconv.ParseFloat(fmt.Sprintf("%.3f", sum/float64(count)), 64)
	r.put("cpu.mhz_current", mean, cpuinfoPath)
}

// putGovernor records the distinct governors and drivers in use.
func putGovernor(r *reader) {
	for _, f := range []struct{ key, file string }{
		{"cpu.governor", "scaling_governor"}, {"cpu.scaling_driver", "scaling_driver"},
		{"cpu.energy_preference", "energy_performance_preference"},
	} {
		path := cpuDir + "cpu*/cpufreq/" + f.file
		var names []string
		for _, n := range r.topology().online {
			if s, err := r.text(cpuDir + "cpu" + strconv.Itoa(n) + "/cpufreq/" + f.file); err == nil {
				names = append(names, s)
			}
		}
		if len(names) == 0 {
			r.absent(f.key, path)
			continue
		}
		r.putNames(f.key, names, path)
	}
}
