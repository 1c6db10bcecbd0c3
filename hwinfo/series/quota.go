package series

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// readQuota sums how often and for how long the control groups of this process
// and of the watched one had used up their CPU quota. A quota may be set at any
// level, so that the groups above are read as well.
// https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu
func (s *Sampler) readQuota(ctx context.Context) error {
	if s.groups == nil {
		processes := []string{"/proc/self/cgroup"}
		if s.pid > 0 {
			processes = append(processes, fmt.Sprintf("/proc/%d/cgroup", s.pid))
		}
		s.groups = []string{}
		if _, err := s.source.Read(ctx, processes, func(_ int, data []byte) { s.groups = append(s.groups, statFiles(data)...) }); err != nil {
			s.groups = nil
			return err
		}
		slices.Sort(s.groups)
		s.groups = slices.Compact(s.groups)
	}
	if len(s.groups) == 0 {
		return nil
	}
	c := &s.now
	_, err := s.source.Read(ctx, s.groups, func(_ int, data []byte) {
		procfs.EachLine(data, func(line []byte) {
			name, rest := procfs.Word(line)
			n, _ := procfs.Word(rest)
			switch string(name) {
			case "nr_throttled":
				c.quotaPeriods = plus(c.quotaPeriods, procfs.Number(n))
			case "throttled_usec": // version 2
				c.quotaThrottle = plus(c.quotaThrottle, procfs.Number(n)/1e6)
			case "throttled_time": // version 1, nanoseconds
				c.quotaThrottle = plus(c.quotaThrottle, procfs.Number(n)/1e9)
			}
		})
	})
	return err
}

// plus adds what is known.
func plus(sum, n float64) float64 {
	if math.IsNaN(sum) {
		return n
	}
	return sum + n
}

// statFiles lists the cpu.stat files of a process, from its groups up to where
// they are mounted on most machines. In a container the paths may be those of
// the host and lead nowhere: the mount itself is the group then.
func statFiles(cgroup []byte) []string {
	var files []string
	procfs.EachLine(cgroup, func(line []byte) {
		parts := bytes.SplitN(line, []byte(":"), 3)
		if len(parts) != 3 {
			return
		}
		mount := "/sys/fs/cgroup"
		if len(parts[1]) > 0 { // version 1
			if !slices.Contains(strings.Split(string(parts[1]), ","), "cpu") {
				return
			}
			mount += "/cpu"
		}
		for group := path.Clean("/" + string(parts[2])); ; group = path.Dir(group) {
			files = append(files, path.Join(mount, group, "cpu.stat"))
			if group == "/" {
				return
			}
		}
	})
	return files
}
