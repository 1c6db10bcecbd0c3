package hwinfo

import "github.com/mysweep/mysweep/hwinfo/procfs"

const loadavgPath = "/proc/loadavg"

func readLoad(r *reader) {
	data, err := r.read(loadavgPath, attributeMax)
	l := procfs.UnknownLoadavg()
	if err == nil {
		l, err = procfs.ParseLoadavg(data)
	}
	for i, key := range []string{"load.1m", "load.5m", "load.15m"} {
		if err != nil {
			r.unknown(key, loadavgPath, err)
		} else {
			r.put(key, l.Load[i], loadavgPath)
		}
	}
	if err != nil {
		r.unknown("load.runnable", loadavgPath, err)
		r.unknown("load.tasks", loadavgPath, err)
		return
	}
	r.put("load.runnable", int64(l.Runnable), loadavgPath)
	r.put("load.tasks", int64(l.Tasks), loadavgPath)
}
