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

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

const (
	processesMax = 4096 // that are read
	topMax       = 5    // that are named
	topLeast     = 0.05 // CPUs that a process must use to be named
	idleShare    = 0.1  // of the CPUs in use by others: the machine is not idle
	watched      = 100 * time.Millisecond
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

// watchProcesses takes the first of two samples of the processes of this machine.
func watchProcesses(r *reader) {
	if r.opt.Live {
		r.firstTasks, r.began = r.tasks(), time.Now()
	}
}

// readProcesses records the processes with the highest CPU use: over a tenth of a
// second on this machine, over their lifetime on another.
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
			r.unknown("processes.top_cpu", "/proc/uptime", errNotReported)
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

// noteBusy adds a note if other processes use the CPUs: a measurement is then
// below the capacity of the machine.
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
		if p, err := procfs.ParseProcess(data); err == nil {
			tasks[pid] = taskTime{clean(string(p.Name)), p.CPUTicks, p.StartTicks}
		}
	}
	return tasks
}

// between returns the CPU use between two samples.
func between(before, after map[int]taskTime, seconds float64) []consumer {
	var top []consumer
	for pid, b := range after {
		a, ok := before[pid]
		if ok && a.started == b.started && b.ticks > a.ticks && seconds > 0 {
			top = append(top, consumer{b.name, (b.ticks - a.ticks) / procfs.TicksPerSecond / seconds})
		}
	}
	return top
}

// overLife returns the mean CPU use since the start of each process.
func overLife(tasks map[int]taskTime, uptime float64) []consumer {
	var top []consumer
	for _, t := range tasks {
		if age := uptime - t.started/procfs.TicksPerSecond; age > 1 && t.ticks > 0 {
			top = append(top, consumer{t.name, t.ticks / procfs.TicksPerSecond / age})
		}
	}
	return top
}
