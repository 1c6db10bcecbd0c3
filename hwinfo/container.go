package hwinfo

import (
	"errors"
	"strings"
)

// readContainer records the kind of container, or none. It is unknown for a root
// with nothing but cpuinfo.
func readContainer(r *reader) {
	kind, source := r.container()
	switch {
	case kind != "":
		r.put("virtualization.container", kind, source)
	case r.exists("/proc/self") || r.exists("/proc/1") || r.exists(meminfoPath) || r.exists("/sys"):
		r.put("virtualization.container", "none", "/proc/1/environ")
	default:
		r.unknown("virtualization.container", "/proc/1/environ", errors.New("cannot be determined: no readable file identifies a container"))
	}
}

// container checks the traces of container engines, like systemd-detect-virt.
func (r *reader) container() (kind, source string) {
	if r.exists("/proc/vz") && !r.exists("/proc/bc") {
		return "openvz", "/proc/vz"
	}
	if kind := r.containerOfInit(); kind != "" {
		return r.orKubernetes(kind), "/proc/1/environ"
	}
	if s, err := r.text("/run/systemd/container"); err == nil {
		return s, "/run/systemd/container"
	}
	if r.hasContext("VxID:", "s_context:") {
		return "vserver", "/proc/self/status"
	}
	if r.hasContext("envID:") && !r.exists("/proc/bc") {
		return "openvz", "/proc/self/status"
	}
	for _, path := range []string{"/proc/1/cgroup", "/proc/self/cgroup"} {
		if data, err := r.table(path); err == nil {
			for _, group := range parseCgroup(data) {
				if kind := engineOf(group); kind != "" {
					return kind, path
				}
			}
		}
	}
	for _, f := range []struct{ path, kind string }{{"/.dockerenv", "docker"}, {"/run/.containerenv", "podman"}, {"/dev/lxd/sock", "lxc"}} {
		if r.exists(f.path) {
			return r.orKubernetes(f.kind), f.path
		}
	}
	if r.exists("/run/secrets/kubernetes.io") || r.exists("/var/run/secrets/kubernetes.io") {
		return "kubernetes", "/run/secrets/kubernetes.io"
	}
	return r.containerByKernel()
}

// containerByKernel recognises kernels made for one kind of guest. It is the last
// check, because Docker runs on the kernel of WSL too. Early kernels of WSL 2 are
// named 4.19.104-microsoft-standard.
func (r *reader) containerByKernel() (kind, source string) {
	for _, path := range []string{"/proc/sys/kernel/osrelease", "/proc/version"} {
		s, err := r.text(path)
		release := s
		if path == "/proc/version" {
			release = parseVersion(strings.NewReader(s)) // the rest names the compiler and its host
		}
		switch release = strings.ToLower(release); {
		case err != nil:
		case strings.Contains(release, "wsl"), strings.Contains(release, "microsoft"):
			return "wsl", path
		case strings.Contains(s, "BrandZ"):
			return "lx", path
		}
	}
	for _, path := range []string{"/run/WSL", "/proc/sys/fs/binfmt_misc/WSLInterop"} {
		if r.exists(path) {
			return "wsl", path
		}
	}
	return "", ""
}

func (r *reader) orKubernetes(kind string) string {
	if r.exists("/run/secrets/kubernetes.io") || r.exists("/var/run/secrets/kubernetes.io") {
		return "kubernetes"
	}
	return kind
}

// containerOfInit reads container=KIND of init's environment.
func (r *reader) containerOfInit() string {
	data, err := r.read("/proc/1/environ", attributeMax)
	if err != nil {
		return ""
	}
	for word := range strings.SplitSeq(string(data), "\x00") {
		if kind, ok := strings.CutPrefix(word, "container="); ok && kind != "" {
			return clean(kind)
		}
	}
	return ""
}

// hasContext reports whether /proc/self/status has a context number other than 0,
// as in a guest of Linux-VServer or OpenVZ.
func (r *reader) hasContext(fields ...string) bool {
	data, err := r.table("/proc/self/status")
	if err != nil {
		return false
	}
	found := false
	lines(data, func(line string) {
		for _, field := range fields {
			if v, ok := strings.CutPrefix(line, field); ok {
				v = strings.TrimSpace(v)
				found = v != "" && v != "0"
			}
		}
	})
	return found
}

// engineOf returns the engine from the path of a control group. The daemon itself
// is in system.slice/docker.service, which is not a container.
func engineOf(group string) string {
	for part := range strings.SplitSeq(group, "/") {
		name := strings.TrimSuffix(part, ".scope")
		switch {
		case strings.HasPrefix(part, "kubepods"):
			return "kubernetes"
		case part == "docker" || strings.HasPrefix(name, "docker-") && len(name) > 40:
			return "docker"
		case strings.HasPrefix(part, "libpod-") || part == "libpod_parent":
			return "podman"
		case part == "lxc" || strings.HasPrefix(part, "lxc.payload") || part == "lxc.monitor":
			return "lxc"
		case part == "garden", part == "containerd":
			return part
		case part == "machine.slice":
			continue
		case strings.HasPrefix(part, "systemd-nspawn@"):
			return "systemd-nspawn"
		case part == "ecs":
			return "ecs"
		}
	}
	return ""
}
