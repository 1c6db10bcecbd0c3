package verdict

import (
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// Columns of the series that the verdict looks at: NAME stands for a device.
const (
	nicRatio    = "nic.NAME.link_ratio"  // larger of rx and tx as share of the link's speed
	diskRatio   = "disk.NAME.busy_ratio" // share of time with a request under way
	swapIn      = "memory.swap_in_bytes_per_second"
	swapOut     = "memory.swap_out_bytes_per_second"
	timeWait    = "tcp.timewait" // sockets
	throttles   = "cpu.throttle_events_per_second"
	quotaWaits  = "cgroup.throttled_periods_per_second"
	listenDrops = "tcp.listen_overflows_per_second"
)

// device is how much of one device was used.
type device struct {
	name  string
	side  string // role of its machine
	share float64
}

// serverMachine is what the server's machine did, nil when it could not be
// seen. On a shared host it is the one machine.
func serverMachine(t *result.Trial) *result.Machine {
	if t.Evidence.Server == nil && t.Evidence.SharedHost {
		return t.Evidence.Client
	}
	return t.Evidence.Server
}

// side is a machine with its role in words.
type side struct {
	role    string
	machine *result.Machine
}

// sides are the machines of a trial, each once.
func sides(t *result.Trial) []side {
	var list []side
	if t.Evidence.Server != nil {
		list = append(list, side{"server", t.Evidence.Server})
	}
	if m := t.Evidence.Client; m != nil {
		role := "client"
		if sharedCPUs(t) {
			role = "shared"
		}
		list = append(list, side{role, m})
	}
	return list
}

func busy(m *result.Machine) *float64 {
	if m == nil {
		return nil
	}
	return m.BusyRatio
}

func runnablePerCPU(t *result.Trial) *float64 {
	m := serverMachine(t)
	if m == nil || m.RunnableMean == nil || m.UsableCPUs <= 0 {
		return nil
	}
	return ptr(*m.RunnableMean / m.UsableCPUs)
}

// serverProcess is how many CPUs the server used on average, its connects
// included.
func serverProcess(t *result.Trial) *float64 {
	elapsed := max(t.Measure.Elapsed, t.Measure.ElapsedWithConnect)
	if covered := t.Evidence.WindowSeconds; covered != nil {
		elapsed = *covered
	}
	if t.Evidence.ServerCPUSeconds == nil || elapsed <= 0 {
		return nil
	}
	return ptr(*t.Evidence.ServerCPUSeconds / elapsed)
}

// clientProcess is how many CPUs the load generator used on average.
func clientProcess(t *result.Trial) *float64 {
	return t.Measure.Client.CPUs(t.Measure.Elapsed)
}

// sharedCPUs reports whether server and client ran on the same CPUs: on one
// machine, where the server had none to itself.
func sharedCPUs(t *result.Trial) bool { return t.Evidence.SharedHost && t.Evidence.Server == nil }

// others is how many CPUs of the client's machine neither the load generator
// nor the server used, yet were busy; nil where that is unknown.
func others(t *result.Trial) *float64 {
	all, client := busyCPUs(t.Evidence.Client), clientProcess(t)
	if all == nil || client == nil {
		return nil
	}
	used := *client
	if t.Evidence.SharedHost {
		server := serverProcess(t)
		if server == nil {
			return nil
		}
		used += *server
		if !sharedCPUs(t) {
			own := busyCPUs(t.Evidence.Server)
			if own == nil {
				return nil
			}
			*all += *own
		}
	}
	return ptr(max(0, *all-used))
}

// busyCPUs is how many CPUs of a machine were busy, nil where that is unknown.
func busyCPUs(m *result.Machine) *float64 {
	if busy(m) == nil || m.UsableCPUs <= 0 {
		return nil
	}
	return ptr(*m.BusyRatio * m.UsableCPUs)
}

// clientUsable is how many CPUs of the client's machine may be used, those of a
// server on the same machine included.
func clientUsable(t *result.Trial) float64 {
	n := t.Evidence.Client.UsableCPUs
	if t.Evidence.SharedHost && !sharedCPUs(t) {
		n += t.Evidence.Server.UsableCPUs
	}
	return n
}

// generatorBusy is the share of the load generator's own capacity that was
// used: of its busiest loop, or of the CPUs that the goroutine engine may use.
func generatorBusy(t *result.Trial) *float64 {
	c := t.Measure.Client
	if c.LoopBusy != nil {
		return c.LoopBusy
	}
	used := clientProcess(t)
	if c.Engine != "goroutine" || used == nil {
		return nil
	}
	limit := float64(c.Loops)
	if limit == 0 && t.Evidence.Client != nil {
		limit = t.Evidence.Client.UsableCPUs
	}
	if limit <= 0 {
		return nil
	}
	return ptr(*used / limit)
}

// values are the columns of a machine over the whole trial. Where only samples
// are there, a column is their mean.
func values(m *result.Machine) map[string]float64 {
	if len(m.Values) > 0 {
		return m.Values
	}
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, s := range m.Samples {
		for name, v := range s.Values {
			sums[name] += v
			counts[name]++
		}
	}
	for name := range sums {
		sums[name] /= counts[name]
	}
	return sums
}

// column is one column over the whole trial, nil when it is not known.
func column(m *result.Machine, name string) *float64 {
	if v, ok := values(m)[name]; ok {
		return &v
	}
	return nil
}

// busiest is the device with the largest value in the columns that look like
// pattern, nil when there is none.
func busiest(s side, pattern string) *device {
	prefix, suffix, _ := strings.Cut(pattern, "NAME")
	var most *device
	for column, v := range values(s.machine) {
		if !strings.HasPrefix(column, prefix) || !strings.HasSuffix(column, suffix) || len(column) <= len(prefix)+len(suffix) {
			continue
		}
		name := column[len(prefix) : len(column)-len(suffix)]
		if most == nil || v > most.share || v == most.share && name < most.name {
			most = &device{name, s.role, v}
		}
	}
	return most
}

// interrupts is the CPU that spent most of its time on interrupts, nil when
// no CPU is known.
func interrupts(m *result.Machine) *result.CPU {
	var most *result.CPU
	for i := range m.CPUs {
		c := &m.CPUs[i]
		if most == nil || c.IRQ+c.SoftIRQ > most.IRQ+most.SoftIRQ {
			most = c
		}
	}
	return most
}

// steal is the mean share of time that the hypervisor gave to others.
func steal(m *result.Machine) *float64 {
	if len(m.CPUs) == 0 {
		return nil
	}
	sum := 0.0
	for _, c := range m.CPUs {
		sum += c.Steal
	}
	return ptr(sum / float64(len(m.CPUs)))
}
