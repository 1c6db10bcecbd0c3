package hwinfo

import (
	_ "embed"
	"io"
	"strconv"
	"strings"
)

//go:embed arm.ids
var armIDs string

//go:embed nic.ids
var nicIDs string

// lookupIDs finds a vendor and a device in the format of pci.ids: a line
// "VENDOR  NAME", below it after a tab "DEVICE  NAME"; numbers hexadecimal.
// Unknown names are empty.
// https://pci-ids.ucw.cz
func lookupIDs(r io.Reader, vendor, device uint64) (vendorName, deviceName string) {
	inside := false
	lines(r, func(line string) {
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "\t\t") {
			return
		}
		isDevice := line[0] == '\t'
		if isDevice && (!inside || deviceName != "") {
			return
		}
		id, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		n, err := parseHex(id)
		if isDevice {
			if ok && err == nil && n == device {
				deviceName = clean(name)
			}
			return
		}
		inside = ok && err == nil && n == vendor && vendorName == ""
		if inside {
			vendorName = clean(name)
		}
	})
	return vendorName, deviceName
}

// parseHex reads a hexadecimal number, with or without 0x before it.
func parseHex(s string) (uint64, error) {
	return strconv.ParseUint(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "0x"), 16, 64)
}
