package hwinfo

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// readVirtualization records hypervisor and role. Hypervisor is a name, "none", or
// unknown; role is guest, dom0, domU, host, none or unknown.
func readVirtualization(r *reader) {
	v := r.hypervisor()
	if v.role == "none" && r.runsGuests() {
		v.role = "host"
	}
	if v.name == "" {
		r.unknown("virtualization.hypervisor", v.source, cmp.Or(v.why, errNoEvidence))
	} else {
		r.put("virtualization.hypervisor", v.name, v.source)
	}
	r.put("virtualization.role", v.role, v.source)
	readContainer(r)
}

var errNoEvidence = errors.New("no evidence for or against a hypervisor")

// virtualization is the result of one source. An empty name is an unknown hypervisor.
type virtualization struct {
	name, role, source string
	why                error // why the name is unknown, where a cause is known
}

// hypervisor reads the most reliable sources first: Xen's own files, the
// firmware of s390x and POWER, the device tree, DMI, PCI, then the CPU's flag.
func (r *reader) hypervisor() virtualization {
	for _, ask := range []func(*reader) (virtualization, bool){emulated, xen, sysinfo, powerVM, deviceTree, dmiHypervisor, pciHypervisor, paravirtual} {
		if v, ok := ask(r); ok {
			return v
		}
	}
	return r.withoutEvidence()
}

// xen checks for the control domain, which has control_d in
// /proc/xen/capabilities. That file may be empty in both domains.
func xen(r *reader) (virtualization, bool) {
	const capabilities, kind = "/proc/xen/capabilities", "/sys/hypervisor/type"
	s, err := r.text(capabilities)
	hypervisor, _ := r.text(kind)
	switch {
	case strings.Contains(s, "control_d"):
		return virtualization{"Xen", "dom0", capabilities, nil}, true
	case hypervisor == "xen" && r.initialDomain():
		return virtualization{"Xen", "dom0", "/sys/hypervisor/properties/features", nil}, true
	case hypervisor == "xen":
		return virtualization{"Xen", "domU", kind, nil}, true
	case err == nil || errors.Is(err, errEmpty):
		return virtualization{"Xen", "domU", capabilities, nil}, true
	}
	return virtualization{}, false
}

// initialDomain: XENFEAT_dom0 is bit 11 of the features.
func (r *reader) initialDomain() bool {
	n, err := r.hex("/sys/hypervisor/properties/features")
	return err == nil && n&(1<<11) != 0
}

// sysinfo reads s390x' firmware: a line "VM00 Control Program: z/VM 6.4.0" or
// "KVM/Linux" in a guest, lines "LPAR ..." in a partition.
func sysinfo(r *reader) (virtualization, bool) {
	const path = "/proc/sysinfo"
	data, err := r.table(path)
	if err != nil {
		return virtualization{}, false
	}
	if name := parseSysinfo(data); name != "" {
		return virtualization{name, "guest", path, nil}, true
	}
	return virtualization{}, false
}

func parseSysinfo(r io.Reader) string {
	control, partition := "", false
	lines(r, func(line string) {
		key, value, _ := strings.Cut(line, ":")
		if strings.HasPrefix(key, "VM00 Control Program") {
			control = strings.TrimSpace(value)
		}
		partition = partition || strings.HasPrefix(key, "LPAR ")
	})
	switch {
	case strings.HasPrefix(control, "KVM"):
		return "KVM"
	case strings.HasPrefix(control, "z/VM"):
		return "z/VM"
	case control != "":
		return control
	case partition:
		return "PR/SM"
	}
	return ""
}

// powerVM checks for POWER partitions, which have a name; PowerNV is bare metal.
func powerVM(r *reader) (virtualization, bool) {
	c := r.processors()
	switch {
	case strings.Contains(c.common["machine"], "qemu") || strings.Contains(c.common["model"], "qemu"):
		return virtualization{"KVM", "guest", cpuinfoPath, nil}, true
	case c.common["platform"] == "PowerNV":
		return virtualization{"none", "none", cpuinfoPath, nil}, true
	}
	const name = "/proc/device-tree/ibm,partition-name"
	if r.exists(name) && !strings.Contains(r.deviceTreeText("/proc/device-tree/compatible"), "qemu") {
		return virtualization{"pHyp", "guest", name, nil}, true
	}
	if config := "/proc/ppc64/lparcfg"; r.exists(config) {
		return virtualization{"pHyp", "guest", config, nil}, true
	}
	return virtualization{}, false
}

func (r *reader) deviceTreeText(path string) string {
	s, _ := r.text(path)
	return s
}

// deviceTree checks the node /hypervisor of a device tree.
func deviceTree(r *reader) (virtualization, bool) {
	for _, dir := range []string{"/proc/device-tree", "/sys/firmware/devicetree/base"} {
		path := dir + "/hypervisor/compatible"
		s, err := r.text(path)
		if err != nil {
			continue
		}
		switch {
		case strings.Contains(s, "vmware"):
			return virtualization{"VMware", "guest", path, nil}, true
		case strings.Contains(s, "linux,kvm"):
			return virtualization{"KVM", "guest", path, nil}, true
		case strings.Contains(s, "xen"):
			return virtualization{"Xen", "domU", path, nil}, true
		}
		return virtualization{s, "guest", path, nil}, true
	}
	return virtualization{}, false
}

// dmiNames maps DMI texts of virtual machines to their hypervisors. Product names
// are checked before vendors, which may sell both kinds of machines.
var dmiNames = []struct {
	in         *regexp.Regexp
	hypervisor string
}{
	{regexp.MustCompile(`(?i)\bKVM\b`), "KVM"},
	{regexp.MustCompile(`(?i)VMware`), "VMware"},
	{regexp.MustCompile(`VirtualBox|innotek GmbH`), "VirtualBox"},
	{regexp.MustCompile(`(?i)Parallels`), "Parallels"},
	{regexp.MustCompile(`(?i)\bXen\b|HVM domU`), "Xen"},
	{regexp.MustCompile(`(?i)bhyve`), "bhyve"},
	{regexp.MustCompile(`(?i)OpenStack (Nova|Compute)|oVirt|RHEV|Red Hat Enterprise Linux (KVM|Virtual)|OpenNebula|CloudStack|Alibaba Cloud|Tencent Cloud|Google Compute Engine|DigitalOcean|Droplet|Hetzner|Scaleway|Vultr|Linode|UpCloud|Nutanix|Huawei Cloud|OpenStack Foundation`), "KVM"},
	{regexp.MustCompile(`QEMU|Bochs|SeaBIOS|Seabios`), "KVM"},
	{regexp.MustCompile(`Apple Virtualization`), "Apple Virtualization"},
	{regexp.MustCompile(`(?i)crosvm`), "crosvm"},
	{regexp.MustCompile(`KubeVirt`), "KVM"},
	{regexp.MustCompile(`OpenBSD`), "VMM"},
}

// dmiHypervisor checks the names in the virtual firmware.
func dmiHypervisor(r *reader) (virtualization, bool) {
	vendor, product := r.dmi("sys_vendor"), r.dmi("product_name")
	if strings.HasPrefix(vendor, "Microsoft") && product == "Virtual Machine" {
		return virtualization{"Microsoft Hyper-V", "guest", dmiDir + "product_name", nil}, true
	}
	if vendor == "Amazon EC2" && !strings.Contains(product, ".metal") {
		return virtualization{"KVM", "guest", dmiDir + "sys_vendor", nil}, true
	}
	if strings.Contains(vendor, "HITACHI") && strings.Contains(product, "LPAR") {
		return virtualization{"Virtage", "guest", dmiDir + "product_name", nil}, true
	}
	if strings.Contains(strings.ToLower(product), "metal") {
		return virtualization{}, false // a cloud's bare machine
	}
	for _, file := range []string{"product_name", "sys_vendor", "product_version", "board_vendor", "bios_vendor", "chassis_vendor", "bios_version"} {
		text := r.dmi(file)
		for _, n := range dmiNames {
			if text != "" && n.in.MatchString(text) {
				return virtualization{n.hypervisor, guestRole(n.hypervisor), dmiDir + file, nil}, true
			}
		}
	}
	return virtualization{}, false
}

// pciVendors are the makers of devices that exist in virtual machines only, by
// PCI vendor id. Virtio's 1af4 is left out: real cards have it too.
var pciVendors = map[string]string{
	"80ee": "VirtualBox", "15ad": "VMware", "1414": "Microsoft Hyper-V", "5853": "Xen", "1ab8": "Parallels", "1b36": "KVM",
}

// pciHypervisor reads the second column of /proc/bus/pci/devices: vendor and
// device id, four hexadecimal digits each.
func pciHypervisor(r *reader) (virtualization, bool) {
	const path = "/proc/bus/pci/devices"
	data, err := r.table(path)
	if err != nil {
		return virtualization{}, false
	}
	name := ""
	lines(data, func(line string) {
		if f := strings.Fields(line); len(f) > 1 && len(f[1]) == 8 {
			name = cmp.Or(name, pciVendors[f[1][:4]])
		}
	})
	return virtualization{name, guestRole(name), path, nil}, name != ""
}

func guestRole(hypervisor string) string {
	if hypervisor == "Xen" {
		return "domU"
	}
	return "guest"
}

// emulated checks for CPUs that exist in software only.
func emulated(r *reader) (virtualization, bool) {
	switch vendor := r.processors().any("vendor_id"); vendor {
	case "User Mode Linux", "PowerVM Lx86":
		return virtualization{vendor, "guest", cpuinfoPath, nil}, true
	}
	return virtualization{}, false
}

// qemuModel matches the CPU models that QEMU defines for its guests.
var qemuModel = regexp.MustCompile(`^(QEMU Virtual CPU|Common KVM processor|Intel (Xeon|Core) Processor \(|Intel (Xeon|Core) .* Processor \([A-Z]|Westmere E56xx|Nehalem|AMD (EPYC|Opteron).* Processor$|AMD Opteron .*\(Gen|AMD EPYC-)`)

// paravirtual checks for devices and clocks that only a hypervisor provides.
func paravirtual(r *reader) (virtualization, bool) {
	const clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource"
	s, _ := r.text(clocks)
	switch {
	case strings.Contains(s, "kvm-clock"):
		return virtualization{"KVM", "guest", clocks, nil}, true
	case strings.Contains(s, "hyperv_clocksource"):
		return virtualization{"Microsoft Hyper-V", "guest", clocks, nil}, true
	case len(r.list("/sys/bus/vmbus/devices")) > 0:
		return virtualization{"Microsoft Hyper-V", "guest", "/sys/bus/vmbus/devices", nil}, true
	case !r.processors().has("hypervisor"):
		return virtualization{}, false
	case qemuModel.MatchString(r.processors().any("model name")):
		return virtualization{"KVM", "guest", cpuinfoPath, nil}, true
	case r.hasVirtio():
		return virtualization{"KVM", "guest", "/sys/bus/virtio/devices", nil}, true
	}
	return virtualization{"", "guest", cpuinfoPath, nil}, true
}

func (r *reader) hasVirtio() bool {
	if len(r.list("/sys/bus/virtio/devices")) > 0 {
		return true
	}
	for _, disk := range r.list(sysBlock) {
		if strings.HasPrefix(disk, "vd") {
			return true
		}
	}
	return false
}

// withoutEvidence classifies a machine that no source identified as virtual. An
// x86 machine without the hypervisor flag is bare metal if its kernel is recent
// enough to show the flag: kernels that print the microcode revision are. For
// older ones DMI or the topology in /sys must be present, in which hypervisors
// of that time were visible. If DMI is not readable, the missing flag alone is
// not sufficient: VirtualBox can hide it. Other architectures have no such flag.
func (r *reader) withoutEvidence() virtualization {
	if _, err := r.text(dmiDir + "product_name"); errors.Is(err, fs.ErrPermission) {
		return virtualization{"", "unknown", dmiDir + "product_name", err}
	}
	c := r.processors()
	x86 := c.common["flags"] != "" && c.any("vendor_id") != ""
	if x86 && (c.any("microcode") != "" || r.dmi("sys_vendor") != "" || r.exists(cpuDir+"cpu0")) {
		return virtualization{"none", "none", cpuinfoPath, nil}
	}
	return virtualization{"", "unknown", cpuinfoPath, nil}
}

// runsGuests reports whether the kvm module is in use.
func (r *reader) runsGuests() bool {
	data, err := r.table("/proc/modules")
	if err != nil {
		return false
	}
	used := false
	lines(data, func(line string) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "kvm_intel" && f[0] != "kvm_amd" && f[0] != "kvm_hv" {
			return
		}
		n, err := strconv.Atoi(f[2])
		used = used || err == nil && n > 0
	})
	return used
}
