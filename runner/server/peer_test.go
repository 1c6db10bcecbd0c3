package server

import (
	"context"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Over a socket and over TCP, the other end of our connection is the server.
func TestPeer(t *testing.T) {
	s := commonServer(t)
	socket := s.Endpoint
	socket.Host, socket.Port = "", 0
	for _, option := range s.Options() {
		if option.Name == "socket" {
			socket.Socket = option.Value
		}
	}
	for _, e := range []Endpoint{s.Endpoint, socket} {
		target, err := Open(testContext(t), e)
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		peer, err := target.Peer(testContext(t))
		if want := (Peer{Local: true, PID: s.PID(), Name: peer.Name, Server: true}); err != nil || peer != want {
			t.Errorf("%s: %+v %v, want %+v", e.Name(), peer, err, want)
		}
	}
}

// A process that is no server is told from one; a connection elsewhere has no
// end on this machine.
func TestPeerOfOthers(t *testing.T) {
	for _, network := range []string{"tcp4", "tcp6", "unix"} {
		address := map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0", "unix": filepath.Join(t.TempDir(), "s")}[network]
		listener, err := net.Listen(network, address)
		if err != nil {
			t.Log(err) // no IPv6 here
			continue
		}
		defer listener.Close()
		conn, err := net.Dial(network, listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		accepted, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
		var peer Peer
		if network == "unix" {
			peer, err = unixPeer(conn.(syscall.Conn), address)
		} else {
			peer, err = tcpPeer(conn.LocalAddr().(*net.TCPAddr).AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort())
		}
		if want := (Peer{Local: true, PID: os.Getpid(), Name: peer.Name}); err != nil || peer != want {
			t.Errorf("%s: %+v %v, want %+v", network, peer, err, want)
		}
	}
	elsewhere := netip.MustParseAddrPort("192.0.2.1:3306")
	if peer, err := tcpPeer(netip.MustParseAddrPort("192.0.2.2:50000"), elsewhere); err != nil || peer != (Peer{}) {
		t.Errorf("elsewhere: %+v %v", peer, err)
	}
}

// Under socket activation another process listens, and the server holds the
// socket that it was given.
func TestPeerOfActivatedServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	file, err := listener.(*net.UnixListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sleep, err := os.ReadFile("/bin/sleep")
	if err != nil {
		t.Skip(err)
	}
	program := filepath.Join(t.TempDir(), "mariadbd")
	if err := os.WriteFile(program, sleep, 0o755); err != nil {
		t.Fatal(err)
	}
	process, err := os.StartProcess(program, []string{program, "60"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil, file}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { process.Kill(); process.Wait() }()
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	peer, err := unixPeer(conn.(syscall.Conn), path)
	if want := (Peer{Local: true, PID: process.Pid, Name: "mariadbd", Server: true}); err != nil || peer != want {
		t.Errorf("%+v %v, want %+v", peer, err, want)
	}
}

// The server's process is found by its connection, and by its pid file where
// something else forwards the connection.
func TestProcess(t *testing.T) {
	s := commonServer(t)
	if got, err := s.Process(testContext(t)); err != nil || got.PID != s.PID() || !got.Alive() {
		t.Errorf("%+v %v, want %d", got, err, s.PID())
	}
	if got, err := s.namedProcess(testContext(t)); err != nil || got != s.PID() {
		t.Errorf("pid file: %d %v, want %d", got, err, s.PID())
	}
	if (Running{PID: os.Getpid(), start: 1}).Alive() || (Running{}).Alive() {
		t.Error("a process with another start is called alive")
	}
	forwarded := s.Endpoint
	forwarded.Socket, forwarded.Host, forwarded.Port = "", "127.0.0.1", forward(t, s.Endpoint.Port)
	target, err := Open(testContext(t), forwarded)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	if peer, err := target.Peer(testContext(t)); err != nil || !peer.Local || peer.Server || peer.PID != os.Getpid() {
		t.Errorf("through a proxy: %+v %v", peer, err)
	}
	if got, err := target.Process(testContext(t)); err != nil || got.PID != s.PID() {
		t.Errorf("through a proxy: %+v %v, want %d", got, err, s.PID())
	}
}

// forward passes connections on to a port of this machine.
func forward(t *testing.T, port int) int {
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
			server, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
			if err != nil {
				client.Close()
				continue
			}
			go func() { io.Copy(server, client); server.Close() }()
			go func() { io.Copy(client, server); client.Close() }()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}
