package server

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

// TestLocate weighs process, address and host name. Doubt is no place.
func TestLocate(t *testing.T) {
	process := Peer{Local: true, PID: 7, Name: "mariadbd", Server: true}
	forwarder := Peer{Local: true, PID: 9, Name: "ssh"}
	hidden := Peer{Local: true}
	for _, row := range []struct {
		about     string
		ours      bool
		peer      Peer
		host, own string
		place     Place
		machine   string
	}{
		{"a server process here", true, process, "web7", "web7", Here, "web7"},
		{"a container's server, whose process is seen", true, process, "3f9a", "web7", Here, "web7"},
		{"a tunnel to another host", true, forwarder, "db3", "web7", Unsure, "db3"},
		{"a balancer to a server here", true, forwarder, "web7", "web7", Here, "web7"},
		{"a process that this user may not see", true, hidden, "web7.example.com", "web7", Here, "web7"},
		{"the same, of another host", true, hidden, "db3", "web7", Unsure, "db3"},
		{"a published port, whose other end is in another namespace", true, Peer{}, "3f9a", "web7", Unsure, "3f9a"},
		{"the same, in the host's name", true, Peer{}, "web7", "web7", Here, "web7"},
		{"a proxy that tells no host name", true, forwarder, "", "web7", Unsure, "unknown"},
		{"another host", false, Peer{}, "db3", "web7", Elsewhere, "db3.example.com"},
		{"another host that has our name", false, Peer{}, "web7", "web7", Elsewhere, "db3.example.com"},
	} {
		l := locate(row.ours, row.peer, row.host, row.own)
		e := Endpoint{Host: "127.0.0.1"}
		if !row.ours {
			e.Host = "db3.example.com"
		}
		if name := l.Machine(e, row.own); l.Place != row.place || name != row.machine || (l.Why != "") != (row.place == Unsure) {
			t.Errorf("%s: %+v, %s", row.about, l, name)
		}
	}
}

// TestLocateServer: a server is here by whatever address of this machine it is reached, and unknown
// behind a forwarder that this machine runs, when it names another host.
func TestLocateServer(t *testing.T) {
	s := startServer(t, Private{TCP: true, AllowMemory: true})
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	at := func(host string, port int, own string) Location {
		target, err := Open(testContext(t), Endpoint{Host: host, Port: port, User: s.Endpoint.User, Password: s.Endpoint.Password})
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		l, err := target.Locate(testContext(t), own)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, host := range []string{"127.0.0.1", "0.0.0.0", "localhost"} {
		if l := at(host, s.Endpoint.Port, own); l.Place != Here {
			t.Errorf("%s: %+v", host, l)
		}
	}
	forward := forwarder(t, s.Endpoint.Name())
	if l := at("127.0.0.1", forward, own); l.Place != Here {
		t.Errorf("behind a forwarder, in this host's name: %+v", l)
	}
	if l := at("127.0.0.1", forward, "web7.example.com"); l.Place != Unsure || !strings.Contains(l.Why, "listens there") || !strings.Contains(l.Why, own) {
		t.Errorf("behind a forwarder, in another's name: %+v", l)
	}
}

// TestOwnAddress knows the addresses of this machine's interfaces.
func TestOwnAddress(t *testing.T) {
	ours := []string{"127.0.0.1:3306", "[::1]:3306", "0.0.0.0:3306", "localhost:3306"}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		ours = append(ours, net.JoinHostPort(a.(*net.IPNet).IP.String(), "3306"))
	}
	for _, address := range ours {
		if !isOwnAddress(address) {
			t.Errorf("%s is not known as ours", address)
		}
	}
	if isOwnAddress("192.0.2.1:3306") {
		t.Error("192.0.2.1 is taken for ours")
	}
}

// forwarder forwards connections until the test ends, and returns its port.
func forwarder(t *testing.T, to string) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				return
			}
			go func() { io.Copy(server, client); server.Close() }()
			go func() { io.Copy(client, server); client.Close() }()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}
