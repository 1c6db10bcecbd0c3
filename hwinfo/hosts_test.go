package hwinfo

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The dumps of real machines are not part of the project. They lie beside the
// checkout, or where MYSWEEP_TEST_HOSTS says.
func hostsDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MYSWEEP_TEST_HOSTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "hosts")
	}
	if _, err := os.Stat(filepath.Join(dir, "expected.tsv")); err != nil {
		t.Skipf("no dumps of machines in %s (set MYSWEEP_TEST_HOSTS): %v", dir, err)
	}
	return dir
}

func readTSV(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, v := range record {
			row[records[0][i]] = strings.TrimSpace(v)
		}
		rows = append(rows, row)
	}
	return rows
}

// unpack reads one dump into memory; its links may point anywhere.
func unpack(t *testing.T, archive string) fs.FS {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	root, err := readTar(z, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func factsOf(t *testing.T, root fs.FS, datadir string) Facts {
	t.Helper()
	f := Read(context.Background(), Options{Root: root, Datadir: datadir})
	for _, n := range f.Notes {
		if n.Code == "internal" {
			t.Errorf("note %s: %s", n.Code, n.Text)
		}
	}
	if len(f.Notes) > 60 {
		t.Errorf("%d notes are a flood", len(f.Notes))
	}
	return f
}

// hosts unpacks each dump once and hands it over.
func hosts(t *testing.T, table string, check func(t *testing.T, root fs.FS, row map[string]string)) {
	dir := hostsDir(t)
	byDump := map[string][]map[string]string{}
	var order []string
	for _, row := range readTSV(t, filepath.Join(dir, table)) {
		if byDump[row["dump"]] == nil {
			order = append(order, row["dump"])
		}
		byDump[row["dump"]] = append(byDump[row["dump"]], row)
	}
	for _, dump := range order {
		t.Run(dump, func(t *testing.T) {
			t.Parallel()
			root := unpack(t, filepath.Join(dir, dump+".tar.gz"))
			for _, row := range byDump[dump] {
				check(t, root, row)
			}
		})
	}
}

// oneOf reports whether got is one of the answers "a | b"; unknown is nil.
func oneOf(want string, got any, equal func(want string, got any) bool) bool {
	for _, w := range strings.Split(want, "|") {
		w = strings.TrimSpace(w)
		if w == "unknown" || strings.HasPrefix(w, "unknown ") {
			if got == nil || got == "unknown" {
				return true
			}
			continue
		}
		if equal(w, got) {
			return true
		}
	}
	return false
}

func sameText(want string, got any) bool {
	return strings.Join(strings.Fields(want), " ") == strings.Join(strings.Fields(Text(got)), " ")
}

func sameNumber(want string, got any) bool {
	w, err1 := strconv.ParseFloat(firstWord(want), 64)
	g, err2 := strconv.ParseFloat(Text(got), 64)
	return err1 == nil && err2 == nil && w == g
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

func sameScaled(factor float64) func(string, any) bool {
	return func(want string, got any) bool {
		w, err1 := strconv.ParseFloat(want, 64)
		g, err2 := strconv.ParseFloat(Text(got), 64)
		return err1 == nil && err2 == nil && w*factor == g
	}
}

func sameHyperthreading(want string, got any) bool {
	switch {
	case strings.HasPrefix(want, "yes on some"):
		return got == "partial"
	case strings.HasPrefix(want, "yes"):
		return got == "on"
	}
	return want == "no" && got == "off"
}

func sameThreads(want string, got any) bool {
	switch {
	case strings.Contains(want, "mixed"):
		return got == firstWord(want)
	case strings.Contains(want, "visible"):
		return sameNumber("1", got) || sameNumber("2", got)
	}
	return sameNumber(want, got)
}

func TestHosts(t *testing.T) {
	columns := []struct {
		column, key string
		equal       func(string, any) bool
	}{
		{"arch", "kernel.architecture", func(w string, g any) bool { return g == nil || strings.HasPrefix(Text(g), w) }},
		{"vendor", "cpu.vendor", sameText},
		{"model_name", "cpu.model", sameText},
		{"online_cpus", "cpu.online", sameNumber},
		{"online_list", "cpu.online_list", sameText},
		{"sockets", "cpu.sockets", sameNumber},
		{"cores_total", "cpu.cores", sameNumber},
		{"threads_per_core", "cpu.threads_per_core", sameThreads},
		{"hyperthreading", "cpu.hyperthreading", sameHyperthreading},
		{"numa_nodes", "numa.nodes", sameNumber},
		{"L1d", "cpu.cache_l1d", sameText},
		{"L2", "cpu.cache_l2", sameText},
		{"L3", "cpu.cache_l3", sameText},
		{"L2_total_KiB", "cpu.cache_l2_bytes", sameScaled(1024)},
		{"L3_total_KiB", "cpu.cache_l3_bytes", sameScaled(1024)},
		{"max_mhz", "cpu.mhz_max", sameNumber},
		{"min_mhz", "cpu.mhz_min", sameNumber},
		{"container", "virtualization.container", sameText},
		{"mem_total_kB", "memory.total_bytes", sameScaled(1024)},
		{"kernel", "kernel.release", sameText},
	}
	hosts(t, "expected.tsv", func(t *testing.T, root fs.FS, row map[string]string) {
		f := factsOf(t, root, "")
		conform(t, f, documentedKeys(t))
		for _, c := range columns {
			want := row[c.column]
			if want == "" || want == "n/a" {
				continue
			}
			got, _ := f.Get(c.key)
			if !oneOf(want, got, c.equal) {
				t.Errorf("%s = %v, want %s = %s", c.key, got, c.column, want)
			}
		}
		checkHypervisor(t, f, row["hypervisor"])
		checkPerSocket(t, f, row)
		if _, has := f.Int("memory.available_bytes"); row["has_MemAvailable"] != "" && has != (row["has_MemAvailable"] == "yes") {
			t.Errorf("memory.available_bytes known = %v, want %s", has, row["has_MemAvailable"])
		}
		if want := row["dmi_vendor_product"]; want != "" {
			if got := f.String("machine.vendor") + " / " + f.String("machine.product"); got != want {
				t.Errorf("machine = %q, want %q", got, want)
			}
		}
	})
}

func checkPerSocket(t *testing.T, f Facts, row map[string]string) {
	t.Helper()
	want, err := strconv.ParseInt(row["cores_per_socket"], 10, 64)
	sockets, ok := f.Int("cpu.sockets")
	cores, ok2 := f.Int("cpu.cores")
	if err == nil && ok && ok2 && cores != want*sockets {
		t.Errorf("%d cores on %d sockets, want %d each", cores, sockets, want)
	}
}

// checkHypervisor reads the prose of the column: the name that must stand in
// the fact, and the role that goes with it.
func checkHypervisor(t *testing.T, f Facts, want string) {
	t.Helper()
	got, role := f.String("virtualization.hypervisor"), f.String("virtualization.role")
	wantRole, name := "guest", ""
	switch {
	case want == "" || want == "n/a":
		return
	case strings.HasPrefix(want, "not decidable"), strings.Contains(want, "| unknown") && got == "":
		wantRole = "unknown"
	case want == "none":
		wantRole, name = "none", "none"
	case strings.HasPrefix(want, "Xen dom0"):
		wantRole, name = "dom0", "Xen"
	case strings.HasPrefix(want, "Xen PV domU"):
		wantRole, name = "domU", "Xen"
	case strings.Contains(want, "; KVM"):
		name = "KVM"
	case strings.HasPrefix(want, "virtual"):
	default:
		name, _, _ = strings.Cut(want, " (")
	}
	if got != name || role != wantRole {
		t.Errorf("hypervisor = %q role = %q, want %q %q (%s)", got, role, name, wantRole, want)
	}
}

func TestHostsNet(t *testing.T) {
	megabits := func(w string, g any) bool { return sameScaled(1e6)(w, g) }
	onOff := func(w string, g any) bool { return firstWord(w) == Text(g) }
	truth := func(w string, g any) bool { return (w == "1") == (g == true) && g != nil }
	columns := []struct {
		column, key string
		equal       func(string, any) bool
	}{
		{"driver", "driver", sameText}, {"speed_Mbps", "speed_bits_per_second", megabits}, {"duplex", "duplex", sameText},
		{"operstate", "state", sameText}, {"carrier", "carrier", truth}, {"mtu", "mtu_bytes", sameNumber},
		{"rx_queues", "rx_queues", sameNumber}, {"rps", "rps", onOff}, {"rfs", "rfs", onOff},
	}
	hosts(t, "expected_net.tsv", func(t *testing.T, root fs.FS, row map[string]string) {
		f := factsOf(t, root, "")
		name := row["interface"]
		listed := f.Has("nic." + name + ".speed_bits_per_second")
		if strings.HasPrefix(row["kind"], "NOT an interface") {
			if listed {
				t.Errorf("%s is listed as an interface", name)
			}
			return
		}
		if !listed {
			t.Errorf("%s is not listed", name)
			return
		}
		if got := f.String("nic." + name + ".kind"); strings.HasPrefix(row["kind"], "physical") != (got == "physical") {
			t.Errorf("nic.%s.kind = %s, want %s", name, got, row["kind"])
		}
		for _, c := range columns {
			if row[c.column] == "" {
				continue
			}
			got, _ := f.Get("nic." + name + "." + c.key)
			if !oneOf(row[c.column], got, c.equal) {
				t.Errorf("nic.%s.%s = %v, want %s = %s", name, c.key, got, c.column, row[c.column])
			}
		}
	})
}

func TestHostsStorage(t *testing.T) {
	hosts(t, "expected_storage.tsv", func(t *testing.T, root fs.FS, row map[string]string) {
		if strings.HasPrefix(row["datadir"], "(") {
			checkStack(t, root, row)
			return
		}
		datadir := strings.TrimSuffix(row["datadir"], " (real tab)")
		datadir = strings.ReplaceAll(datadir, `\t`, "\t")
		f := factsOf(t, root, datadir)
		for _, c := range []struct{ column, key string }{
			{"mount_point", "datadir.mount"}, {"fstype", "datadir.filesystem"}, {"source", "datadir.source"},
		} {
			got, _ := f.Get(c.key)
			if want := strings.ReplaceAll(row[c.column], "<TAB>", "\t"); want != Text(got) {
				t.Errorf("%s: %s = %v, want %s", datadir, c.key, got, want)
			}
		}
		leaves, known := f.Get("datadir.disks")
		if !leafOf(row["leaf_disks"], leaves) {
			t.Errorf("%s: datadir.disks = %v, want %s", datadir, leaves, row["leaf_disks"])
		}
		if known && leaves != "none" {
			checkLeaves(t, f, strings.Split(leaves.(string), ";"), row)
		}
	})
}

// leafOf compares "vda (slaves not in the dump: unknown is right too)" and the like.
func leafOf(want string, got any) bool {
	if got == nil {
		return strings.Contains(want, "unknown")
	}
	for _, w := range strings.Split(want, " | ") {
		if firstWord(w) == got {
			return true
		}
	}
	return false
}

func checkLeaves(t *testing.T, f Facts, leaves []string, row map[string]string) {
	t.Helper()
	for _, leaf := range leaves {
		model, _ := f.Get("disk." + leaf + ".model")
		if want := row["models"]; want != "" && !oneOf(want, model, sameText) {
			t.Errorf("model of %s = %v, want %s", leaf, model, want)
		}
		rotational, known := f.Bool("disk." + leaf + ".rotational")
		if want := row["rotational"]; known != (want != "unknown") || known && rotational != (want == "1") {
			t.Errorf("rotational of %s = %v (known %v), want %s", leaf, rotational, known, want)
		}
		if want := row["size_bytes"]; want != "" {
			disk, _ := f.Get("disk." + leaf + ".size_bytes")
			device, _ := f.Get("datadir.device_bytes")
			if !oneOf(want, disk, sameNumber) && !oneOf(want, device, sameNumber) {
				t.Errorf("size of %s = %v, of the device %v, want %s", leaf, disk, device, want)
			}
		}
		checkTransport(t, leaf, f.String("disk."+leaf+".transport"), row["transport_or_kind"])
	}
}

func checkTransport(t *testing.T, leaf, got, kind string) {
	t.Helper()
	want := map[bool]string{strings.Contains(kind, "NVMe"): "nvme", strings.Contains(kind, "SATA"): "sata", strings.Contains(kind, "virtio"): "virtio"}[true]
	if want != "" && got != want {
		t.Errorf("transport of %s = %s, want %s (%s)", leaf, got, want, kind)
	}
}

// checkStack looks at a device that is not mounted.
func checkStack(t *testing.T, root fs.FS, row map[string]string) {
	t.Helper()
	r := newReader(Options{Root: root})
	var device string
	if _, err := fmt.Sscanf(row["datadir"], "(device %s", &device); err != nil {
		t.Fatal(err)
	}
	device = strings.TrimSuffix(device, ",")
	if got := r.deviceName(row["source"]); got != device {
		t.Errorf("%s is %s, want %s", row["source"], got, device)
	}
	disks, layers, err := r.bottom(device, 0)
	if got := strings.Join(disks, ";"); err != nil || got != row["leaf_disks"] {
		t.Errorf("%s stands on %s (%s, %v), want %s", device, got, layers, err, row["leaf_disks"])
	}
}
