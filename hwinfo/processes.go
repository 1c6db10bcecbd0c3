package hwinfo

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	ticksPerSecond = 100  // USER_HZ of /proc/PID/stat
	processesMax   = 4096 // that are looked at
	topMax         = 5    // that are named
	topLeast       = 0.05 // CPUs that a process must use to be named
	idleShare      = 0.1  // of the CPUs in use by others: the machine is not idle
	watched        = 100 * time.Millisecond
)

// taskTime is the CPU time of a process up to now.
type taskTime struct {
	name    string
	ticks   float64
	started float64 // ticks after boot
}

// consumer is a process and how many CPUs it keeps busy.
type consumer struct {
	name string
	cpus float64
}

// watchProcesses takes the first of two looks at the processes of this machine.
func watchProcesses(r *reader) {
	if r.opt.Live {
		r.firstTasks, r.began = r.tasks(), time.Now()
	}
}

// readProcesses names the processes that use the CPUs: over a tenth of a
// second on this machine, over their whole life on another.
func readProcesses(r *reader) {
	const source = "/proc/*/stat"
	first, began := r.firstTasks, r.began
	if !r.opt.Live {
		first = r.tasks()
	}
	if len(first) == 0 {
		r.unknown("processes.top_cpu", source, errors.New("no process listed"))
		r.absent("processes.cpus_used", source)
		return
	}
	var top []consumer
	if r.opt.Live {
		time.Sleep(watched - time.Since(began)) // the other facts were read meanwhile
		top = between(first, r.tasks(), time.Since(began).Seconds())
	} else {
		uptime, ok := r.known("system.uptime_seconds")
		if !ok {
			r.unknown("processes.top_cpu", "/proc/uptime", errNotTold)
			r.absent("processes.cpus_used", source)
			return
		}
		top = overLife(first, uptime.(float64))
	}
	slices.SortStableFunc(top, func(a, b consumer) int { return cmp.Compare(b.cpus, a.cpus) })
	var parts []string
	used := 0.0
	for _, c := range top {
		used += c.cpus
		if c.cpus >= topLeast && len(parts) < topMax {
			parts = append(parts, fmt.Sprintf("%s %.2f", c.name, c.cpus))
		}
	}
	r.put("processes.top_cpu", strings.Join(parts, "; "), source)
	r.put("processes.cpus_used", rounded(used), source)
	r.noteBusy(used, parts)
}

// noteBusy says that others are at work: what is measured beside them is not
// what the machine can do.
func (r *reader) noteBusy(used float64, parts []string) {
	usable, ok := r.known("cpu.usable")
	if !ok || !r.opt.Live || used <= idleShare*usable.(float64) {
		return
	}
	r.note("not-idle", "other processes use %.2f of %s CPUs: %s", used, Text(usable), strings.Join(parts, "; "))
}

func rounded(v float64) float64 {
	n, _ := strconv.ParseFloat(fmt.Sprintf("%.2f", v), 64)
	return n
}

// tasks reads /proc/PID/stat of all processes but this one.
func (r *reader) tasks() map[int]taskTime {
	tasks := map[int]taskTime{}
	for _, name := range r.list("/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil || len(tasks) >= processesMax || r.opt.Live && pid == os.Getpid() {
			continue
		}
		data, err := r.read("/proc/"+name+"/stat", attributeMax)
		if err != nil {
			continue
		}
		if t, ok := parseTask(string(data)); ok {
			tasks[pid] = t
		}
	}
	return tasks
}

// parseTask reads "77 (my sql)d) S 1 ...": the name reaches to the last
// bracket; user and system time are fields 14 and 15, the start 22. proc_pid_stat(5)
func parseTask(s string) (taskTime, bool) {
	open, end := strings.IndexByte(s, '('), strings.LastIndexByte(s, ')')
	if open < 0 || end < open {
		return taskTime{}, false
	}
	f := strings.Fields(s[end+1:])
	if len(f) < 20 {
		return taskTime{}, false
	}
	user, err1 := strconv.ParseUint(f[11], 10, 53)
	system, err2 := strconv.ParseUint(f[12], 10, 53)
	started, err3 := strconv.ParseUint(f[19], 10, 53)
	return taskTime{clean(s[open+1 : end]), float64(user + system), float64(started)}, errors.Join(err1, err2, err3) == nil
}

// between compares two readings.
func between(before, after map[int]taskTime, seconds float64) []consumer {
	var top []consumer
	for pid, b := range after {
		a, ok := before[pid]
		if ok && a.started == b.started && b.ticks > a.ticks && seconds > 0 {
			top = append(top, consumer{b.name, (b.ticks - a.ticks) / ticksPerSecond / seconds})
		}
	}
	return top
}

// overLife takes the mean since each process began.
func overLife(tasks map[int]taskTime, uptime float64) []consumer {
	var top []consumer
	for _, t := range tasks {
		if age := uptime - t.started/ticksPerSecond; age > 1 && t.ticks > 0 {
			top = append(top, consumer{t.name, t.ticks / ticksPerSecond / age})
		}
	}
	return top
}
