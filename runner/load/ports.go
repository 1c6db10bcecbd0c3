package load

import (
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"
)

// portBudget refuses a trial that is known to run out of ephemeral ports: over TCP each connection
// that we close keeps its port in TIME_WAIT for 60 seconds, unless the kernel may use such ports
// again (net.ipv4.tcp_tw_reuse; 2, the default, means on the loopback). Trials that end by time run
// as far as the ports go; EADDRNOTAVAIL is an error class of its own. Where the sysctls cannot be
// read nothing is refused. root is the file system's.
func portBudget(root fs.FS, address net.Addr, t Trial, threads int) error {
	every, err := t.reconnectEvery()
	tcp, ok := address.(*net.TCPAddr)
	if err != nil || every == 0 || !ok || t.Time > 0 {
		return err
	}
	low, high, ok := portRange(root)
	reuse, known := sysctl(root, "tcp_tw_reuse")
	if !ok || !known || reuse == "1" || reuse == "2" && tcp.IP.IsLoopback() {
		return nil
	}
	rounds := t.Events
	if t.Queries > 0 {
		rounds = int64(threads) * int64(t.Queries)
	}
	connects := rounds / int64(max(every, 1)) // a round has one query at least
	if ports := int64(high - low + 1); connects > ports {
		return fmt.Errorf("reconnect %s: %d connects, but only %d ephemeral ports, each of which is taken for 60 s: widen net.ipv4.ip_local_port_range (now %d-%d), set net.ipv4.tcp_tw_reuse=1, or use fewer queries",
			t.Reconnect, connects, ports, low, high)
	}
	return nil
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
