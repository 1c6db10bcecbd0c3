package hwinfo

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// whole reads a machine that has the data in each of the files, and checks
// that what comes out can be written and read again. A panic inside shows as
// the note "internal".
func whole(t *testing.T, data []byte, paths ...string) {
	t.Helper()
	files := map[string][]byte{}
	for _, p := range paths {
		files[p] = data
	}
	f := Read(context.Background(), Options{Root: Memory(files, nil)})
	for _, n := range f.Notes {
		if n.Code == "internal" {
			t.Errorf("%s", n.Text)
		}
	}
	out, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &Facts{}); err != nil {
		t.Fatal(err)
	}
}

func FuzzCPUInfo(f *testing.F) {
	f.Add([]byte("processor\t: 0\nvendor_id\t: GenuineIntel\nphysical id : 0\ncore id : 0\nsiblings : 2\ncpu cores : 1\nflags : lm\n"))
	f.Add([]byte("processor 1: version = 00,  identification = 0ABCDE,  machine = 2817\nvendor_id : IBM/S390\nmax thread id : 1\n"))
	f.Add([]byte("Processor\t: ARMv7\nprocessor : 0\n\nCPU implementer : 0x41\nCPU part : 0xc0f\n"))
	f.Fuzz(func(t *testing.T, data []byte) { whole(t, data, cpuinfoPath) })
}

func FuzzTables(f *testing.F) {
	f.Add([]byte("MemTotal: 100 kB\nDirty: -1 kB\n"))
	f.Add([]byte("36 35 98:0 /mnt1 / rw,noatime master:1 - ext3 /dev/root rw\n"))
	f.Add([]byte("/dev/sda1 / ext4 rw 0 0\n"))
	f.Add([]byte("Max open files 1024 4096 files\n"))
	f.Add([]byte("0::/a/../b\n4:cpu,memory:/x\n"))
	f.Add([]byte("1 (a b) S 1 77 77 0 -1 4194560 1 2 3 4 100 50 0 0 20 0 31 0 555 1000\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole(t, data, meminfoPath, loadavgPath, limitsPath, "/proc/stat", "/proc/uptime", "/proc/version", "/proc/cmdline", "/proc/modules",
			"/proc/self/mountinfo", "/proc/self/mounts", "/proc/self/cgroup", "/proc/self/status", "/proc/1/environ", "/proc/1/stat",
			"/etc/os-release", "/proc/sysinfo", "/run/udev/data/b8:0", "/run/systemd/sessions/1", gatheredPath)
	})
}

// Attributes of /sys that hold anything.
func FuzzAttributes(f *testing.F) {
	f.Add([]byte("0-3,8"))
	f.Add([]byte("-1"))
	f.Add([]byte("99999999999999999999"))
	f.Add([]byte("ffffffff,ffffffff"))
	f.Add([]byte("150000 100000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cpu := cpuDir + "cpu0/"
		whole(t, data, cpuDir+"online", cpuDir+"present", cpuDir+"smt/active", cpu+"topology/physical_package_id", cpu+"topology/thread_siblings_list",
			cpu+"cache/index0/size", cpu+"cache/index0/level", cpu+"cache/index0/shared_cpu_list", cpu+"cpufreq/cpuinfo_max_freq",
			"/sys/devices/system/node/node0/cpumap", "/sys/devices/system/node/node0/meminfo", "/sys/devices/system/node/online",
			"/sys/class/net/eth0/speed", "/sys/class/net/eth0/mtu", "/sys/class/net/eth0/queues/rx-0/rps_cpus", "/sys/class/net/eth0/device/vendor",
			"/sys/class/net/eth0/device/device", "/sys/block/sda/size", "/sys/block/sda/queue/rotational", "/sys/block/sda/queue/read_ahead_kb",
			"/sys/block/sda/device/model", "/sys/fs/cgroup/cgroup.controllers", "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max",
			"/sys/class/dmi/id/sys_vendor", "/proc/sys/vm/swappiness", "/sys/hypervisor/properties/features")
	})
}

func FuzzSMBIOS(f *testing.F) {
	f.Add([]byte{17, 0x22, 1, 0, 0, 0, 0, 0, 72, 0, 64, 0, 0, 16, 9, 0, 1, 2, 24, 0, 0, 0x35, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'A', 0, 'B', 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) { whole(t, data, smbiosTable, "/run/utmp") })
}

func FuzzCPUList(f *testing.F) {
	f.Add("1-5,8-19")
	f.Fuzz(func(t *testing.T, s string) {
		list := parseCPUList(s)
		if again := parseCPUList(formatCPUList(list)); !slices.Equal(list, again) {
			t.Errorf("%q: %v, written and read again %v", s, list, again)
		}
		parseCPUMask(s)
	})
}

func FuzzIDs(f *testing.F) {
	f.Add("8086  Intel\n\t1521  I350\n\t\t8086 0001 sub\n", uint64(0x8086), uint64(0x1521))
	f.Fuzz(func(t *testing.T, s string, vendor, device uint64) {
		if v, d := lookupIDs(strings.NewReader(s), vendor, device); v == "" && d != "" {
			t.Errorf("device %q without vendor", d)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"facts":{"a":1,"b":null,"c":"x","d":1.5,"e":true},"sources":{"a":"/x"},"notes":[{"code":"a","text":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b Facts
		if json.Unmarshal(data, &a) != nil {
			return
		}
		first, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(first, &b); err != nil {
			t.Fatal(err)
		}
		if second, err := json.Marshal(b); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s became %s (%v)", first, second, err)
		}
	})
}
