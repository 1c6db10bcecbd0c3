package hwinfo

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

var errNotReported = errors.New("not reported")

func readSystem(r *reader) {
	readOSRelease(r)
	readKernel(r)
	readUptime(r)
	readTimezone(r)
	readTimeSync(r)
	r.putText("host.name", "/proc/sys/kernel/hostname")
}

// readOSRelease follows os-release(5): /etc first, then /usr/lib, then the
// files of distributions that are older than os-release.
func readOSRelease(r *reader) {
	for _, p := range []string{"/etc/os-release", "/usr/lib/os-release"} {
		data, err := r.table(p)
		if err != nil {
			continue
		}
		fields := parseOSRelease(data)
		for _, k := range []struct{ key, field string }{
			{"os.pretty_name", "PRETTY_NAME"}, {"os.id", "ID"}, {"os.version_id", "VERSION_ID"},
		} {
			if v := fields[k.field]; v != "" {
				r.put(k.key, v, p)
			}
		}
		if v := fields["NAME"]; v != "" {
			r.put("os.pretty_name", strings.TrimSpace(v+" "+fields["VERSION"]), p)
		}
		break
	}
	for _, p := range []string{"/etc/redhat-release", "/etc/SuSE-release", "/etc/oracle-release", "/etc/system-release", "/etc/alpine-release", "/etc/debian_version", "/etc/gentoo-release", "/etc/slackware-version"} {
		if _, ok := r.known("os.pretty_name"); ok {
			break
		}
		if s, err := r.text(p); err == nil {
			r.put("os.pretty_name", releaseName(p, s), p)
		}
	}
	r.unknown("os.pretty_name", "/etc/os-release", errNotReported)
	r.absent("os.id", "/etc/os-release")
	r.absent("os.version_id", "/etc/os-release")
}

// releaseName adds the distribution if its file has the version only.
func releaseName(path, content string) string {
	line, _, _ := strings.Cut(content, "\n")
	line = strings.TrimSpace(line)
	switch path {
	case "/etc/debian_version":
		return "Debian " + line
	case "/etc/alpine-release":
		return "Alpine Linux " + line
	}
	return line
}

// parseOSRelease reads lines NAME=value with shell quoting, os-release(5).
func parseOSRelease(r io.Reader) map[string]string {
	fields := map[string]string{}
	lines(r, func(line string) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(name, "#") {
			return
		}
		fields[name] = clean(unquote(strings.TrimSpace(value)))
	})
	return fields
}

// unquote removes the quotes of a shell word and the backslashes in it.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		quote := s[0]
		s = s[1 : len(s)-1]
		if quote == '\'' {
			return s
		}
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func readKernel(r *reader) {
	release, source := "", "/proc/sys/kernel/osrelease"
	if s, err := r.text(source); err == nil {
		release = s
	} else if s, err := r.text("/proc/version"); err == nil {
		source = "/proc/version"
		release = parseVersion(strings.NewReader(s))
	}
	if release == "" {
		release = r.gathered("OSRelease")
		source = gatheredPath
	}
	if release == "" {
		r.unknown("kernel.release", "/proc/sys/kernel/osrelease", errNotReported)
	} else {
		r.put("kernel.release", release, source)
	}
	r.putText("kernel.version", "/proc/sys/kernel/version")
	readArchitecture(r, release)
	readCmdline(r)
	readClocksource(r)
}

// gatheredPath is a file that hwloc-gather-topology adds to its dumps: lines
// "Name: value" of uname(2).
const gatheredPath = "/proc/hwloc-nofile-info"

func (r *reader) gathered(name string) string {
	data, err := r.table(gatheredPath)
	if err != nil {
		return ""
	}
	value := ""
	lines(data, func(line string) {
		if v, ok := strings.CutPrefix(line, name+":"); ok && value == "" {
			value = clean(v)
		}
	})
	return value
}

// parseVersion takes the release out of "Linux version 6.1.0-13-amd64 (...) ...".
func parseVersion(r io.Reader) string {
	var release string
	lines(r, func(line string) {
		f := strings.Fields(line)
		if release == "" && len(f) >= 3 && f[0] == "Linux" && f[1] == "version" {
			release = clean(f[2])
		}
	})
	return release
}

// readArchitecture reads the kernel's file (since 6.1), else derives it.
func readArchitecture(r *reader, release string) {
	const path = "/proc/sys/kernel/arch"
	if s, err := r.text(path); err == nil {
		r.put("kernel.architecture", s, path)
		return
	}
	if a := liveArchitecture(r.opt); a != "" {
		r.put("kernel.architecture", a, "uname(2)")
		return
	}
	if a := r.gathered("Architecture"); a != "" {
		r.put("kernel.architecture", a, gatheredPath)
		return
	}
	if a := r.processors().architecture(); a != "" {
		r.put("kernel.architecture", a, cpuinfoPath)
		return
	}
	for _, a := range []struct{ in, name string }{
		{"x86_64", "x86_64"}, {"amd64", "x86_64"}, {"aarch64", "aarch64"}, {"arm64", "aarch64"},
		{"ppc64le", "ppc64le"}, {"s390x", "s390x"}, {"riscv64", "riscv64"}, {"loongarch64", "loongarch64"},
	} {
		if strings.Contains(release, a.in) {
			r.put("kernel.architecture", a.name, "/proc/sys/kernel/osrelease")
			return
		}
	}
	r.unknown("kernel.architecture", path, errNotReported)
}

// readCmdline omits the values that identify a machine: disks and addresses.
func readCmdline(r *reader) {
	const path = "/proc/cmdline"
	s, err := r.text(path)
	if err != nil {
		r.unknown("kernel.command_line", path, err)
		return
	}
	if !r.opt.Identify {
		s = anonymise(s)
	}
	r.put("kernel.command_line", s, path)
}

// anonymise blanks UUIDs, MAC and IP addresses out of a kernel command line.
func anonymise(cmdline string) string {
	words := strings.Fields(cmdline)
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			continue
		}
		kind, _, tagged := strings.Cut(value, "=")
		switch {
		case tagged && strings.HasSuffix(strings.ToUpper(kind), "UUID"):
			words[i] = name + "=" + kind + "=..."
		case strings.HasSuffix(strings.ToLower(name), "uuid"), name == "ip", name == "ifname", name == "BOOTIF",
			name == "nfsroot", name == "netroot", name == "resume" && tagged, strings.HasPrefix(name, "rd.iscsi"),
			name == "systemd.hostname", name == "hostname", name == "nameserver", name == "systemd.machine_id":
			words[i] = name + "=..."
		}
	}
	return strings.Join(words, " ")
}

func readClocksource(r *reader) {
	r.put("kernel.psi", r.exists("/proc/pressure/cpu"), "/proc/pressure/cpu")
	const dir = "/sys/devices/system/clocksource/clocksource0/"
	r.putText("kernel.clocksource", dir+"current_clocksource")
	r.putText("kernel.clocksources_available", dir+"available_clocksource")
}

// readTimeSync records whether the clock is synchronized.
func readTimeSync(r *reader) {
	const path = "/run/systemd/timesync/synchronized"
	if synchronized, ok := liveTimeSync(r.opt); ok {
		r.put("system.time_synchronized", synchronized, "adjtimex(2)")
		return
	}
	if r.exists(path) {
		r.put("system.time_synchronized", true, path)
		return
	}
	r.absent("system.time_synchronized", path)
}

func readUptime(r *reader) {
	const path = "/proc/uptime"
	s, err := r.text(path)
	if err != nil {
		r.unknown("system.uptime_seconds", path, err)
	} else if up, err := strconv.ParseFloat(strings.Fields(s)[0], 64); err != nil || !(up >= 0 && up < 1e12) {
		r.unknown("system.uptime_seconds", path, errors.New("not a number"))
	} else {
		r.put("system.uptime_seconds", up, path)
	}
	readBootTime(r)
}

// readBootTime reads the line btime of /proc/stat: seconds since 1970.
func readBootTime(r *reader) {
	const path = "/proc/stat"
	data, err := r.read(path, tableMax)
	if err != nil {
		r.unknown("system.booted_at", path, err)
		return
	}
	var stat procfs.Stat
	stat.Parse(data)
	if !(stat.BootTime > 0 && stat.BootTime < 1<<36) {
		r.unknown("system.booted_at", path, errors.New("no line btime"))
		return
	}
	r.put("system.booted_at", time.Unix(int64(stat.BootTime), 0).UTC().Format(time.RFC3339), path)
}

// readTimezone uses the target of /etc/localtime, like systemd, then Debian's
// /etc/timezone.
func readTimezone(r *reader) {
	const path = "/etc/localtime"
	if target, ok := r.target(path); ok {
		if _, zone, ok := strings.Cut(target, "zoneinfo/"); ok && zone != "" {
			r.put("system.time_zone", clean(zone), path)
			return
		}
	}
	if s, err := r.text("/etc/timezone"); err == nil {
		r.put("system.time_zone", s, "/etc/timezone")
		return
	}
	r.unknown("system.time_zone", path, errors.New("no link into zoneinfo"))
}
