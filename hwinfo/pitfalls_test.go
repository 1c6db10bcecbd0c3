package hwinfo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dump reads one of the machines beside the checkout.
func dump(t *testing.T, name, datadir string) Facts {
	t.Helper()
	return factsOf(t, unpack(t, filepath.Join(hostsDir(t), name+".tar.gz")), datadir)
}

// want checks facts; "unknown" stands for nil.
func want(t *testing.T, f Facts, facts map[string]string) {
	t.Helper()
	for key, value := range facts {
		got, known := f.Get(key)
		if value == "unknown" && known || value != "unknown" && Text(got) != value {
			t.Errorf("%s = %v, want %s", key, got, value)
		}
	}
}

// ARM kernels print no model name: it comes from implementer and part, for every kind of core.
func TestModelOfARM(t *testing.T) {
	for name, facts := range map[string]map[string]string{
		"aarch64-kunpeng920-2s-4numa":  {"cpu.online": "128", "cpu.model": "Kunpeng-920", "cpu.vendor": "HiSilicon"},
		"aarch64-1cpu-nvme":            {"cpu.online": "1", "cpu.model": "Neoverse-N1", "cpu.vendor": "ARM"},
		"cpuinfo-aarch64-rpi-4cpu":     {"cpu.online": "4", "cpu.model": "Cortex-A53", "cpu.vendor": "ARM"},
		"aarch64-dgx-gb10-biglittle":   {"cpu.online": "20", "cpu.model": "Cortex-X925; Cortex-A725", "cpu.vendor": "ARM"},
		"riscv64-milkv-pioneer-64cpu":  {"cpu.online": "64", "cpu.model": "unknown"},
		"cpuinfo-s390x-z14-64cpu":      {"cpu.online": "64", "cpu.model": "unknown", "cpu.machine": "3906"},
		"cpuinfo-ppc64le-power8-24cpu": {"cpu.online": "24", "cpu.model": "POWER8 (architected), altivec supported"},
	} {
		t.Run(name, func(t *testing.T) { want(t, dump(t, name, ""), facts) })
	}
}

func TestModelOfUnknownPart(t *testing.T) {
	for why, row := range map[string]struct{ cpuinfo, model, vendor string }{
		"unknown part of a known maker":     {"processor: 0\nCPU implementer: 0x41\nCPU part: 0xfff\n", "0x41/0xfff", "ARM"},
		"unknown maker":                     {"processor: 0\nCPU implementer: 0x99\nCPU part: 0x001\n", "0x99/0x001", "0x99"},
		"only the last core tells":          {"processor: 0\nprocessor: 1\nCPU implementer: 0x41\nCPU part: 0xd0c\n", "Neoverse-N1", "ARM"},
		"a name that the kernel made up":    {"processor: 0\nmodel name: Phytium,D2000/8\nCPU implementer: 0x70\nCPU part: 0x663\n", "Phytium,D2000/8", "Phytium"},
		"a name that only names the design": {"processor: 0\nmodel name: ARMv8 Processor rev 3 (v8l)\nCPU implementer: 0x41\nCPU part: 0xd08\n", "Cortex-A72", "ARM"},
		"no model at all":                   {"processor: 0\nmodel name: \nvendor_id: \n", "unknown", "unknown"},
	} {
		t.Run(why, func(t *testing.T) {
			f := factsOf(t, Memory(map[string][]byte{"/proc/cpuinfo": []byte(row.cpuinfo)}, nil), "")
			want(t, f, map[string]string{"cpu.model": row.model, "cpu.vendor": row.vendor})
		})
	}
}

// CPUs that are offline have no topology: no invented socket, no flood of notes.
func TestOfflineCPUs(t *testing.T) {
	for name, facts := range map[string]map[string]string{
		"x86_64-kvm-2of4-offline":           {"cpu.online": "2", "cpu.present": "4", "cpu.sockets": "2", "cpu.cores": "2", "cpu.online_list": "0-1"},
		"x86_64-offline-cpu0-e5-2680v3-el7": {"cpu.online": "17", "cpu.online_list": "4-20", "cpu.sockets": "2", "cpu.cores": "17", "cpu.present": "24"},
		"s390x-lpar-cpu-gaps":               {"cpu.online": "17", "cpu.online_list": "1-5,8-19", "cpu.sockets": "unknown", "cpu.cores": "17", "cpu.present": "20"},
	} {
		t.Run(name, func(t *testing.T) {
			f := dump(t, name, "")
			want(t, f, facts)
			for _, n := range f.Notes {
				if strings.Contains(n.Text, "cpu2/") || strings.Contains(n.Text, "cpu0/topology") {
					t.Errorf("a note for one CPU: %s", n.Text)
				}
			}
		})
	}
}

// -1, 0, 65535, 4294967295, empty and unreadable speeds are unknown; the card is listed all the
// same.
func TestSpeedOfCards(t *testing.T) {
	for name, facts := range map[string]map[string]string{
		"x86_64-cloudstack-kvm-debian9":  {"nic.ens3.speed_bits_per_second": "unknown", "nic.ens3.state": "up"},
		"fixture-node-exporter-bonds-md": {"nic.bond0.speed_bits_per_second": "unknown", "nic.eth0.speed_bits_per_second": "1000000000"},
		"x86_64-e7-4870-4s-nics-disks": {"nic.eth0.speed_bits_per_second": "1000000000", "nic.eth0.duplex": "full",
			"nic.eth1.speed_bits_per_second": "unknown", "nic.eth2.speed_bits_per_second": "unknown", "nic.eth3.state": "down"},
	} {
		t.Run(name, func(t *testing.T) { want(t, dump(t, name, ""), facts) })
	}
}

// The disk is at the bottom of the stack, and says itself whether it turns.
func TestDisksBehindLayers(t *testing.T) {
	const stacks = "constructed-mounts-and-stacks"
	want(t, dump(t, stacks, "/data/btr"), map[string]string{"datadir.disks": "nvme0n1", "datadir.rotational": "false",
		"datadir.models": "INTEL SSDPE2KX040T8", "datadir.transport": "nvme"})
	f := dump(t, stacks, "/data/md")
	want(t, f, map[string]string{"datadir.disks": "sde;sdf", "datadir.rotational": "false", "datadir.transport": "sata", "disk.count": "8"})
	if slices.ContainsFunc(f.Names("disk"), func(name string) bool { return strings.HasPrefix(name, "dm-") || strings.HasPrefix(name, "md") }) {
		t.Errorf("disks %v hold layers", f.Names("disk"))
	}
	want(t, dump(t, "x86_64-xeonL5640-2s-ht-lvm", "/var/lib/mysql"), map[string]string{"datadir.disks": "unknown", "datadir.rotational": "unknown", "datadir.source": "/dev/mapper/mainvg-var"})
}

// A container's quota is not the host's number of CPUs.
func TestQuotaOfContainers(t *testing.T) {
	want(t, dump(t, "constructed-docker-cgroup2-1500m", ""), map[string]string{"cpu.online": "20", "cpu.usable": "1.5", "cpu.usable_list": "0-3",
		"virtualization.container": "docker", "memory.limit_bytes": "2147483648"})
	want(t, dump(t, "constructed-docker-cgroup1-6cpu", ""), map[string]string{"cpu.online": "32", "cpu.usable": "6",
		"virtualization.container": "docker", "memory.limit_bytes": "no limit"})
}
