package hwinfo

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

const loadavgPath = "/proc/loadavg"

// loadavg is a line of /proc/loadavg: averages over 1, 5 and 15 minutes, and
// the tasks that are runnable and that there are.
type loadavg struct {
	load            [3]float64
	runnable, tasks int64
}

func readLoad(r *reader) {
	keys := [...]string{"load.1m", "load.5m", "load.15m", "load.runnable", "load.tasks"}
	data, err := r.table(loadavgPath)
	var l loadavg
	if err == nil {
		l, err = parseLoadavg(data)
	}
	if err != nil {
		for _, k := range keys {
			r.unknown(k, loadavgPath, err)
		}
		return
	}
	for i, v := range l.load {
		r.put(keys[i], v, loadavgPath)
	}
	r.put(keys[3], l.runnable, loadavgPath)
	r.put(keys[4], l.tasks, loadavgPath)
}

// parseLoadavg reads "0.20 0.18 0.12 1/80 11206".
// https://docs.kernel.org/filesystems/proc.html
func parseLoadavg(r io.Reader) (loadavg, error) {
	var l loadavg
	data, err := io.ReadAll(io.LimitReader(r, attributeMax))
	if err != nil {
		return l, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 4 {
		return l, errors.New("fewer than four fields")
	}
	for i := range l.load {
		if l.load[i], err = strconv.ParseFloat(fields[i], 64); err != nil || !(l.load[i] >= 0 && l.load[i] < 1e9) {
			return l, errors.New("load is not a number")
		}
	}
	running, tasks, ok := strings.Cut(fields[3], "/")
	if !ok {
		return l, errors.New("no runnable/total field")
	}
	if l.runnable, err = strconv.ParseInt(running, 10, 64); err != nil {
		return l, errors.New("runnable tasks are not a number")
	}
	if l.tasks, err = strconv.ParseInt(tasks, 10, 64); err != nil {
		return l, errors.New("tasks are not a number")
	}
	return l, nil
}
