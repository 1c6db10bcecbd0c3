package hwinfo

import (
	"errors"
	"fmt"
	"strings"
)

// readDatadir follows the data directory down: mount, file system, partition,
// LVM, encryption, RAID, to the disks at the bottom.
func readDatadir(r *reader) {
	table, path, err := r.mounts()
	dir := r.find(r.opt.Datadir).path
	r.put("datadir.path", r.opt.Datadir, "")
	var m mount
	if err == nil {
		var ok bool
		if m, ok = mountOf(table, dir); !ok {
			err = errNoMount
		}
	}
	if err != nil {
		for _, k := range []string{"mount", "filesystem", "source", "options", "device", "device_bytes", "stack", "disks", "models", "rotational", "medium", "transport"} {
			r.unknown("datadir."+k, path, err)
		}
		return
	}
	r.put("datadir.mount", m.point, path)
	r.put("datadir.filesystem", m.filesystem, path)
	r.put("datadir.source", m.source, path)
	r.put("datadir.options", joinOptions(m.options, m.superOptions), path)
	putStack(r, r.stackOf(m), path)
	putSpace(r, dir)
}

// joinOptions lists the options of mount and file system, each once.
func joinOptions(mount, filesystem string) string {
	options := appendNew(nil, strings.Split(mount, ",")...)
	if filesystem != "" {
		options = appendNew(options, strings.Split(filesystem, ",")...)
	}
	return strings.Join(options, ",")
}

// stack is the layers between a file system and the disks.
type stack struct {
	device string   // block device that the file system is on; empty when none
	layers string   // dm-1 (crypt) on dm-0 (lvm) on nvme0n1p1 on nvme0n1
	disks  []string // at the bottom; nil when unknown
	kind   string   // memory, network or host if no disk of this machine is used
	why    error    // why disks are unknown
}

// stackOf resolves the devices of a mount, if it has a block device.
func (r *reader) stackOf(m mount) stack {
	switch kind := storageKind(m.filesystem); kind {
	case "memory", "network", "host":
		return stack{kind: kind}
	case "unknown":
		return stack{why: fmt.Errorf("file system %s does not report its devices", m.filesystem)}
	}
	names := r.deviceNames(m)
	if len(names) == 0 {
		return stack{why: fmt.Errorf("no block device found for %s", m.source)}
	}
	s := stack{device: names[0]}
	var layers []string
	for _, name := range names {
		disks, text, err := r.bottom(name, 0)
		if err != nil {
			s.why = err
		}
		s.disks = appendNew(s.disks, disks...)
		layers = append(layers, text)
	}
	if s.why != nil {
		s.disks = nil
	}
	s.layers = strings.Join(layers, "; ")
	return s
}

func storageKind(filesystem string) string {
	switch filesystem {
	case "tmpfs", "ramfs", "hugetlbfs", "devtmpfs":
		return "memory"
	case "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "afs", "ocfs2_dlmfs", "ncpfs", "coda":
		return "network"
	case "9p", "virtiofs", "vboxsf", "drvfs", "prl_fs", "vmhgfs":
		return "host"
	case "zfs", "overlay", "aufs", "unionfs", "ecryptfs", "rootfs":
		return "unknown"
	}
	if strings.HasPrefix(filesystem, "fuse.") && filesystem != "fuse.blk" {
		switch strings.TrimPrefix(filesystem, "fuse.") {
		case "glusterfs", "sshfs", "ceph", "s3fs", "juicefs", "mfs", "vmhgfs-fuse":
			return "network"
		}
		return "unknown"
	}
	return "disk"
}

func putStack(r *reader, s stack, path string) {
	if s.device != "" {
		r.put("datadir.device", s.device, path)
		if dir := r.blockDir(s.device); dir != "" {
			r.putSize("datadir.device_bytes", dir)
		} else {
			r.unknown("datadir.device_bytes", sysBlock+"/"+s.device, errNoDirectory)
		}
	} else {
		r.absent("datadir.device", path)
		r.absent("datadir.device_bytes", path)
	}
	if s.layers != "" {
		r.put("datadir.stack", s.layers, sysBlock)
	} else {
		r.absent("datadir.stack", sysBlock)
	}
	switch {
	case s.kind != "":
		r.put("datadir.disks", "none", path)
		r.put("datadir.models", "none", path)
		r.absent("datadir.rotational", path)
		r.absent("datadir.medium", path)
		r.put("datadir.transport", s.kind, path)
	case len(s.disks) == 0:
		for _, k := range []string{"disks", "models", "rotational", "medium", "transport"} {
			r.unknown("datadir."+k, sysBlock, s.why)
		}
	default:
		r.put("datadir.disks", strings.Join(s.disks, ";"), sysBlock)
		r.putOfDisks(s.disks)
	}
}

// putOfDisks repeats the properties of the disks at the bottom, so that one line
// of an inventory describes the storage of the data.
func (r *reader) putOfDisks(disks []string) {
	for _, name := range disks {
		if r.blockDir(name) != "" { // else it may be a partition, and nothing is known of it
			r.putDisk(name)
		}
	}
	for _, k := range []struct{ key, of string }{{"models", "model"}, {"rotational", "rotational"}, {"medium", "medium"}, {"transport", "transport"}} {
		var values []string
		all, equal := true, true
		var first any
		for _, name := range disks {
			v, ok := r.known("disk." + name + "." + k.of)
			all = all && ok
			if first == nil {
				first = v
			}
			equal = equal && v == first
			values = append(values, Text(v))
		}
		switch key := "datadir." + k.key; {
		case !all:
			r.unknown(key, sysBlock, errors.New("not reported for every disk"))
		case k.of == "model":
			r.put(key, strings.Join(values, ";"), sysBlock)
		case equal:
			r.put(key, first, sysBlock)
		default:
			r.put(key, strings.Join(values, ";"), sysBlock)
		}
	}
}

func appendNew(list []string, more ...string) []string {
next:
	for _, m := range more {
		for _, l := range list {
			if l == m {
				continue next
			}
		}
		list = append(list, m)
	}
	return list
}
