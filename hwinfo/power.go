package hwinfo

import "fmt"

// A Raspberry Pi's firmware reports a weak power supply as bits: now, and the
// same ones shifted by sincePast since boot.
// https://www.raspberrypi.com/documentation/computers/os.html (vcgencmd get_throttled)
const (
	underVoltage = 1 << 0
	frequencyCap = 1 << 1
	throttled    = 1 << 2
	sincePast    = 16
)

const hwmonDir = "/sys/class/hwmon"

// readPower reads whether a Raspberry Pi lacks power: its firmware then slows
// the CPU down. Other machines have none of these files, and get no fact.
func readPower(r *reader) {
	for _, path := range []string{"/sys/devices/platform/soc/soc:firmware/get_throttled", "/sys/devices/platform/soc@0/soc@0:firmware/get_throttled"} {
		bits, err := r.hex(path)
		if err != nil {
			continue
		}
		r.put("machine.under_voltage", since(bits, underVoltage), path)
		r.put("machine.throttled", since(bits, frequencyCap|throttled), path)
		r.noteUnderVoltage(path)
		return
	}
	for _, name := range r.list(hwmonDir) {
		dir := hwmonDir + "/" + name
		if s, err := r.text(dir + "/name"); err != nil || s != "rpi_volt" {
			continue
		}
		switch n, err := r.number(dir + "/in0_lcrit_alarm"); {
		case err != nil:
			r.unknown("machine.under_voltage", dir+"/in0_lcrit_alarm", err)
		case n == 0:
			r.put("machine.under_voltage", "no", dir+"/in0_lcrit_alarm")
		default:
			r.put("machine.under_voltage", "now", dir+"/in0_lcrit_alarm")
			r.noteUnderVoltage(dir + "/in0_lcrit_alarm")
		}
		return
	}
}

// since is when one of the bits was set: now, since boot, or no.
func since(bits, mask uint64) string {
	switch {
	case bits&mask != 0:
		return "now"
	case bits>>sincePast&mask != 0:
		return "since boot"
	}
	return "no"
}

func (r *reader) noteUnderVoltage(path string) {
	when, _ := r.known("machine.under_voltage")
	if when == "no" {
		return
	}
	r.note("under-voltage", "%s: the supply voltage is too low (%s), so the firmware lowers the CPU frequency: use a stronger power supply",
		path, fmt.Sprint(when))
}
