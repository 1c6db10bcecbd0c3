package hwinfo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// writeTree makes files below a folder.
func writeTree(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// largeMachine has n CPUs, two threads a core, 64 cores a socket.
func largeMachine(n int) map[string]string {
	files := map[string]string{"sys/devices/system/cpu/online": fmt.Sprintf("0-%d", n-1), "sys/devices/system/cpu/present": fmt.Sprintf("0-%d", n-1)}
	var cpuinfo strings.Builder
	for i := range n {
		core, socket := i/2, i/128
		fmt.Fprintf(&cpuinfo, "processor\t: %d\nvendor_id\t: GenuineIntel\nmodel name\t: Large CPU\nphysical id\t: %d\ncore id\t: %d\nmicrocode\t: 0x1\nflags\t: %s\n\n", i, socket, core, strings.Repeat("flag ", 250))
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", i)
		files[dir+"topology/physical_package_id"] = fmt.Sprint(socket)
		files[dir+"topology/core_id"] = fmt.Sprint(core)
		files[dir+"topology/thread_siblings_list"] = fmt.Sprintf("%d-%d", core*2, core*2+1)
		for index, c := range []struct{ level, kind, size, shared string }{
			{"1", "Data", "48K", fmt.Sprintf("%d-%d", core*2, core*2+1)}, {"2", "Unified", "2048K", fmt.Sprintf("%d-%d", core*2, core*2+1)},
			{"3", "Unified", "98304K", fmt.Sprintf("%d-%d", socket*128, socket*128+127)},
		} {
			d := fmt.Sprintf("%scache/index%d/", dir, index)
			files[d+"level"], files[d+"type"], files[d+"size"], files[d+"shared_cpu_list"] = c.level, c.kind, c.size, c.shared
		}
		files[dir+"cpufreq/cpuinfo_max_freq"], files[dir+"cpufreq/scaling_governor"] = "3900000", "performance"
	}
	files["proc/cpuinfo"] = cpuinfo.String()
	return files
}

// cpuTime is what this process used so far: on a machine that others use, it
// says more than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// memoryDir is a folder in memory where there is one: writing 70,000 files to a disk takes its
// time.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "mysweep-test-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestMachineOf4096CPUs(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 70,000 files")
	}
	dir := memoryDir(t)
	writeTree(t, dir, largeMachine(4096))
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	began, used := time.Now(), cpuTime()
	f := Read(context.Background(), Options{Root: root})
	took, cost := time.Since(began), cpuTime()-used
	plain := readAll(t, dir)
	t.Logf("4,096 CPUs in %v, %v of CPU time; reading each of the files once takes %v", took, cost, plain)
	if cost > 2*plain {
		t.Errorf("took %v of CPU time, more than twice what the files alone take: %v", cost, plain)
	}
	want(t, f, map[string]string{"cpu.online": "4096", "cpu.sockets": "32", "cpu.cores": "2048", "cpu.threads_per_core": "2", "cpu.hyperthreading": "on",
		"cpu.cache_l3": "98304K x32", "cpu.cache_l2": "2048K x2048", "cpu.governor": "performance", "cpu.mhz_max": "3900"})
}

// readAll is the CPU time of reading every file once, the measure for a
// machine that others use at the same time.
func readAll(t *testing.T, dir string) time.Duration {
	t.Helper()
	used := cpuTime()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return cpuTime() - used
}

func TestThisMachineIsReadQuickly(t *testing.T) {
	best := time.Hour
	for range 3 {
		used := cpuTime()
		Read(context.Background(), Options{})
		best = min(best, cpuTime()-used)
	}
	t.Logf("facts of this machine: %v of CPU time, and a tenth of a second of watching processes", best)
	if best > 200*time.Millisecond {
		t.Errorf("facts take %v of CPU time, want under 200 ms", best)
	}
}

// A file that is huge, a pipe, a device, a directory in place of a file: none hurts.
func TestOddFiles(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"proc/loadavg": "1 1 1 1/1 1"})
	huge := filepath.Join(dir, "proc/meminfo")
	if f, err := os.Create(huge); err != nil {
		t.Fatal(err)
	} else if err := f.Truncate(1 << 40); err != nil {
		t.Skip("the file system holds no sparse file of 1 TiB")
	} else {
		f.Close()
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "proc/cpuinfo"), 0o644); err != nil {
		t.Skip(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "proc/stat"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "proc/uptime")); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "os-release")
	writeTree(t, filepath.Dir(outside), map[string]string{"os-release": "PRETTY_NAME=outside"})
	os.MkdirAll(filepath.Join(dir, "etc"), 0o755)
	if err := os.Symlink(outside, filepath.Join(dir, "etc/os-release")); err != nil {
		t.Fatal(err)
	}
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan Facts, 1)
	go func() { done <- Read(context.Background(), Options{Root: root}) }()
	select {
	case f := <-done:
		want(t, f, map[string]string{"load.1m": "1", "memory.total_bytes": "unknown", "cpu.online": "unknown", "os.pretty_name": "unknown", "system.uptime_seconds": "unknown"})
		conform(t, f, documentedKeys(t))
	case <-time.After(60 * time.Second):
		t.Fatal("reading hangs")
	}
}

// A dump in a folder reads as in memory.
func TestFolderReadsAsArchive(t *testing.T) {
	for _, name := range []string{"x86_64-cloudstack-kvm-debian9", "storage-lvm-on-4-loops"} {
		t.Run(name, func(t *testing.T) {
			archive := filepath.Join(hostsDir(t), name+".tar.gz")
			dir := t.TempDir()
			extract(t, unpack(t, archive).(memory), dir)
			root, err := OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			a, b := factsOf(t, root, ""), factsOf(t, unpack(t, archive), "")
			for i := range b.List {
				if i >= len(a.List) || a.List[i] != b.List[i] {
					t.Fatalf("fact %d: in a folder %+v, in memory %+v", i, a.List[i], b.List[i])
				}
			}
		})
	}
}

func extract(t *testing.T, m memory, dir string) {
	t.Helper()
	for name, f := range m {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case f.mode.IsDir():
			err = os.MkdirAll(path, 0o755)
		case f.mode.IsRegular():
			err = os.WriteFile(path, f.data, 0o644)
		default:
			err = os.Symlink(string(f.data), path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := Read(ctx, Options{})
	if len(f.Notes) != 1 || f.Notes[0].Code != "interrupted" {
		t.Errorf("notes %v", f.Notes)
	}
}
