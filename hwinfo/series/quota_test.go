package series

import (
	"maps"
	"testing"
	"time"
)

// The quota of the watched process's groups, at any level, of both versions;
// without a quota there is no column.
func TestThrottlingByQuota(t *testing.T) {
	const group, above = "sys/fs/cgroup/system.slice/mariadb.service/cpu.stat", "sys/fs/cgroup/system.slice/cpu.stat"
	for _, row := range []struct {
		why           string
		files, later  map[string]string
		periods, wait float64 // per second
	}{
		{"version 2, the process's own group",
			map[string]string{"proc/77/cgroup": "0::/system.slice/mariadb.service\n", group: "usage_usec 1\nnr_periods 10\nnr_throttled 4\nthrottled_usec 100000\n"},
			map[string]string{group: "usage_usec 9\nnr_periods 30\nnr_throttled 14\nthrottled_usec 600000\n"}, 5, .25},
		{"version 2, a group above",
			map[string]string{"proc/77/cgroup": "0::/system.slice/mariadb.service\n", group: "nr_throttled 0\nthrottled_usec 0\n", above: "nr_throttled 1\nthrottled_usec 0\n"},
			map[string]string{above: "nr_throttled 3\nthrottled_usec 2000000\n"}, 1, 1},
		{"version 2 in a container: the path is that of the host",
			map[string]string{"proc/self/cgroup": "0::/docker/4f1c\n", "sys/fs/cgroup/cpu.stat": "nr_throttled 0\nthrottled_usec 0\n"},
			map[string]string{"sys/fs/cgroup/cpu.stat": "nr_throttled 2\nthrottled_usec 1000000\n"}, 1, .5},
		{"version 1 counts nanoseconds",
			map[string]string{"proc/77/cgroup": "4:memory:/x\n3:cpu,cpuacct:/db\n", "sys/fs/cgroup/cpu/db/cpu.stat": "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n"},
			map[string]string{"sys/fs/cgroup/cpu/db/cpu.stat": "nr_periods 20\nnr_throttled 20\nthrottled_time 3000000000\n"}, 10, 1.5},
		{"no quota", map[string]string{"proc/77/cgroup": "0::/user.slice\n", "sys/fs/cgroup/user.slice/cpu.stat": "usage_usec 5\n"}, nil, -1, -1},
	} {
		t.Run(row.why, func(t *testing.T) {
			files := map[string]string{"proc/stat": "cpu 0 0 0 0\n"}
			maps.Copy(files, row.files)
			l, root := machine(t, files)
			s := New(l, Options{PID: 77})
			from := mark(t, s)
			for name, content := range row.later {
				write(t, root, name, content)
			}
			to := mark(t, s)
			to.c.at = from.c.at.Add(2 * time.Second)
			values := s.Between(from, to).Values
			for name, want := range map[string]float64{"cgroup.throttled_periods_per_second": row.periods, "cgroup.throttled_seconds_per_second": row.wait} {
				got, known := values[name]
				if want < 0 && known || want >= 0 && !known {
					t.Errorf("%s = %v, known %v", name, got, known)
				} else if known {
					near(t, name, got, want)
				}
			}
		})
	}
}
