package hwinfo

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// output runs a tool of this machine, or skips.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s: %v", name, err)
	}
	return string(out)
}

func TestAsLscpu(t *testing.T) {
	fields := map[string]string{}
	for line := range strings.Lines(output(t, "lscpu")) {
		key, value, _ := strings.Cut(line, ":")
		fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	f := Read(context.Background(), Options{})
	for field, key := range map[string]string{
		"Architecture": "kernel.architecture", "Model name": "cpu.model", "Vendor ID": "cpu.vendor", "On-line CPU(s) list": "cpu.online_list",
		"Thread(s) per core": "cpu.threads_per_core", "Socket(s)": "cpu.sockets", "NUMA node(s)": "numa.nodes", "CPU max MHz": "cpu.mhz_max",
	} {
		said, ok := fields[field]
		if got, known := f.Get(key); ok && known && !sameText(said, got) && !sameNumber(said, got) && formatCPUList(parseCPUList(said)) != got {
			t.Errorf("%s = %v, lscpu says %s: %s", key, got, field, said)
		}
	}
	var each, sockets int64
	fmt.Sscan(fields["Core(s) per socket"], &each)
	fmt.Sscan(fields["Socket(s)"], &sockets)
	if cores, ok := f.Int("cpu.cores"); ok && each*sockets != 0 && cores != each*sockets {
		t.Errorf("cpu.cores = %d, lscpu says %d x %d", cores, sockets, each)
	}
	for field, key := range map[string]string{"L1d cache": "cpu.cache_l1d", "L2 cache": "cpu.cache_l2", "L3 cache": "cpu.cache_l3"} {
		m := regexp.MustCompile(`^([\d.]+) (KiB|MiB|GiB) \((\d+) instances?\)`).FindStringSubmatch(fields[field])
		if m == nil {
			continue
		}
		var size float64
		fmt.Sscan(m[1], &size)
		size *= map[string]float64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[m[2]]
		bytes, _ := f.Float(key + "_bytes")
		if diff := bytes - size; diff > size/50 || -diff > size/50 || !strings.HasSuffix(f.String(key), " x"+m[3]) {
			t.Errorf("%s = %v bytes, %s; lscpu says %s", key, bytes, f.String(key), fields[field])
		}
	}
}

func TestAsLsblk(t *testing.T) {
	var said struct {
		Blockdevices []struct {
			Name  string `json:"name"`
			Model string `json:"model"`
			Size  int64  `json:"size"`
			Rota  bool   `json:"rota"`
			Tran  string `json:"tran"`
		} `json:"blockdevices"`
	}
	if err := json.Unmarshal([]byte(output(t, "lsblk", "-J", "-b", "-d", "-e", "1,2,7,11,251,252", "-o", "NAME,MODEL,SIZE,ROTA,TRAN")), &said); err != nil {
		t.Skipf("this lsblk writes other JSON: %v", err)
	}
	f := Read(context.Background(), Options{})
	for _, d := range said.Blockdevices {
		if !isDisk(d.Name) || d.Size == 0 {
			continue
		}
		key := "disk." + d.Name + "."
		if size, _ := f.Int(key + "size_bytes"); size != d.Size {
			t.Errorf("%ssize_bytes = %d, lsblk says %d", key, size, d.Size)
		}
		if rotational, ok := f.Bool(key + "rotational"); ok && rotational != d.Rota {
			t.Errorf("%srotational = %v, lsblk says %v", key, rotational, d.Rota)
		}
		if got := f.String(key + "model"); d.Model != "" && got != "" && !strings.HasPrefix(d.Model, got) {
			t.Errorf("%smodel = %s, lsblk says %s", key, got, d.Model)
		}
		if got := f.String(key + "transport"); d.Tran != "" && got != d.Tran && got != "raid" {
			t.Errorf("%stransport = %s, lsblk says %s", key, got, d.Tran)
		}
	}
}

func TestAsIP(t *testing.T) {
	var said []struct {
		Ifname    string `json:"ifname"`
		Mtu       int64  `json:"mtu"`
		Operstate string `json:"operstate"`
	}
	if err := json.Unmarshal([]byte(output(t, "ip", "-j", "link")), &said); err != nil {
		t.Fatal(err)
	}
	f := Read(context.Background(), Options{})
	if n, _ := f.Int("nic.count"); n != int64(len(said)) {
		t.Errorf("nic.count = %d, ip says %d", n, len(said))
	}
	for _, i := range said {
		key := "nic." + i.Ifname + "."
		if mtu, _ := f.Int(key + "mtu_bytes"); mtu != i.Mtu {
			t.Errorf("%smtu_bytes = %d, ip says %d", key, mtu, i.Mtu)
		}
		state := f.String(key + "state")
		if state == "" {
			state = "unknown"
		}
		if !strings.EqualFold(state, i.Operstate) {
			t.Errorf("%sstate = %s, ip says %s", key, state, i.Operstate)
		}
	}
}

func TestAsEthtool(t *testing.T) {
	output(t, "ethtool", "--version")
	f := Read(context.Background(), Options{})
	for _, name := range f.Names("nic") {
		said, _ := exec.Command("ethtool", name).Output() // fails for lo, which has no link
		out := string(said)
		if m := regexp.MustCompile(`Speed: (\d+)Mb/s`).FindStringSubmatch(out); m != nil {
			if !sameScaled(1e6)(m[1], must(f.Get("nic."+name+".speed_bits_per_second"))) {
				t.Errorf("speed of %s = %s, ethtool says %s", name, f.String("nic."+name+".speed_bits_per_second"), m[0])
			}
		} else if v, known := f.Get("nic." + name + ".speed_bits_per_second"); known {
			t.Errorf("speed of %s = %v, ethtool says it is unknown", name, v)
		}
		info, err := exec.Command("ethtool", "-i", name).Output()
		if m := regexp.MustCompile(`(?m)^driver: (\S+)`).FindStringSubmatch(string(info)); err == nil && m != nil && f.String("nic."+name+".driver") != m[1] {
			t.Errorf("driver of %s = %s, ethtool says %s", name, f.String("nic."+name+".driver"), m[1])
		}
	}
}

func must(v any, _ bool) any { return v }
