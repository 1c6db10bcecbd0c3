// Package sample makes up archives for tests: a server of 12 cores that scales, saturates and falls
// off, with seeded noise, so that the same arguments give the same archive. Nothing but tests uses
// it; its figures are of no machine.
package sample

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

var began = time.Date(2026, 3, 14, 3, 0, 0, 0, time.UTC)

// Archive is a whole run of one case over threads x queries, each cell so many times and the best
// one confirmed.
func Archive(threads, queries []int, repeats int) *result.Archive {
	p := plan.Default()
	p.Name = "nightly select-key"
	p.Threads, p.Queries, p.Repeat, p.Seed = threads, queries, repeats, 4711
	p.Cases = []plan.Case{{Name: "default"}}
	p.Require = plan.Texts{"qps>=20000", "p99<10ms"}
	p.Server = plan.Server{Host: "db3", User: "bench"}
	a := &result.Archive{Dir: "/var/lib/mysweep/db3/20260314T030000Z-nightly", Run: run(p)}
	g := &generator{rand: rand.New(rand.NewPCG(7, 11))}
	for _, block := range p.Schedule() {
		for _, slot := range block.Trials {
			a.Trials = append(a.Trials, g.trial(slot.Cell, slot.Repeat, false))
		}
	}
	best := g.best
	for i := range p.Confirm {
		a.Trials = append(a.Trials, g.trial(best, repeats+1+i, true))
	}
	a.Run.Trials = len(a.Trials)
	a.Run.EndedAt = began.Add(time.Duration(g.clock * float64(time.Second)))
	return a
}

// Small is the archive of the golden files.
func Small() *result.Archive {
	return Archive([]int{1, 2, 4, 8, 16, 32, 64, 100}, []int{10, 50, 100}, 3)
}

// Default is of the size that a run without flags gives.
func Default() *result.Archive {
	tens := []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	return Archive(append([]int{1, 2, 4, 8}, tens...), tens, 3)
}

func run(p plan.Plan) result.Run {
	return result.Run{
		Schema: result.SchemaVersion, ID: "20260314T030000Z-5f3c", Version: "1.0.0", Name: p.Name,
		StartedAt: began, Status: result.OK,
		Command: "mysweep run --host db3 --user bench --seed 4711 --require 'qps>=20000,p99<10ms' --archive /var/lib/mysweep --name 'nightly select-key'",
		Plan:    p, Client: clientFacts(), Server: serverFacts(), ServerHost: "db3", ClientHost: "web7",
		Cases: []result.Case{serverCase("default")},
	}
}

func serverCase(name string) result.Case {
	size := int64(31 << 20)
	return result.Case{
		Name: name, Status: result.OK, Version: "10.11.14-MariaDB-0+deb12u2-log", Flavour: "MariaDB", Comment: "Debian 12",
		Variables: map[string]string{
			"innodb_buffer_pool_size": "134217728", "innodb_flush_log_at_trx_commit": "1", "sync_binlog": "0",
			"max_connections": "151", "thread_cache_size": "151", "performance_schema": "OFF", "skip_name_resolve": "ON",
			"character_set_server": "utf8mb4", "version": "10.11.14-MariaDB-0+deb12u2-log", "log_bin": "OFF",
		},
		Changed: []result.Changed{
			{Name: "skip_name_resolve", Value: "ON", Default: "OFF", Source: "CONFIG"},
			{Name: "character_set_server", Value: "utf8mb4", Default: "latin1", Source: "CONFIG"},
			{Name: "thread_cache_size", Value: "151", Default: "256", Source: "AUTO"},
		},
		Transport: "tcp", AuthPlugin: "mysql_native_password",
		Tables: []result.TableFact{{Workload: "select-key", Name: "http_auth", Rows: 90000, DataBytes: &size}},
	}
}

func facts(pairs ...any) hwinfo.Facts {
	var f hwinfo.Facts
	for i := 0; i+3 < len(pairs); i += 4 {
		f.List = append(f.List, hwinfo.Fact{Key: pairs[i].(string), Value: pairs[i+1], Unit: pairs[i+2].(string), Source: pairs[i+3].(string)})
	}
	return f
}

func serverFacts() *hwinfo.Facts {
	f := facts(
		"cpu.model", "Intel(R) Xeon(R) CPU E5-2630 0 @ 2.30GHz", "", "/proc/cpuinfo",
		"cpu.online", int64(24), "", "/sys/devices/system/cpu/online",
		"cpu.usable", 24.0, "", "sched_getaffinity",
		"cpu.sockets", int64(2), "", "/proc/cpuinfo",
		"cpu.cores", int64(12), "", "/proc/cpuinfo",
		"cpu.threads_per_core", int64(2), "", "/proc/cpuinfo",
		"cpu.hyperthreading", "on", "", "/proc/cpuinfo",
		"cpu.mhz_max", 2800.0, "MHz", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
		"cpu.governor", "performance", "", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		"memory.total_bytes", int64(67430236160), "bytes", "/proc/meminfo",
		"os.pretty_name", "CentOS release 6.4 (Final)", "", "/etc/redhat-release",
		"kernel.release", "2.6.32-358.14.1.el6.x86_64", "", "/proc/sys/kernel/osrelease",
		"virtualization.role", "none", "", "/proc/cpuinfo",
		"nic.eth0.product", "I350 Gigabit Network Connection", "", "/sys/class/net/eth0/device",
		"nic.eth0.driver", "igb", "", "/sys/class/net/eth0/device/driver",
		"nic.eth0.speed_bits_per_second", int64(1e9), "bits/s", "/sys/class/net/eth0/speed",
		"nic.eth0.state", "up", "", "/sys/class/net/eth0/operstate",
		"disk.sda.model", "INTEL SSDSC2BA200G3", "", "/sys/block/sda/device/model",
		"disk.sda.size_bytes", int64(200049647616), "bytes", "/sys/block/sda/size",
		"disk.sda.rotational", false, "", "/sys/block/sda/queue/rotational",
		"disk.sda.transport", "sata", "", "/sys/block/sda",
		"datadir.filesystem", "ext4", "", "/proc/mounts",
		"datadir.mount", "/", "", "/proc/mounts",
		"datadir.disks", "sda", "", "/sys/block/sda",
		"sysctl.net.ipv4.ip_local_port_range", "32768 60999", "", "/proc/sys/net/ipv4/ip_local_port_range",
		"sysctl.vm.swappiness", int64(60), "", "/proc/sys/vm/swappiness",
		"limit.nofile", int64(65535), "", "getrlimit",
		"load.1m", 0.02, "", "/proc/loadavg",
	)
	f.Notes = []hwinfo.Note{{Code: "unknown", Text: "memory modules are not known: /sys/firmware/dmi/tables/DMI: permission denied"}}
	return &f
}

func clientFacts() hwinfo.Facts {
	return facts(
		"cpu.model", "Intel(R) Core(TM) i7-3770T CPU @ 2.50GHz", "", "/proc/cpuinfo",
		"cpu.online", int64(8), "", "/sys/devices/system/cpu/online",
		"cpu.usable", 8.0, "", "sched_getaffinity",
		"cpu.sockets", int64(1), "", "/proc/cpuinfo",
		"cpu.cores", int64(4), "", "/proc/cpuinfo",
		"cpu.threads_per_core", int64(2), "", "/proc/cpuinfo",
		"cpu.hyperthreading", "on", "", "/proc/cpuinfo",
		"memory.total_bytes", int64(33612337152), "bytes", "/proc/meminfo",
		"os.pretty_name", "Debian GNU/Linux 12 (bookworm)", "", "/etc/os-release",
		"kernel.release", "6.1.0-28-amd64", "", "/proc/sys/kernel/osrelease",
		"nic.eth0.product", "82574L Gigabit Network Connection", "", "/sys/class/net/eth0/device",
		"nic.eth0.driver", "e1000e", "", "/sys/class/net/eth0/device/driver",
		"nic.eth0.speed_bits_per_second", int64(1e9), "bits/s", "/sys/class/net/eth0/speed",
		"nic.eth0.state", "up", "", "/sys/class/net/eth0/operstate",
		"sysctl.net.ipv4.tcp_tw_reuse", int64(1), "", "/proc/sys/net/ipv4/tcp_tw_reuse",
		"limit.nofile", int64(1048576), "", "getrlimit",
	)
}

// generator makes up trials and the evidence of the machine that they ran on.
type generator struct {
	rand     *rand.Rand
	clock    float64 // seconds since the run began
	seq      int
	load     [3]float64 // 1, 5 and 15 minutes
	best     plan.Cell
	bestRate float64
}

// rate follows the universal scalability law, with a cost for each burst.
func rate(threads, queries int) float64 {
	n, q := float64(threads), float64(queries)
	x := 1900 * n / (1 + 0.052*(n-1) + 0.00023*n*(n-1))
	return x * q / (q + 4)
}

func (g *generator) noise(share float64) float64 { return 1 + share*g.rand.NormFloat64() }

func (g *generator) trial(c plan.Cell, repeat int, confirm bool) result.Trial {
	g.seq++
	x := rate(c.Threads, c.Queries) * g.noise(0.012)
	if x > g.bestRate && !confirm {
		g.best, g.bestRate = c, x
	}
	perBurst := c.Threads * c.Queries * 2
	bursts := int(math.Ceil(0.5 * x / float64(perBurst)))
	elapsed := float64(bursts*perBurst) / x
	t := result.Trial{
		Seq: g.seq, Case: c.Case, Workload: c.Workload, Threads: c.Threads, Queries: c.Queries, Repeat: repeat, Confirm: confirm,
		StartedAt: began.Add(time.Duration(g.clock * 1e9)), Status: result.OK,
		Protocol: "text", Reconnect: "never", StorageEngine: "InnoDB", RandType: "uniform",
	}
	rows := int64(90000)
	t.TableRows = &rows
	t.Measure = g.measure(c, x, bursts, elapsed)
	t.Evidence = g.evidence(c, elapsed+0.15)
	return t
}

func (g *generator) measure(c plan.Cell, x float64, bursts int, elapsed float64) result.Measure {
	n := int64(bursts * c.Threads * c.Queries * 2)
	latency := g.distribution(n, float64(c.Threads)/x, 0.55)
	transaction := g.distribution(n/2, 2*float64(c.Threads)/x, 0.4)
	connects := g.distribution(int64(bursts*c.Threads), 0.0004+0.00002*float64(c.Threads), 0.5)
	busy := 0.2 + 0.4*x/25000
	m := result.Measure{
		Threads: c.Threads, Bursts: bursts, Elapsed: elapsed, ElapsedWithConnect: elapsed + 0.004*float64(bursts),
		Queries: n, Reads: n, Transactions: n / 2,
		FullConcurrency: result.Window{Elapsed: elapsed * 0.93, Queries: int64(float64(n) * 0.95)},
		Connects:        connects, Latency: latency, Transaction: transaction,
		Types:     []result.TypeMeasure{{Type: "select_index", Kind: "read", Queries: n, Latency: latency}},
		Client:    result.ClientCost{Engine: "loop", Loops: 2, UserSeconds: elapsed * busy, SystemSeconds: elapsed * busy, LoopBusy: &busy},
		Transport: "tcp",
	}
	for range c.Threads {
		m.Rounds = append(m.Rounds, n/2/int64(c.Threads))
		m.Busy = append(m.Busy, elapsed)
	}
	return m
}
