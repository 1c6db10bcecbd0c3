package hwinfo

import (
	"errors"
	"strconv"
	"strings"
)

// sysctls are the kernel settings that affect a benchmark over the network, in
// memory or on disk.
var sysctls = []string{
	"fs.aio-max-nr", "fs.aio-nr", "fs.file-max", "fs.nr_open",
	"kernel.nmi_watchdog", "kernel.numa_balancing", "kernel.pid_max", "kernel.randomize_va_space", "kernel.sched_autogroup_enabled",
	"kernel.sched_migration_cost_ns", "kernel.sched_min_granularity_ns", "kernel.sched_wakeup_granularity_ns", "kernel.threads-max",
	"net.core.busy_poll", "net.core.busy_read", "net.core.default_qdisc", "net.core.netdev_budget", "net.core.netdev_max_backlog",
	"net.core.rmem_max", "net.core.rps_sock_flow_entries", "net.core.somaxconn", "net.core.wmem_max",
	"net.ipv4.ip_local_port_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_abort_on_overflow", "net.ipv4.tcp_congestion_control",
	"net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_max_syn_backlog", "net.ipv4.tcp_max_tw_buckets", "net.ipv4.tcp_rmem",
	"net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_syncookies", "net.ipv4.tcp_timestamps", "net.ipv4.tcp_tw_recycle",
	"net.ipv4.tcp_tw_reuse", "net.ipv4.tcp_wmem", "net.netfilter.nf_conntrack_max",
	"vm.dirty_background_bytes", "vm.dirty_background_ratio", "vm.dirty_bytes", "vm.dirty_expire_centisecs", "vm.dirty_ratio",
	"vm.dirty_writeback_centisecs", "vm.max_map_count", "vm.nr_hugepages", "vm.overcommit_memory", "vm.swappiness", "vm.zone_reclaim_mode",
}

// needed reports whether every kernel has the setting.
func needed(name string) bool {
	switch name {
	case "net.ipv4.ip_local_port_range", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_tw_reuse", "net.core.somaxconn", "vm.swappiness":
		return true
	}
	return false
}

func readSysctls(r *reader) {
	for _, name := range sysctls {
		key, path := "sysctl."+name, sysctlPath(name)
		s, err := r.text(path)
		switch {
		case errors.Is(err, errEmpty):
			r.put(key, "", path)
		case err != nil && needed(name):
			r.unknown(key, path, err)
		case err != nil:
			r.absent(key, path)
		default:
			r.put(key, settingValue(s), path)
		}
	}
}

func sysctlPath(name string) string {
	return "/proc/sys/" + strings.ReplaceAll(name, ".", "/")
}

// settingValue converts integers; the words of other values are separated by one blank.
func settingValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return strings.Join(strings.Fields(s), " ")
}
