package hwinfo

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

const sysBlock = "/sys/block"

// layersMax bounds the walk down a stack of devices.
const layersMax = 16

var partitionName = regexp.MustCompile(`^(.*\d)p\d+$|^(.*\D)\d+$`)

var errNoDirectory = errors.New("no such directory")

// blockDir returns the directory of a disk or partition in /sys, empty if there is
// none.
func (r *reader) blockDir(name string) string {
	name = strings.ReplaceAll(name, "/", "!")
	for _, dir := range []string{sysBlock + "/" + name, "/sys/class/block/" + name} {
		if r.exists(dir) {
			return dir
		}
	}
	if parent := wholeDisk(name); parent != "" {
		if dir := sysBlock + "/" + parent + "/" + name; r.exists(dir) {
			return dir
		}
	}
	return ""
}

// wholeDisk guesses the disk from a partition's name: nvme0n1p2 -> nvme0n1, sda1 -> sda.
func wholeDisk(partition string) string {
	m := partitionName.FindStringSubmatch(partition)
	if m == nil {
		return ""
	}
	return cmp.Or(m[1], m[2])
}

// deviceNames returns the kernel names of the block devices of a mounted file
// system: by device number, else by the name of the source. Btrfs and bcachefs
// have several.
func (r *reader) deviceNames(m mount) []string {
	if major, _, ok := strings.Cut(m.device, ":"); ok && major != "0" {
		if name, ok := r.linkBase("/sys/dev/block/" + m.device); ok {
			return r.siblings(m, name)
		}
	}
	var names []string
	for i, source := range strings.Split(m.source, ":/dev/") {
		if i > 0 {
			source = "/dev/" + source
		}
		if source == "/dev/root" || source == "rootfs" {
			source = r.rootArgument()
		}
		if name := r.deviceName(source); name != "" {
			names = appendNew(names, name)
		}
	}
	if len(names) == 1 {
		return r.siblings(m, names[0])
	}
	return names
}

// siblings adds the other devices of a btrfs.
func (r *reader) siblings(m mount, name string) []string {
	names := []string{name}
	if m.filesystem != "btrfs" {
		return names
	}
	const dir = "/sys/fs/btrfs/"
	for _, uuid := range r.list(dir) {
		devices := r.list(dir + uuid + "/devices")
		for _, d := range devices {
			if d == name {
				return appendNew(names, devices...)
			}
		}
	}
	return names
}

// rootArgument is root= of the kernel's command line, where it names a device.
func (r *reader) rootArgument() string {
	s, _ := r.text("/proc/cmdline")
	for _, word := range strings.Fields(s) {
		dev, ok := strings.CutPrefix(word, "root=")
		if ok && strings.HasPrefix(dev, "/dev/") {
			return dev
		}
		if uuid, isUUID := strings.CutPrefix(dev, "UUID="); ok && isUUID {
			return "/dev/disk/by-uuid/" + uuid
		}
	}
	return ""
}

// deviceName finds the kernel name of a path in /dev.
func (r *reader) deviceName(source string) string {
	name, ok := strings.CutPrefix(source, "/dev/")
	if !ok || name == "" {
		return ""
	}
	if r.blockDir(name) != "" {
		return strings.ReplaceAll(name, "/", "!")
	}
	if dm := r.mapperName(name); dm != "" {
		return dm
	}
	if dev := r.udevLink(name); dev != "" {
		return dev
	}
	if at := r.find(source); at.path != source && strings.HasPrefix(at.path, "/dev/") {
		return strings.TrimPrefix(at.path, "/dev/")
	}
	if parent := wholeDisk(name); parent != "" && r.blockDir(parent) != "" {
		return name
	}
	if strings.Contains(name, "/") {
		return ""
	}
	return name
}

// mapperName finds dm-N by the name that device-mapper shows: of /dev/mapper/NAME,
// or VG-LV of /dev/VG/LV, where hyphens inside are doubled.
func (r *reader) mapperName(name string) string {
	want, ok := strings.CutPrefix(name, "mapper/")
	if !ok {
		vg, lv, isLV := strings.Cut(name, "/")
		if !isLV || strings.Contains(lv, "/") {
			return ""
		}
		want = strings.ReplaceAll(vg, "-", "--") + "-" + strings.ReplaceAll(lv, "-", "--")
	}
	for _, d := range r.list(sysBlock) {
		if !strings.HasPrefix(d, "dm-") {
			continue
		}
		if s, err := r.text(sysBlock + "/" + d + "/dm/name"); err == nil && s == want {
			return d
		}
	}
	return ""
}

// udevLink searches udev's database for the device that has a link of that name.
func (r *reader) udevLink(name string) string {
	const dir = "/run/udev/data/"
	for _, file := range r.list(dir) {
		number, isBlock := strings.CutPrefix(file, "b")
		if !isBlock {
			continue
		}
		s, err := r.text(dir + file)
		if err != nil || !strings.Contains("\n"+s+"\n", "\nS:"+name+"\n") {
			continue
		}
		if base, ok := r.linkBase("/sys/dev/block/" + number); ok {
			return base
		}
	}
	return ""
}

// bottom walks from a device down to the disks; text describes the layers.
func (r *reader) bottom(name string, depth int) (disks []string, text string, err error) {
	if depth > layersMax {
		return nil, name, errors.New("too many layers")
	}
	dir := r.blockDir(name)
	if stacked(name) {
		return r.slaves(name, dir, depth)
	}
	if parent := r.partitionOf(name, dir); parent != "" {
		disks, text, err = r.bottom(parent, depth+1)
		return disks, name + " on " + text, err
	}
	if dir != "" && len(r.list(dir+"/slaves")) > 0 {
		return r.slaves(name, dir, depth)
	}
	return []string{name}, name, nil
}

// stacked reports whether a device is always based on others.
func stacked(name string) bool {
	return strings.HasPrefix(name, "dm-") || strings.HasPrefix(name, "bcache") ||
		strings.HasPrefix(name, "md") && !strings.HasPrefix(name, "mdev")
}

// partitionOf returns the disk of a partition, empty for a whole disk.
func (r *reader) partitionOf(name, dir string) string {
	if dir != "" && r.exists(dir+"/partition") {
		return path.Base(path.Dir(r.find(dir).path))
	}
	parent := wholeDisk(name)
	if parent != "" && r.exists(sysBlock+"/"+parent) && !r.exists(sysBlock+"/"+name) {
		return parent
	}
	return ""
}

func (r *reader) slaves(name, dir string, depth int) (disks []string, text string, err error) {
	if parent := r.partitionOf(name, dir); parent != "" {
		disks, text, err = r.bottom(parent, depth+1)
		return disks, name + " on " + text, err
	}
	text = name + r.layerKind(name, dir)
	below := r.list(dir + "/slaves")
	if len(below) == 0 {
		below = r.raidMembers(dir)
	}
	if dir == "" || len(below) == 0 {
		return nil, text, fmt.Errorf("slaves of %s are not listed", name)
	}
	var parts []string
	for _, slave := range below {
		d, t, e := r.bottom(slave, depth+1)
		disks = appendNew(disks, d...)
		parts = append(parts, t)
		if e != nil {
			err = e
		}
	}
	return disks, text + " on " + strings.Join(parts, " + "), err
}

// raidMembers reads md's own list, for kernels or dumps without slaves/.
func (r *reader) raidMembers(dir string) []string {
	var members []string
	for _, name := range r.list(dir + "/md") {
		if dev, ok := strings.CutPrefix(name, "dev-"); ok {
			members = append(members, dev)
		}
	}
	return members
}

// layerKind is the type of a stacked device: lvm, crypt, mpath, raid1 ...
func (r *reader) layerKind(name, dir string) string {
	if level, err := r.text(dir + "/md/level"); err == nil {
		return " (" + level + ")"
	}
	uuid, err := r.text(dir + "/dm/uuid")
	if err != nil {
		return ""
	}
	kind, _, ok := strings.Cut(uuid, "-")
	if !ok {
		return ""
	}
	if strings.HasPrefix(kind, "part") {
		kind = "part"
	}
	return " (" + strings.ToLower(kind) + ")"
}
