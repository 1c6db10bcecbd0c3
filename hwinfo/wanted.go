package hwinfo

// Wanted lists the files that Read opens, as shell patterns, so that package
// remote can copy them from another host. A test compares it with the files that
// Read opens.
type Wanted struct {
	// Files are patterns of files that are small or tables.
	Files []string
	// Links are patterns of symbolic links to directories whose target matters.
	Links []string
	// Devices are patterns of directories reached through links: their real
	// place matters, with the files (patterns below them) named here.
	Devices []Device
}

// Device is a kind of directory in /sys that is known by its real path.
type Device struct {
	Dirs    string   // pattern, e.g. /sys/block/*
	Files   []string // patterns below
	Links   []string // links below whose target matters
	Parents []string // files of the directories above, up to /sys/devices
}

// WantedFiles is the list for Read.
func WantedFiles() Wanted {
	const cpu, group = "/sys/devices/system/cpu/", "/sys/fs/cgroup/"
	w := Wanted{
		Files: []string{
			"/etc/os-release", "/usr/lib/os-release", "/etc/redhat-release", "/etc/SuSE-release", "/etc/alpine-release", "/etc/debian_version",
			"/etc/oracle-release", "/etc/system-release", "/etc/timezone",
			"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version", "/proc/cmdline", "/proc/modules",
			"/proc/mounts", "/proc/self/mounts", "/proc/self/mountinfo", "/proc/self/status", "/proc/self/limits", "/proc/self/cgroup", "/proc/1/cgroup",
			"/proc/1/environ", "/proc/sysinfo", "/proc/bus/pci/devices", "/proc/ppc64/lparcfg", "/proc/xen/capabilities", "/proc/swaps", "/proc/mdstat",
			"/proc/device-tree/model", "/proc/device-tree/compatible", "/proc/device-tree/hypervisor/compatible", "/proc/device-tree/ibm,partition-name",
			"/proc/sys/kernel/hostname", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/version", "/proc/sys/kernel/arch", "/proc/pressure/*",
			"/proc/[0-9]*/stat",
			"/sys/hypervisor/type", "/sys/hypervisor/properties/features", "/sys/devices/system/clocksource/clocksource0/*_clocksource",
			"/sys/firmware/devicetree/base/model", "/sys/firmware/dmi/tables/DMI", "/sys/kernel/mm/transparent_hugepage/*", "/sys/kernel/mm/hugepages/*/nr_hugepages",
			"/sys/devices/virtual/dmi/id/*", "/sys/class/scsi_host/*/proc_name", "/sys/module/zswap/parameters/enabled",
			"/sys/devices/platform/soc*/soc*firmware/get_throttled", "/sys/class/hwmon/hwmon*/name", "/sys/class/hwmon/hwmon*/in0_lcrit_alarm",
			"/run/WSL", "/proc/sys/fs/binfmt_misc/WSLInterop",
			cpu + "online", cpu + "present", cpu + "isolated", cpu + "nohz_full", cpu + "smt/*", cpu + "vulnerabilities/*", cpu + "intel_pstate/no_turbo",
			cpu + "cpufreq/boost", cpu + "cpu[0-9]*/online", cpu + "cpu[0-9]*/cpu_capacity", cpu + "cpu[0-9]*/topology/*", cpu + "cpu[0-9]*/microcode/version",
			cpu + "cpu[0-9]*/cache/index[0-9]*/[lst]*", cpu + "cpu[0-9]*/cpufreq/[bces]*",
			"/sys/devices/system/node/online", "/sys/devices/system/node/node[0-9]*/cpu[lm]*", "/sys/devices/system/node/node[0-9]*/meminfo",
			group + "cgroup.controllers", group + "cpu.max", group + "memory.max", group + "cpuset.cpus.effective",
			group + "cpu*/cpu.cfs_*_us", group + "memory/memory.limit_in_bytes", group + "cpuset/cpuset.*cpus",
			"/sys/fs/btrfs/*/devices/*/dev", "/run/udev/data/b*", "/run/systemd/container", "/run/systemd/timesync/synchronized", "/.dockerenv", "/run/.containerenv", "/run/utmp", "/run/systemd/sessions/*", "/sys/firmware/dmi/entries/1[67]-*/raw",
			"/sys/bus/virtio/devices/*/modalias", "/sys/bus/vmbus/devices/*/modalias",
		},
		Links: []string{"/sys/dev/block/*"},
		Devices: []Device{
			{Dirs: "/sys/block/*",
				Files: []string{"size", "dev", "hidden", "wwid", "queue/*", "device/model", "device/name", "device/vendor", "device/rev", "device/firmware_rev",
					"device/queue_depth", "device/serial", "device/wwid", "dm/name", "dm/uuid", "md/level", "*/partition", "*/size"},
				Links: []string{"slaves/*"}},
			{Dirs: "/sys/class/net/*",
				Files: []string{"speed", "duplex", "operstate", "carrier", "mtu", "type", "uevent", "address", "queues/rx-*/rps_*", "queues/tx-*/tx_timeout",
					"bonding/slaves", "bonding/mode", "bridge/bridge_id", "device/numa_node"},
				Links: []string{"master"}},
			{Dirs: "/sys/class/net/*/device", Files: []string{"vendor", "device", "uevent", "driver/module/version"}, Links: []string{"driver", "subsystem"},
				Parents: []string{"vendor", "device", "idVendor", "idProduct", "manufacturer", "product"}},
		},
	}
	for _, name := range sysctls {
		w.Files = append(w.Files, sysctlPath(name))
	}
	return w
}
