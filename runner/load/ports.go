package load

import (
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/workload"
)

// ScarcePorts is how many ephemeral ports there are for connections to an address when each that we
// close keeps its port in TIME_WAIT for 60 seconds; ok is false where ports are no matter: on a
// socket, where the kernel may use such ports again (net.ipv4.tcp_tw_reuse; 2, the default, means
// on the loopback), and where the sysctls cannot be read. root is the file system's.
func ScarcePorts(root fs.FS, address net.Addr) (ports int, ok bool) {
	tcp, isTCP := address.(*net.TCPAddr)
	low, high, known := portRange(root)
	reuse, told := sysctl(root, "tcp_tw_reuse")
	if !isTCP || !known || !told || reuse == "1" || reuse == "2" && tcp.IP.IsLoopback() {
		return 0, false
	}
	return high - low + 1, true
}

// Reconnects is when the threads of a workload reconnect: as the workload does it by itself, else
// as the plan asks.
func Reconnects(w workload.Workload, planned string) string {
	if r, ok := w.(workload.Reconnecter); ok && r.Reconnects() != "" {
		return r.Reconnects()
	}
	return planned
}

// portBudget refuses a trial that is known to run out of ephemeral ports, whether the plan or the
// workload has it reconnect. Trials that end by time run as far as the ports go; EADDRNOTAVAIL is
// an error class of its own.
func portBudget(root fs.FS, address net.Addr, t Trial, reconnects string, threads int) error {
	t.Reconnect = reconnects
	if t.Reconnect == "random" { // between query and session: once in two rounds
		t.Reconnect = "2"
	}
	every, err := t.reconnectEvery()
	ports, scarce := ScarcePorts(root, address)
	if err != nil || every == 0 || !scarce || t.Time > 0 {
		return err
	}
	rounds := t.Events
	if t.Queries > 0 {
		rounds = int64(threads) * int64(t.Queries)
	}
	connects := rounds / int64(max(every, 1)) // a round has one query at least
	if connects > int64(ports) {
		return fmt.Errorf("reconnect %s: %d connects, but only %d ephemeral ports, each of which is taken for 60 s: widen net.ipv4.ip_local_port_range (now %s), set net.ipv4.tcp_tw_reuse=1, or use fewer queries",
			reconnects, connects, ports, portRangeText(root))
	}
	return nil
}

func portRangeText(root fs.FS) string {
	low, high, _ := portRange(root)
	return fmt.Sprintf("%d-%d", low, high)
}

// portRange reads the first and the last ephemeral port.
func portRange(root fs.FS) (low, high int, ok bool) {
	text, ok := sysctl(root, "ip_local_port_range")
	fields := strings.Fields(text)
	if !ok || len(fields) != 2 {
		return 0, 0, false
	}
	low, errLow := strconv.Atoi(fields[0])
	high, errHigh := strconv.Atoi(fields[1])
	return low, high, errLow == nil && errHigh == nil
}

func sysctl(root fs.FS, name string) (string, bool) {
	text, err := fs.ReadFile(root, "proc/sys/net/ipv4/"+name)
	return strings.TrimSpace(string(text)), err == nil
}
