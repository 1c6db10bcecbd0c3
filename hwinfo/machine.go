package hwinfo

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"
)

const dmiDir = "/sys/class/dmi/id/"

// dmi reads a field of DMI; placeholders of the firmware count as empty.
func (r *reader) dmi(name string) string {
	for _, dir := range []string{dmiDir, "/sys/devices/virtual/dmi/id/"} {
		if s, err := r.text(dir + name); err == nil {
			if filledIn(s) {
				return s
			}
			return ""
		}
	}
	return ""
}

// filledIn reports whether a text is not one of the usual placeholders.
func filledIn(s string) bool {
	switch strings.ToLower(strings.Trim(s, " .")) {
	case "", "none", "n/a", "na", "to be filled by o.e.m", "to be filled by oem", "default string", "not specified", "not available",
		"system manufacturer", "system product name", "system version", "base board", "unknown", "empty", "oem", "o.e.m",
		"undefined", "invalid", "not applicable", "type1productconfigid", "0", "xxxxxxxxxx", "123456789":
		return false
	}
	return true
}

// readMachine records vendor and model: from DMI, the device tree, or the firmware
// of s390x.
func readMachine(r *reader) {
	for _, f := range []struct{ key, file string }{
		{"machine.vendor", "sys_vendor"}, {"machine.product", "product_name"}, {"machine.version", "product_version"},
		{"machine.board_vendor", "board_vendor"}, {"machine.board", "board_name"}, {"machine.bios_vendor", "bios_vendor"},
		{"machine.bios_version", "bios_version"}, {"machine.bios_date", "bios_date"}, {"machine.chassis_vendor", "chassis_vendor"},
	} {
		if s := r.dmi(f.file); s != "" {
			r.put(f.key, s, dmiDir+f.file)
		}
	}
	if r.opt.Identify {
		for _, f := range []struct{ key, file string }{
			{"machine.serial", "product_serial"}, {"machine.uuid", "product_uuid"},
			{"machine.board_serial", "board_serial"}, {"machine.chassis_serial", "chassis_serial"}, {"machine.asset_tag", "chassis_asset_tag"},
		} {
			r.putTextOrAbsent(f.key, dmiDir+f.file)
		}
		r.putTextOrAbsent("machine.id", "/etc/machine-id")
	}
	r.machineOfDeviceTree()
	r.machineOfSysinfo()
	r.unknownMachine()
}

func (r *reader) machineOfDeviceTree() {
	for _, path := range []string{"/proc/device-tree/model", "/sys/firmware/devicetree/base/model"} {
		if s, err := r.text(path); err == nil {
			r.put("machine.product", s, path)
		}
	}
	c := r.processors()
	if s := cmp.Or(c.common["machine"], c.common["hardware"], c.any("machine")); s != "" && c.any("vendor_id") == "" {
		r.put("machine.product", s, cpuinfoPath)
	}
}

// machineOfSysinfo reads the lines Manufacturer and Type of s390x' /proc/sysinfo.
func (r *reader) machineOfSysinfo() {
	const path = "/proc/sysinfo"
	data, err := r.table(path)
	if err != nil {
		return
	}
	lines(data, func(line string) {
		key, value, _ := strings.Cut(line, ":")
		value = clean(value)
		switch {
		case value == "":
		case key == "Manufacturer":
			r.put("machine.vendor", value, path)
		case key == "Type":
			r.put("machine.product", value, path)
		}
	})
}

func (r *reader) unknownMachine() {
	for _, k := range []struct{ key, file string }{
		{"machine.vendor", "sys_vendor"}, {"machine.product", "product_name"}, {"machine.board", "board_name"},
	} {
		why := errNotReported
		if _, err := r.text(dmiDir + k.file); errors.Is(err, fs.ErrPermission) {
			why = err
		}
		r.unknown(k.key, dmiDir+k.file, why)
	}
	for _, k := range []string{"version", "board_vendor", "bios_vendor", "bios_version", "bios_date", "chassis_vendor"} {
		r.absent("machine."+k, dmiDir)
	}
}
