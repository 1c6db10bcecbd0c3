package series

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/hwinfo/procfs"
)

// machine writes files below a folder and gives a source that reads them.
func machine(t *testing.T, files map[string]string) (*Local, string) {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		write(t, root, name, content)
	}
	l := NewLocal(root)
	t.Cleanup(func() { l.Close() })
	return l, root
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-9+math.Abs(want)*1e-9 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func mark(t *testing.T, s *Sampler) Mark {
	t.Helper()
	m, err := s.Mark(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestShares(t *testing.T) {
	rows := []struct {
		why  string
		a, b string
		want CPU
	}{
		{"guest is inside user: not added twice", "cpu0 0 0 0 0 0 0 0 0 0 0", "cpu0 60 0 20 10 5 1 2 2 40 0",
			CPU{User: .6, System: .2, Idle: .1, IOWait: .05, IRQ: .01, SoftIRQ: .02, Steal: .02, Guest: .4}},
		{"guest_nice is inside nice", "cpu0 0 0 0 0 0 0 0 0 0 0", "cpu0 0 50 0 50 0 0 0 0 0 30", CPU{Nice: .5, Idle: .5, Guest: .3}},
		{"iowait that steps back counts as nothing", "cpu0 10 0 0 10 9 0 0 0 0 0", "cpu0 20 0 0 20 7 0 0 0 0 0", CPU{User: .5, Idle: .5}},
		{"a kernel with seven columns", "cpu0 0 0 0 0 0 0 0", "cpu0 1 0 0 3 0 0 0", CPU{User: .25, Idle: .75}},
	}
	for _, row := range rows {
		var a, b counters
		a.stat.Parse([]byte(row.a))
		b.stat.Parse([]byte(row.b))
		got := sharesOf(&a, &b)
		if len(got) != 1 {
			t.Errorf("%s: %d CPUs", row.why, len(got))
			continue
		}
		near(t, row.why+": user", got[0].User, row.want.User)
		near(t, row.why+": idle", got[0].Idle, row.want.Idle)
		near(t, row.why+": iowait", got[0].IOWait, row.want.IOWait)
		near(t, row.why+": guest", got[0].Guest, row.want.Guest)
		near(t, row.why+": steal", got[0].Steal, row.want.Steal)
		near(t, row.why+": busy", got[0].Busy(), row.want.Busy())
		sum := got[0].User + got[0].Nice + got[0].System + got[0].IOWait + got[0].IRQ + got[0].SoftIRQ + got[0].Steal + got[0].Idle
		near(t, row.why+": sum", sum, 1)
	}
}

func TestSharesWithOfflineCPUs(t *testing.T) {
	var a, b counters
	a.stat.Parse([]byte("cpu 1 1 1 1\ncpu1 0 0 0 0\ncpu2 5 0 0 5\ncpu4 0 0 0 0"))
	b.stat.Parse([]byte("cpu 2 2 2 2\ncpu1 1 0 0 0\ncpu3 9 9 9 9\ncpu4 0 0 0 2"))
	var ids []int
	for _, c := range sharesOf(&a, &b) {
		ids = append(ids, c.ID)
	}
	if len(ids) != 2 || ids[0] != 1 || ids[1] != 4 { // 2 went offline, 3 came online
		t.Errorf("CPUs %v, want 1 and 4", ids)
	}
}

const netDev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0          0
`

func TestWindowOfAFolder(t *testing.T) {
	l, root := machine(t, map[string]string{
		"proc/stat":         "cpu 0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nctxt 1000\nprocesses 5\nprocs_blocked 0\n",
		"proc/loadavg":      "0.50 0.40 0.30 3/80 1000\n",
		"proc/net/dev":      netDev + "  eth0:1000 10 0 0 0 0 0 0 2000 20 0 0 0 0 0 0\n",
		"proc/diskstats":    "8 0 sda 10 0 80 100 20 0 160 200 0 50 300\n8 1 sda1 10 0 80 100 20 0 160 200 0 50 300\n7 0 loop0 1 0 2 0 0 0 0 0 0 0 0\n259 0 nvme0n1 1 0 8 1 0 0 0 0 0 1 1\n259 1 nvme0n1p1 1 0 8 1 0 0 0 0 0 1 1\n",
		"proc/net/sockstat": "sockets: used 10\nTCP: inuse 5 orphan 0 tw 123 alloc 8 mem 1\n",
		"proc/net/netstat":  "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 4 6\nIpExt: ListenOverflows\nIpExt: 99\n",
		"proc/net/snmp":     "Tcp: RtoAlgorithm RetransSegs\nTcp: 1 7\n",
		"proc/vmstat":       "pswpin 1\npswpout 2\n",
		"proc/meminfo":      "MemTotal: 1000 kB\nMemAvailable: 500 kB\nSwapTotal: 100 kB\nSwapFree: 40 kB\nDirty: 3 kB\n",
		"proc/pressure/io":  "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=500000\n",
		"proc/77/stat":      "77 (my sql)d) x) S 1 77 77 0 -1 4194560 1 2 3 4 100 50 0 0 20 0 31 0 555 1000 25 184467",
	})
	s := New(l, Options{PID: 77})
	from := mark(t, s)
	write(t, root, "proc/stat", "cpu 150 0 0 50 0 0 0 0 0 0\ncpu0 150 0 0 50 0 0 0 0 0 0\nctxt 3000\nprocesses 5\nprocs_blocked 2\n")
	write(t, root, "proc/net/dev", netDev+"  eth0:5000 50 0 0 0 0 0 0 1000 60 0 0 0 0 0 0\n")
	write(t, root, "proc/diskstats", "8 0 sda 20 0 160 200 30 0 320 400 1 150 300\n8 1 sda1 20 0 160 200 30 0 320 400 0 50 300\n259 0 nvme0n1 1 0 8 1 0 0 0 0 0 1 1\n259 1 nvme0n1p1 1 0 8 1 0 0 0 0 0 1 1\n")
	write(t, root, "proc/net/netstat", "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 0 14 6\n")
	write(t, root, "proc/pressure/io", "some total=3000000\nfull total=500000\n")
	write(t, root, "proc/77/stat", "77 (my sql)d) x) S 1 77 77 0 -1 4194560 1 2 3 4 200 150 0 0 20 0 33 0 555 1000 50 184467")
	to := mark(t, s)
	to.At, to.c.at = from.At.Add(2*time.Second), from.At.Add(2*time.Second)
	w := s.Between(from, to)
	for name, want := range map[string]float64{
		"cpu.user_ratio": .75, "cpu.busy_ratio": .75, "cpu.busiest_ratio": .75, "context_switches_per_second": 1000, "forks_per_second": 0,
		"nic.eth0.rx_bytes_per_second": 2000, "nic.eth0.rx_packets_per_second": 20,
		"disk.sda.read_bytes_per_second": 80 * 512 / 2, "disk.sda.write_bytes_per_second": 160 * 512 / 2, "disk.sda.reads_per_second": 5,
		"disk.sda.busy_ratio": .05, "disk.sda.await_seconds": .015, "disk.sda.in_flight": 1,
		"tcp.timewait": 123, "tcp.listen_overflows_per_second": 5, "tcp.listen_drops_per_second": 0, "tcp.retransmits_per_second": 0,
		"memory.swap_used_bytes": 60 * 1024, "memory.available_bytes": 500 * 1024, "psi.io_some_ratio": 1, "psi.io_full_ratio": 0,
		"process.cpu_seconds_per_second": 1, "process.threads": 33, "process.rss_bytes": 50 * pageBytes, "tasks": 80,
	} {
		got, ok := w.Values[name]
		if !ok {
			t.Errorf("%s is missing", name)
			continue
		}
		near(t, name, got, want)
	}
	for name := range w.Values {
		unwanted := strings.Contains(name, "sda1") || strings.Contains(name, "nvme0n1p1") || strings.Contains(name, "loop") || strings.Contains(name, "nic.lo.")
		if unwanted || name == "nic.eth0.tx_bytes_per_second" || strings.HasPrefix(name, "psi.cpu") {
			t.Errorf("%s = %v: neither partitions, unused devices, counters that went back, nor files that are not there", name, w.Values[name])
		}
	}
	if w.ProcessCPUSeconds == nil || *w.ProcessCPUSeconds != 2 {
		t.Errorf("process used %v s, want 2", w.ProcessCPUSeconds)
	}
	if w.RunnableMean != nil {
		t.Errorf("runnable mean %v without a look", *w.RunnableMean)
	}
	if w.LoadBefore == nil || w.LoadBefore.Fifteen != .3 {
		t.Errorf("load before = %v", w.LoadBefore)
	}
}

// An empty machine tells nothing, and nothing is not zero.
func TestNothingToRead(t *testing.T) {
	l, _ := machine(t, nil)
	s := New(l, Options{PID: 1})
	w := s.Between(mark(t, s), mark(t, s))
	if len(w.Values) != 0 || w.Total != nil || w.CPUs != nil || w.LoadAfter != nil || w.ProcessCPUSeconds != nil {
		t.Errorf("an empty machine told %+v", w)
	}
}

func TestAnotherProcessOfTheSamePID(t *testing.T) {
	l, root := machine(t, map[string]string{"proc/77/stat": "77 (a) S 1 77 77 0 -1 0 1 2 3 4 100 50 0 0 20 0 31 0 555 1000 25 1"})
	s := New(l, Options{PID: 77})
	from := mark(t, s)
	write(t, root, "proc/77/stat", "77 (b) S 1 77 77 0 -1 0 1 2 3 4 900 50 0 0 20 0 31 0 999 1000 25 1")
	if w := s.Between(from, mark(t, s)); w.ProcessCPUSeconds != nil {
		t.Errorf("CPU time of two processes subtracted: %v", *w.ProcessCPUSeconds)
	}
}

// busy keeps one CPU at work.
func busy(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func TestThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc of Linux")
	}
	l := NewLocal("/")
	defer l.Close()
	s := New(l, Options{Interval: 200 * time.Millisecond, RunnableInterval: 20 * time.Millisecond, PID: os.Getpid()})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	from := mark(t, s)
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	busy(900 * time.Millisecond)
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	to := mark(t, s)
	cancel()
	wg.Wait()
	w := s.Between(from, to)
	used := float64(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()) / 1e9
	if w.ProcessCPUSeconds == nil || math.Abs(*w.ProcessCPUSeconds-used) > 0.1+used*0.1 {
		t.Errorf("this process used %v CPU seconds, getrusage says %.3f", w.ProcessCPUSeconds, used)
	}
	if n := len(w.Samples); n < 1 || n > 5 {
		t.Errorf("%d samples of 200 ms in 900 ms", n)
	}
	if w.Total == nil || w.Total.Busy()*float64(len(w.CPUs)) < 0.9*used/to.At.Sub(from.At).Seconds()-0.1 {
		t.Errorf("machine busy %+v, this process alone used %.2f CPUs", w.Total, used)
	}
	if w.RunnableMean == nil || *w.RunnableMean < 1 {
		t.Errorf("runnable mean %v, though this process ran all the time", w.RunnableMean)
	}
	for _, sample := range w.Samples {
		if sample.Load == nil || sample.Runnable == nil || sample.At.Before(from.At) || sample.At.After(to.At) {
			t.Errorf("sample %+v", sample)
		}
	}
}

// The bar: less than 0.5 % of one CPU for a sample a second and ten looks.
func TestCost(t *testing.T) {
	l := NewLocal("/")
	defer l.Close()
	s := New(l, Options{PID: os.Getpid()})
	ctx := context.Background()
	mark(t, s)
	const seconds = 50
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for range seconds {
		s.last = s.now.copy()
		s.last.at = s.last.at.Add(-time.Second)
		if err := s.sample(ctx); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if err := s.look(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	cost := float64(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()) / 1e9 / seconds
	t.Logf("a second of sampling costs %.3f ms of CPU: %.3f %% of one CPU", cost*1000, cost*100)
	if cost > 0.005 {
		t.Errorf("%.2f %% of one CPU, want under 0.5 %%", cost*100)
	}
}

func TestLooksDoNotAllocate(t *testing.T) {
	l := NewLocal("/")
	defer l.Close()
	s := New(l, Options{})
	ctx := context.Background()
	if err := s.look(ctx); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { s.look(ctx) }); n > 2 {
		t.Errorf("a look allocates %v times", n)
	}
}

func TestForget(t *testing.T) {
	s := New(NewLocal(t.TempDir()), Options{})
	at := time.Now()
	for i := range 5 {
		s.rows = append(s.rows, row{at: at.Add(time.Duration(i) * time.Second), length: time.Second})
	}
	s.Forget(at.Add(3 * time.Second))
	if n := len(s.rows); n != 2 {
		t.Errorf("%d rows are left, want 2", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("cpu0 1 2 3 4\nctxt 1\n"))
	f.Add([]byte(netDev + "eth0:1 2 3"))
	f.Add([]byte("8 0 sda 10 0 80 100 20 0 160 200 0 50 300\n"))
	f.Add([]byte("Tcp: RetransSegs\nTcp: 7\nTcpExt: ListenOverflows\nTcpExt: 1"))
	f.Add([]byte("1 (a b) S 1 2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b counters
		a.clear()
		b.clear()
		for _, file := range files {
			file.parse(data, &b)
		}
		b.process, _ = procfs.ParseProcess(data)
		b.at = a.at.Add(time.Second)
		between(&a, &b, func(name string, v float64) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s = %v", name, v)
			}
		})
	})
}

// flaky fails now and then.
type flaky struct {
	Source
	mu    sync.Mutex
	reads int
}

func (f *flaky) Read(ctx context.Context, paths []string, got func(int, []byte)) (time.Time, error) {
	f.mu.Lock()
	f.reads++
	fail := f.reads > 5 && f.reads < 12
	f.mu.Unlock()
	if fail {
		return time.Time{}, errors.New("out of reach")
	}
	return f.Source.Read(ctx, paths, got)
}

// A machine that is out of reach for a while leaves a gap, no more.
func TestRunGoesOnAfterAFailure(t *testing.T) {
	l := NewLocal("/")
	defer l.Close()
	source := &flaky{Source: l}
	s := New(source, Options{Interval: 20 * time.Millisecond, RunnableInterval: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	deadline := time.Now().Add(20 * time.Second)
	for enough := false; !enough && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		source.mu.Lock()
		enough = source.reads > 30
		source.mu.Unlock()
	}
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "out of reach") {
		t.Errorf("Run = %v", err)
	}
	if n := len(s.Since(time.Time{}, time.Now())); n < 2 {
		t.Errorf("%d samples", n)
	}
}
