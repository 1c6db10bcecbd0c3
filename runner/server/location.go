package server

import (
	"context"
	"fmt"
	"net"
	"strings"
)

// Place says whether a server is on this machine.
type Place int

// The places. A server whose place is not known may be on either side of a
// forwarder, tunnel or published port.
const (
	Unsure Place = iota
	Here
	Elsewhere
)

// Location is the machine that a server is on, as far as it is known.
type Location struct {
	Place Place
	Host  string // as the server names its machine, "" when it does not
	Why   string // of Unsure
	// Seen says that the server's process was seen on this machine. Without, Here rests on names,
	// which a tunnel to a machine of the same name has as well.
	Seen bool
}

// Machine is the name of the machine: own when it is this one, else the name by
// which the server is reached. Where the place is not known, it is the name that
// the server gives itself.
func (l Location) Machine(e Endpoint, own string) string {
	switch {
	case l.Place == Here:
		return own
	case l.Place == Elsewhere:
		return e.Machine(own)
	case l.Host != "" && !sameHost(l.Host, own):
		return l.Host
	}
	return "unknown"
}

// Locate tells on which machine the server is, by the process at the other end
// of the connection, the address, and the host name that the server has; own is
// this machine's.
func (t *Target) Locate(ctx context.Context, own string) (Location, error) {
	var host string
	if err := t.variable(ctx, "hostname", &host); err != nil {
		return Location{}, err
	}
	peer, err := t.Peer(ctx)
	if err != nil {
		peer = Peer{} // then the address and the name decide
	}
	ours := t.config.Net == "unix" || isOwnAddress(t.config.Addr)
	return locate(ours, peer, host, own), nil
}

// locate weighs what is known. A server process at the other end is proof; any
// other process there may be a proxy or a tunnel.
func locate(ours bool, peer Peer, host, own string) Location {
	l := Location{Host: host, Seen: peer.Server}
	switch {
	case peer.Server, (peer.Local || ours) && sameHost(host, own):
		l.Place = Here
	case !peer.Local && !ours:
		l.Place = Elsewhere
	default:
		what := "what listens there may be a proxy, a tunnel or a container"
		if peer.PID != 0 {
			what = fmt.Sprintf("process %d (%s) listens there", peer.PID, peer.Name)
		}
		if host == "" {
			l.Why = what + ", and the server does not report its host name"
		} else {
			l.Why = fmt.Sprintf("%s, and the server says that its host is %s, while this one is %s", what, host, own)
		}
	}
	return l
}

// sameHost compares names of hosts, of which either may lack its domain.
func sameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if strings.Contains(a, ".") != strings.Contains(b, ".") {
		a, _, _ = strings.Cut(a, ".")
		b, _, _ = strings.Cut(b, ".")
	}
	return a != "" && a == b
}

// isOwnAddress reports whether an address is the loopback's, the unspecified one,
// or one of this machine's interfaces.
func isOwnAddress(address string) bool {
	tcp, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return false
	}
	if tcp.IP == nil || tcp.IP.IsLoopback() || tcp.IP.IsUnspecified() {
		return true
	}
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range interfaces {
		if network, ok := a.(*net.IPNet); ok && network.IP.Equal(tcp.IP) {
			return true
		}
	}
	return false
}
