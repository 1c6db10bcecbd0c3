package procfs

import (
	"math"
	"testing"
)

func TestParseProcess(t *testing.T) {
	const tail = " S 1 42 42 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 30 0 98765 1000 200 18446744073709551615"
	for _, row := range []struct {
		text, name string
	}{
		{"42 (mysqld)" + tail, "mysqld"},
		{"42 (a) S (b)" + tail, "a) S (b"}, // a name may hold anything
	} {
		got, err := ParseProcess([]byte(row.text))
		if err != nil || string(got.Name) != row.name || got.StartTicks != 98765 || got.Dead() || got.CPUTicks != 3 || got.Threads != 30 || got.RSSPages != 200 {
			t.Errorf("%s: %+v %v", row.text, got, err)
		}
	}
	zombie, err := ParseProcess([]byte("42 (mysqld) Z 1 42 42 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 30 0 98765 0 0 0"))
	if err != nil || !zombie.Dead() {
		t.Errorf("zombie: %+v %v", zombie, err)
	}
	for _, broken := range []string{"", "42 mysqld S", "42 (mysqld) S 1 2 3"} {
		if p, err := ParseProcess([]byte(broken)); err == nil || !math.IsNaN(p.CPUTicks) || !math.IsNaN(p.Threads) {
			t.Errorf("%q: %+v, want an error and unknown numbers", broken, p)
		}
	}
}

func TestParseLoadavg(t *testing.T) {
	l, err := ParseLoadavg([]byte("0.20 0.18 0.12 1/80 11206\n"))
	if want := (Loadavg{[3]float64{0.20, 0.18, 0.12}, 1, 80}); err != nil || l != want {
		t.Errorf("%+v %v, want %+v", l, err, want)
	}
	for _, broken := range []string{"", "0.20 0.18", "0.20 0.18 0.12", "0.20 0.18 0.12 80", "a b c 1/80", "-1 0 0 1/80"} {
		if l, err := ParseLoadavg([]byte(broken)); err == nil || !math.IsNaN(l.Load[0]) || !math.IsNaN(l.Runnable) {
			t.Errorf("%q: %+v, want an error and unknown numbers", broken, l)
		}
	}
}

func TestParseSockstat(t *testing.T) {
	got := ParseSockstat([]byte("sockets: used 10\nTCP: inuse 5 orphan 0 tw 123 alloc 8 mem 1\nUDP: inuse 2 mem 0\n"))
	if want := (Sockets{5, 123}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := ParseSockstat(nil); !math.IsNaN(got.InUse) || !math.IsNaN(got.TimeWait) {
		t.Errorf("an empty file gives %+v", got)
	}
}

func TestEachMeminfo(t *testing.T) {
	got := map[string]float64{}
	EachMeminfo([]byte("MemTotal:  1000 kB\nHugePages_Total:   3\nDirty: -1 kB\nNode 0 MemFree:  5 kB\nnonsense\n"),
		func(name []byte, value float64) { got[string(name)] = value })
	if len(got) != 3 || got["MemTotal"] != 1024000 || got["HugePages_Total"] != 3 || got["MemFree"] != 5120 {
		t.Errorf("%v", got)
	}
}

func TestParseStat(t *testing.T) {
	var s Stat
	s.Parse([]byte("cpu  4 0 2 10\ncpu0 1 0 1 5\ncpu3 3 0 x 5\nctxt 7\nbtime 1700000000\nprocesses 9\nprocs_blocked 2\n"))
	if len(s.CPUs) != 2 || s.CPUs[0].ID != 0 || s.CPUs[1].ID != 3 || !s.CPUs[0].Known || s.CPUs[1].Known || s.Total.Ticks[3] != 10 {
		t.Errorf("%+v", s)
	}
	if s.ContextSwitches != 7 || s.BootTime != 1700000000 || s.Forks != 9 || s.Blocked != 2 {
		t.Errorf("%+v", s)
	}
	if s.Parse(nil); len(s.CPUs) != 0 || s.Total.Known || !math.IsNaN(s.ContextSwitches) {
		t.Errorf("an empty file gives %+v", s)
	}
}
