package hwinfo

import (
	"cmp"
	"errors"
	"io"
	"regexp"
	"strings"
)

// readDisks lists the disks, without partitions, devices based on others (LVM,
// encryption, md), RAM disks, optical drives and loop devices.
func readDisks(r *reader) {
	count := 0
	for _, name := range r.list(sysBlock) {
		dir := sysBlock + "/" + name
		if !isDisk(name) || len(r.list(dir+"/slaves")) > 0 {
			continue
		}
		if s, err := r.text(dir + "/hidden"); err == nil && s == "1" {
			continue // one path of an NVMe disk that has several
		}
		if s, err := r.text(dir + "/size"); err == nil && s == "0" {
			continue // a drive without medium
		}
		r.putDisk(name)
		count++
	}
	if count == 0 && !r.exists(sysBlock) {
		r.unknown("disk.count", sysBlock, errNoDirectory)
		return
	}
	r.put("disk.count", count, sysBlock)
}

func isDisk(name string) bool {
	for _, prefix := range []string{"dm-", "md", "loop", "ram", "zram", "sr", "scd", "fd", "nbd", "mtdblock", "bcache", "zd"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && strings.Trim(rest, "0123456789p") == "" {
			return false
		}
	}
	return !strings.HasPrefix(name, "md_") && !strings.HasPrefix(name, "mmcblk") || strings.Trim(name, "mcblk0123456789") == ""
}

// putDisk records one disk, once.
func (r *reader) putDisk(name string) {
	key, dir := "disk."+name+".", r.blockDir(name)
	if _, done := r.index[key+"model"]; done {
		return
	}
	if dir == "" {
		for _, k := range []string{"model", "size_bytes", "rotational", "medium", "transport"} {
			r.unknown(key+k, sysBlock+"/"+name+"/", errNoDirectory)
		}
		return
	}
	transport := r.transport(name, dir)
	r.putDiskModel(key, name, dir)
	r.putSize(key+"size_bytes", dir)
	r.putSwitch(key+"rotational", dir+"/queue/rotational")
	if transport != "" {
		r.put(key+"transport", transport, r.find(dir).path)
	} else {
		r.unknown(key+"transport", dir+"/", errors.New("cannot be derived from the device path"))
	}
	r.putMedium(key, name, dir, transport)
	r.putQueue(key, dir)
	if r.opt.Identify {
		r.putTextOrAbsent(key+"serial", dir+"/device/serial")
		r.putTextOrAbsent(key+"wwid", firstExisting(r, dir+"/wwid", dir+"/device/wwid"))
	}
}

// putMedium records the storage medium by the rotational flag. The flag of a disk
// behind a hypervisor or a RAID controller says nothing about the medium.
func (r *reader) putMedium(key, name, dir, transport string) {
	source := dir + "/queue/rotational"
	rotational, ok := r.known(key + "rotational")
	role, _ := r.known("virtualization.role")
	inGuest := (role == "guest" || role == "domU") && transport != "usb" && transport != "iscsi" && transport != "fc"
	switch {
	case !ok:
		r.unknown(key+"medium", source, errNotReported)
	case inGuest || transport == "virtio" || transport == "xen" || transport == "hyperv" || transport == "raid":
		r.put(key+"medium", virtualDisk, source)
		if rotational == true {
			r.note("rotational-unsure", "disk.%s.rotational is what %s says of its virtual disk, not what is known of the medium", name, cmp.Or(transport, "the hypervisor"))
		}
	case rotational == true:
		r.put(key+"medium", "rotating", source)
	default:
		r.put(key+"medium", "solid state", source)
	}
}

// virtualDisk is the medium of a disk that a hypervisor or controller offers.
const virtualDisk = "unknown (virtual disk)"

func firstExisting(r *reader, paths ...string) string {
	for _, p := range paths {
		if r.exists(p) {
			return p
		}
	}
	return paths[len(paths)-1]
}

// putDiskModel reads the model; virtual disks have none. The vendor of SCSI is a
// name, that of virtio a PCI id, and ATA is not a vendor.
func (r *reader) putDiskModel(key, name, dir string) {
	model := ""
	for _, p := range []string{dir + "/device/model", dir + "/device/name"} {
		if s, err := r.text(p); err == nil && meaningful(s) {
			model = strings.Join(strings.Fields(s), " ")
			r.put(key+"model", model, p)
			break
		}
	}
	if model == "" {
		path := dir + "/device/model"
		if s, source := r.udevModel(dir); s != "" {
			r.put(key+"model", s, source)
		} else if virtual(name) {
			r.absent(key+"model", path)
		} else {
			r.unknown(key+"model", path, errNotReported)
		}
	}
	vendor, err := r.text(dir + "/device/vendor")
	if err != nil || vendor == "ATA" || strings.HasPrefix(vendor, "0x") {
		r.absent(key+"vendor", dir+"/device/vendor")
	} else {
		r.put(key+"vendor", vendor, dir+"/device/vendor")
	}
	r.putTextOrAbsent(key+"firmware", firstExisting(r, dir+"/device/firmware_rev", dir+"/device/rev"))
}

// virtual reports whether a disk cannot have a model.
func virtual(name string) bool {
	return strings.HasPrefix(name, "vd") || strings.HasPrefix(name, "xvd") || strings.HasPrefix(name, "loop")
}

func (r *reader) udevModel(dir string) (model, source string) {
	number, err := r.text(dir + "/dev")
	if err != nil {
		return "", ""
	}
	source = "/run/udev/data/b" + number
	data, err := r.table(source)
	if err != nil {
		return "", ""
	}
	return strings.ReplaceAll(parseUdev(data)["ID_MODEL"], "_", " "), source
}

// parseUdev reads the properties, lines "E:NAME=value", of udev's database.
func parseUdev(r io.Reader) map[string]string {
	properties := map[string]string{}
	lines(r, func(line string) {
		if rest, ok := strings.CutPrefix(line, "E:"); ok {
			if name, value, ok := strings.Cut(rest, "="); ok {
				properties[name] = clean(value)
			}
		}
	})
	return properties
}

// putSize reads a size. /sys has it in units of 512 bytes for every sector size.
func (r *reader) putSize(key, dir string) {
	path := dir + "/size"
	sectors, err := r.number(path)
	if err == nil && (sectors < 0 || sectors > 1<<53) {
		err = errors.New("not a size")
	}
	if err != nil {
		r.unknown(key, path, err)
		return
	}
	r.put(key, sectors*512, path)
}

// putSwitch records a file that holds 0 or 1 as false or true.
func (r *reader) putSwitch(key, path string) {
	switch s, err := r.text(path); {
	case err != nil:
		r.unknown(key, path, err)
	case s == "0" || s == "1":
		r.put(key, s == "1", path)
	default:
		r.unknown(key, path, errors.New("neither 0 nor 1"))
	}
}

func (r *reader) putQueue(key, dir string) {
	if s, err := r.text(dir + "/queue/scheduler"); err == nil {
		r.put(key+"scheduler", chosen(s), dir+"/queue/scheduler")
	} else {
		r.absent(key+"scheduler", dir+"/queue/scheduler")
	}
	r.putTextOrAbsent(key+"write_cache", dir+"/queue/write_cache")
	for _, f := range []struct{ key, file string }{
		{"queue_requests", "/queue/nr_requests"}, {"queue_depth", "/device/queue_depth"},
		{"logical_block_bytes", "/queue/logical_block_size"}, {"physical_block_bytes", "/queue/physical_block_size"},
	} {
		if n, err := r.number(dir + f.file); err == nil {
			r.put(key+f.key, n, dir+f.file)
		} else {
			r.absent(key+f.key, dir+f.file)
		}
	}
	if n, err := r.number(dir + "/queue/read_ahead_kb"); err == nil && n >= 0 && n < 1<<40 {
		r.put(key+"read_ahead_bytes", n<<10, dir+"/queue/read_ahead_kb")
	} else {
		r.absent(key+"read_ahead_bytes", dir+"/queue/read_ahead_kb")
	}
}

// chosen takes the one in use out of "noop [deadline] cfq".
func chosen(s string) string {
	if _, rest, ok := strings.Cut(s, "["); ok {
		if name, _, ok := strings.Cut(rest, "]"); ok {
			return name
		}
	}
	return s
}

// busOf maps patterns of a device's path in /sys to the transport. The first match
// counts, so that a USB disk with SCSI commands is usb.
var busOf = []struct {
	in   *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`/usb\d+/`), "usb"},
	{regexp.MustCompile(`/nvme-fabrics/|/nvme-fabrics-`), "nvme-fabrics"},
	{regexp.MustCompile(`/nvme/|/nvme-subsystem/|/nvme\d+(c\d+)?n\d+$`), "nvme"},
	{regexp.MustCompile(`/virtio\d+/`), "virtio"},
	{regexp.MustCompile(`/vbd-\d+`), "xen"},
	{regexp.MustCompile(`/mmc_host/|/mmcblk\d+$`), "mmc"},
	{regexp.MustCompile(`/session\d+/target`), "iscsi"},
	{regexp.MustCompile(`/rport-|/fc_`), "fc"},
	{regexp.MustCompile(`/end_device-|/sas_`), "sas"},
	{regexp.MustCompile(`/ata\d+/`), "sata"},
	{regexp.MustCompile(`/ide\d+/`), "ide"},
	{regexp.MustCompile(`/VMBUS:|/vmbus_|/vmbus\d*/`), "hyperv"},
	{regexp.MustCompile(`/pmem\d+`), "pmem"},
	{regexp.MustCompile(`/css\d+/.*/dasd`), "ccw"},
	{regexp.MustCompile(`/rbd/|/rbd\d+$|/drbd\d+$|/nbd\d+$`), "network"},
	{regexp.MustCompile(`/loop\d+$`), "loop"},
}

// transport is how a disk is attached: by the bus in its device path, else for
// SCSI by driver and vendor, else by its name.
func (r *reader) transport(name, dir string) string {
	real := r.find(dir).path
	for _, bus := range busOf {
		if bus.in.MatchString(real) {
			return bus.name
		}
	}
	if strings.Contains(real, "/host") {
		return r.scsiTransport(real, dir)
	}
	for _, p := range []struct{ prefix, name string }{
		{"nvme", "nvme"}, {"vd", "virtio"}, {"xvd", "xen"}, {"mmcblk", "mmc"}, {"pmem", "pmem"}, {"hd", "ide"}, {"dasd", "ccw"},
		{"cciss", "raid"}, {"ida", "raid"},
	} {
		if strings.HasPrefix(name, p.prefix) {
			return p.name
		}
	}
	if s, err := r.text(dir + "/device/vendor"); err == nil && s == "ATA" {
		return "sata"
	}
	return ""
}

var scsiHost = regexp.MustCompile(`/(host\d+)/`)

// scsiTransport knows RAID controllers by their drivers. A vendor ATA is a
// SATA disk on a kernel that does not show the port in the path.
func (r *reader) scsiTransport(real, dir string) string {
	driver := ""
	if m := scsiHost.FindStringSubmatchIndex(real); m != nil {
		host := real[m[2]:m[3]]
		driver, _ = r.text(real[:m[3]] + "/scsi_host/" + host + "/proc_name")
		if driver == "" {
			driver, _ = r.text("/sys/class/scsi_host/" + host + "/proc_name")
		}
		if driver == "" {
			driver, _ = r.linkBase(real[:m[2]] + "driver")
		}
	}
	vendor, _ := r.text(dir + "/device/vendor")
	switch driver {
	case "megaraid_sas", "megaraid_sas_driver", "megaraid", "aacraid", "hpsa", "smartpqi", "3w-9xxx", "3w-sas", "arcmsr", "ips", "pmcraid", "mpi3mr":
		return "raid"
	case "mpt2sas", "mpt3sas", "mptsas", "isci", "aic94xx", "mvsas", "pm80xx", "hisi_sas_v3_hw":
		return "sas"
	case "ahci", "ata_piix", "sata_nv", "sata_sil24", "sata_mv":
		return "sata"
	case "vmw_pvscsi", "virtio_scsi", "scsi_debug", "mptspi", "sym53c8xx":
		return "scsi"
	case "storvsc", "hv_storvsc":
		return "hyperv"
	case "lpfc", "qla2xxx", "zfcp", "bfa":
		return "fc"
	case "usb-storage", "uas":
		return "usb"
	case "iscsi_tcp", "bnx2i", "qla4xxx":
		return "iscsi"
	}
	if vendor == "ATA" {
		return "sata"
	}
	return "scsi"
}
