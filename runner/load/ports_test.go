package load

import (
	"net"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

func TestPortBudget(t *testing.T) {
	remote, local := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
	for _, c := range []struct {
		about   string
		reuse   string
		address net.Addr
		trial   Trial
		refused bool
	}{
		{"the workload itself reconnects at times", "0", remote, Trial{Reconnect: "random", Events: 300}, true},
		{"100 ports, 320 connects", "0", remote, Trial{Reconnect: "query", Queries: 20}, true},
		{"a round each: 320 connects", "0", remote, Trial{Reconnect: "round", Queries: 20}, true},
		{"ten rounds each: 32 connects", "0", remote, Trial{Reconnect: "10", Queries: 20}, false},
		{"events in all", "0", remote, Trial{Reconnect: "round", Events: 101}, true},
		{"just enough", "0", remote, Trial{Reconnect: "round", Events: 100}, false},
		{"ports are used again", "1", remote, Trial{Reconnect: "query", Queries: 20}, false},
		{"ports are used again on the loopback only", "2", remote, Trial{Reconnect: "query", Queries: 20}, true},
		{"and this is the loopback", "2", local, Trial{Reconnect: "query", Queries: 20}, false},
		{"a socket has no ports", "0", &net.UnixAddr{}, Trial{Reconnect: "query", Queries: 20}, false},
		{"one connection a thread", "0", remote, Trial{Reconnect: "never", Queries: 2000}, false},
		{"a timed trial goes as far as it can", "0", remote, Trial{Reconnect: "query", Time: time.Hour}, false},
		{"nothing is known", "", remote, Trial{Reconnect: "query", Queries: 20}, false},
	} {
		root := fstest.MapFS{}
		if c.reuse != "" {
			root["proc/sys/net/ipv4/tcp_tw_reuse"] = &fstest.MapFile{Data: []byte(c.reuse + "\n")}
			root["proc/sys/net/ipv4/ip_local_port_range"] = &fstest.MapFile{Data: []byte("40000\t40099\n")}
		}
		err := portBudget(root, c.address, c.trial, c.trial.Reconnect, 16)
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "net.ipv4.ip_local_port_range (now 40000-40099)") {
			t.Errorf("%s: %v", c.about, err)
		}
	}
}

// TestReconnects: a workload that reconnects by itself is held to the same budget of ports as one
// whose plan asks for it.
func TestReconnects(t *testing.T) {
	for _, c := range []struct{ name, option, value, planned, want string }{
		{"oltp", "oltp-reconnect-mode", "query", "never", "query"},
		{"oltp", "oltp-reconnect-mode", "random", "never", "random"},
		{"oltp", "oltp-reconnect-mode", "session", "round", "round"},
		{"tpcb", "connect-per-transaction", "true", "never", "round"},
		{"tpcb", "connect-per-transaction", "false", "3", "3"},
	} {
		spec, _ := workload.Find(c.name)
		values, err := workload.NewValues(spec.Options, map[string]string{c.option: c.value})
		if err != nil {
			t.Fatal(err)
		}
		w, err := spec.New(values)
		if err != nil {
			t.Fatal(err)
		}
		if got := Reconnects(w, c.planned); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
