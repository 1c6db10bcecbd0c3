package table

import (
	"io"
	"math"
	"strconv"

	"github.com/mysweep/mysweep/runner/result"
)

// CPU is a row of cpu.csv: one CPU of one machine during one trial, or all of them together (cpu is
// then "all"), as mpstat -P ALL shows it: guest time is not in usr.
type CPU struct {
	Key
	Role   Text    `csv:"role"` // client or server
	CPU    Text    `csv:"cpu"`
	User   float64 `csv:"usr_percent"`
	Nice   float64 `csv:"nice_percent"`
	System float64 `csv:"sys_percent"`
	IOWait float64 `csv:"iowait_percent"`
	IRQ    float64 `csv:"irq_percent"`
	Soft   float64 `csv:"soft_percent"`
	Steal  float64 `csv:"steal_percent"`
	Guest  float64 `csv:"guest_percent"`
	Idle   float64 `csv:"idle_percent"`
}

// CPUs begins cpu.csv. A machine that client and server share is listed once, as the client.
func CPUs(w io.Writer, a *result.Archive) (Rows, error) {
	return rowsOf(w, func(t *result.Trial) []CPU {
		key := keyOf(&a.Run, t)
		return append(cpusOf(key, "client", t.Evidence.Client), cpusOf(key, "server", t.Evidence.Server)...)
	})
}

func cpusOf(key Key, role Text, m *result.Machine) []CPU {
	if m == nil || len(m.CPUs) == 0 {
		return nil
	}
	rows := []CPU{cpuRow(key, role, "all", mean(m.CPUs))}
	for _, c := range m.CPUs {
		rows = append(rows, cpuRow(key, role, Text(strconv.Itoa(c.ID)), c))
	}
	return rows
}

func cpuRow(key Key, role, name Text, c result.CPU) CPU {
	return CPU{
		Key: key, Role: role, CPU: name,
		User: percent(math.Max(0, c.User-c.Guest)), Nice: percent(c.Nice), System: percent(c.System), IOWait: percent(c.IOWait),
		IRQ: percent(c.IRQ), Soft: percent(c.SoftIRQ), Steal: percent(c.Steal), Guest: percent(c.Guest), Idle: percent(c.Idle),
	}
}

// percent drops the digits that the multiplication makes up.
func percent(share float64) float64 { return math.Round(share*1e8) / 1e6 }

func mean(cpus []result.CPU) result.CPU {
	var sum result.CPU
	for _, c := range cpus {
		sum.User += c.User
		sum.Nice += c.Nice
		sum.System += c.System
		sum.IOWait += c.IOWait
		sum.IRQ += c.IRQ
		sum.SoftIRQ += c.SoftIRQ
		sum.Steal += c.Steal
		sum.Guest += c.Guest
		sum.Idle += c.Idle
	}
	n := float64(len(cpus))
	return result.CPU{
		User: sum.User / n, Nice: sum.Nice / n, System: sum.System / n, IOWait: sum.IOWait / n, IRQ: sum.IRQ / n,
		SoftIRQ: sum.SoftIRQ / n, Steal: sum.Steal / n, Guest: sum.Guest / n, Idle: sum.Idle / n,
	}
}
