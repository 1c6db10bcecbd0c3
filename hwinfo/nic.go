package hwinfo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

const netDir = "/sys/class/net"

// readNICs lists the network interfaces: directories and links of
// /sys/class/net, also those whose link leads nowhere; bonding_masters there is a file.
func readNICs(r *reader) {
	count := 0
	for _, e := range r.entries(netDir) {
		if e.Type().IsRegular() || e.Type()&(fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			continue
		}
		readNIC(r, e.Name())
		count++
	}
	if count == 0 {
		r.unknown("nic.count", netDir, errors.New("no interface listed"))
		return
	}
	r.put("nic.count", count, netDir)
	putRFSEntries(r)
}

func readNIC(r *reader, name string) {
	key, dir := "nic."+name+".", netDir+"/"+name
	device := dir + "/device"
	physical := r.exists(device)
	r.put(key+"kind", r.nicKind(name, dir, physical), dir+"/")
	putDriver(r, key, name, device)
	putProduct(r, key, name, device, physical)
	putSpeed(r, key, dir)
	switch s, err := r.text(dir + "/duplex"); {
	case err != nil:
		r.unknown(key+"duplex", dir+"/duplex", err)
	case s == "full" || s == "half":
		r.put(key+"duplex", s, dir+"/duplex")
	default:
		r.unknown(key+"duplex", dir+"/duplex", fmt.Errorf("reads %q", shorten(s)))
	}
	switch s, err := r.text(dir + "/operstate"); {
	case err != nil:
		r.unknown(key+"state", dir+"/operstate", err)
	case s == "unknown":
		r.absent(key+"state", dir+"/operstate") // drivers that report none, lo among them
	default:
		r.put(key+"state", s, dir+"/operstate")
	}
	if s, err := r.text(dir + "/carrier"); err == nil && (s == "0" || s == "1") {
		r.put(key+"carrier", s == "1", dir+"/carrier")
	} else {
		r.absent(key+"carrier", dir+"/carrier")
	}
	if n, err := r.number(dir + "/mtu"); err == nil && n > 0 {
		r.put(key+"mtu_bytes", n, dir+"/mtu")
	} else {
		r.absent(key+"mtu_bytes", dir+"/mtu")
	}
	putQueues(r, key, dir)
	putBond(r, key, name, dir)
	if n, err := r.number(device + "/numa_node"); err == nil && n >= 0 {
		r.put(key+"numa_node", n, device+"/numa_node")
	}
	if r.opt.Identify {
		r.putTextOrAbsent(key+"address", dir+"/address")
		putIPs(r, key, name)
	}
}

// nicKind: physical, bond, bridge, vlan, loopback, or virtual.
func (r *reader) nicKind(name, dir string, physical bool) string {
	if kind := r.uevent(dir, "DEVTYPE"); kind != "" {
		return kind // bond, bridge, vlan, wlan, vxlan ...
	}
	switch {
	case r.exists(dir + "/bonding"):
		return "bond"
	case r.exists(dir + "/bridge"):
		return "bridge"
	case r.exists("/proc/net/vlan/" + name):
		return "vlan"
	case physical:
		return "physical"
	}
	if s, err := r.text(dir + "/type"); err == nil && s == "772" { // ARPHRD_LOOPBACK
		return "loopback"
	}
	return "virtual"
}

// uevent returns a property of a device: a line NAME=value.
func (r *reader) uevent(dir, name string) string {
	s, _ := r.text(dir + "/uevent")
	for line := range strings.Lines(s) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return value
		}
	}
	return ""
}

func putDriver(r *reader, key, name, device string) {
	if driver, ok := r.linkBase(device + "/driver"); ok {
		r.put(key+"driver", driver, device+"/driver")
		r.putTextOrAbsent(key+"driver_version", device+"/driver/module/version")
	}
	if d, ok := liveDriver(r.opt, name); ok {
		r.put(key+"driver", d.driver, "ioctl(2) ETHTOOL_GDRVINFO")
		if d.firmware != "" && d.firmware != "N/A" {
			r.put(key+"firmware", d.firmware, "ioctl(2) ETHTOOL_GDRVINFO")
		}
	}
	if driver := r.uevent(device, "DRIVER"); driver != "" {
		r.put(key+"driver", driver, device+"/uevent")
	}
	r.unknown(key+"driver", device+"/driver", errors.New("no such link"))
}

// putProduct records vendor and product by PCI or USB ids. The ids of a virtio
// device are not PCI ids, but those of its parent device are.
func putProduct(r *reader, key, name, device string, physical bool) {
	if !physical {
		r.absent(key+"vendor", device+"/vendor")
		r.absent(key+"product", device+"/device")
		return
	}
	for dir := device; dir != "/" && dir != "."; dir = path.Dir(r.find(dir).path) {
		if vendor, product, ok := r.usbNames(dir); ok {
			r.put(key+"vendor", vendor, dir+"/idVendor")
			r.put(key+"product", product, dir+"/idProduct")
			return
		}
		if subsystem, ok := r.linkBase(dir + "/subsystem"); ok && subsystem != "pci" {
			continue
		}
		vendor, err1 := r.hex(dir + "/vendor")
		product, err2 := r.hex(dir + "/device")
		if err1 == nil && err2 == nil {
			v, p := r.pciNames(vendor, product)
			r.put(key+"vendor", v, dir+"/vendor")
			r.put(key+"product", p, dir+"/device")
			return
		}
		if dir == device && !r.exists(dir+"/subsystem") {
			break
		}
	}
	if driver, _ := r.known(key + "driver"); driver == "virtio_net" {
		r.put(key+"vendor", "Virtio", device+"/driver")
		r.put(key+"product", "Virtio network device", device+"/driver")
		return
	}
	r.unknown(key+"vendor", device+"/vendor", errNotReported)
	r.unknown(key+"product", device+"/device", errNotReported)
}

func (r *reader) hex(path string) (uint64, error) {
	s, err := r.text(path)
	if err != nil {
		return 0, err
	}
	return parseHex(s)
}

func (r *reader) usbNames(dir string) (vendor, product string, ok bool) {
	v, err1 := r.text(dir + "/idVendor")
	p, err2 := r.text(dir + "/idProduct")
	if err1 != nil || err2 != nil {
		return "", "", false
	}
	vendor, product = v, v+":"+p
	if s, err := r.text(dir + "/manufacturer"); err == nil {
		vendor = s
	}
	if s, err := r.text(dir + "/product"); err == nil {
		product = s
	}
	return vendor, product, true
}

// pciNames asks the machine's pci.ids, then a short list that mysweep
// carries; a device in neither is shown as the pair of numbers.
func (r *reader) pciNames(vendor, product uint64) (string, string) {
	v, p := fmt.Sprintf("%04x", vendor), fmt.Sprintf("%04x:%04x", vendor, product)
	for _, file := range []string{"/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids", "/usr/share/pci.ids", "/var/lib/pciutils/pci.ids"} {
		data, err := r.table(file)
		if err != nil {
			continue
		}
		vendorName, productName := lookupIDs(data, vendor, product)
		if productName != "" {
			return vendorName, productName
		}
		v = cmp.Or(vendorName, v)
		break
	}
	vendorName, productName := lookupIDs(strings.NewReader(nicIDs), vendor, product)
	return cmp.Or(vendorName, v), cmp.Or(productName, p)
}

// putSpeed reads the link's speed, in Mbit/s. What drivers print for "not
// known" (0, -1, 65535, 4294967295) is unknown, as is an empty or unreadable file.
func putSpeed(r *reader, key, dir string) {
	path := dir + "/speed"
	n, err := r.number(path)
	if err == nil && (n <= 0 || n == 65535 || n > 10_000_000) {
		err = fmt.Errorf("reads %d", n)
	}
	if err != nil {
		r.unknown(key+"speed_bits_per_second", path, err)
		return
	}
	r.put(key+"speed_bits_per_second", n*1_000_000, path)
}

// putQueues counts queues and records receive packet steering (RPS), which is on
// if rps_cpus of a queue is not 0, and receive flow steering (RFS), which is on if
// rps_flow_cnt and net.core.rps_sock_flow_entries are not 0.
// https://docs.kernel.org/networking/scaling.html
func putQueues(r *reader, key, dir string) {
	names := r.list(dir + "/queues")
	rx := numbered(names, "rx-")
	for _, q := range []struct {
		key   string
		count int
	}{{"rx_queues", len(rx)}, {"tx_queues", len(numbered(names, "tx-"))}} {
		if q.count == 0 { // old kernels list no send queues
			r.absent(key+q.key, dir+"/queues/")
		} else {
			r.put(key+q.key, q.count, dir+"/queues/")
		}
	}
	steered, flows, masks, counts := 0, 0, 0, 0
	var steeredTo []int
	for _, n := range rx {
		queue := dir + "/queues/rx-" + strconv.Itoa(n)
		if s, err := r.text(queue + "/rps_cpus"); err == nil {
			if cpus, ok := parseCPUMask(s); ok {
				masks++
				if len(cpus) > 0 {
					steered++
				}
				steeredTo = append(steeredTo, cpus...)
			}
		}
		if c, err := r.number(queue + "/rps_flow_cnt"); err == nil {
			counts++
			if c > 0 {
				flows++
			}
		}
	}
	putSteering(r, key+"rps", dir+"/queues/rx-0/rps_cpus", steered, masks)
	slices.Sort(steeredTo)
	if list := formatCPUList(slices.Compact(steeredTo)); list != "" {
		r.put(key+"rps_cpus", list, dir+"/queues/rx-*/rps_cpus")
	} else {
		r.absent(key+"rps_cpus", dir+"/queues/rx-*/rps_cpus")
	}
	entries, err := r.number(rfsEntries)
	switch {
	case flows > 0 && err != nil: // without the table of all sockets no queue steers flows
		r.unknown(key+"rfs", rfsEntries, err)
		return
	case entries == 0:
		flows = 0
	}
	putSteering(r, key+"rfs", dir+"/queues/rx-0/rps_flow_cnt", flows, counts)
}

const rfsEntries = "/proc/sys/net/core/rps_sock_flow_entries"

func putRFSEntries(r *reader) {
	if n, err := r.number(rfsEntries); err == nil {
		r.put("nic.rfs_entries", n, rfsEntries)
	} else {
		r.absent("nic.rfs_entries", rfsEntries)
	}
}

func putSteering(r *reader, key, path string, on, of int) {
	switch {
	case of == 0:
		r.absent(key, path)
	case on == 0:
		r.put(key, "off", path)
	case on == of:
		r.put(key, "on", path)
	default:
		r.put(key, "partial", path)
	}
}

// putBond records mode and members of a bond, and the master of a member.
func putBond(r *reader, key, name, dir string) {
	if s, err := r.text(dir + "/bonding/slaves"); err == nil {
		r.put(key+"bond_members", strings.Join(strings.Fields(s), ";"), dir+"/bonding/slaves")
	}
	if s, err := r.text(dir + "/bonding/mode"); err == nil {
		mode, _, _ := strings.Cut(s, " ")
		r.put(key+"bond_mode", mode, dir+"/bonding/mode")
	}
	if master, ok := r.linkBase(dir + "/master"); ok {
		r.put(key+"master", master, dir+"/master")
	}
}
