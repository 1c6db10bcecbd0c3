package server

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Peer is the process at the other end of a target's connection: the server,
// or a proxy, a tunnel or whatever else forwards the port.
type Peer struct {
	Local  bool   // the other end is a socket of this machine, in this network namespace
	PID    int    // 0: not known, as for processes of other users or namespaces
	Name   string // of the process, as the kernel keeps it
	Server bool   // the process is a MySQL or MariaDB server
}

// Peer finds the process at the other end of the target's own connection.
//
// Of a Unix socket the kernel tells the process that called listen (SO_PEERCRED
// in unix(7)); under socket activation that is systemd, so any server that holds
// the listening socket comes first. Of TCP the other end of the connection is
// looked up in /proc/net/tcp and its owner among the open files of all
// processes, which only root and the server's own user may see.
func (t *Target) Peer(ctx context.Context) (Peer, error) {
	conn, err := t.observer.Conn(ctx)
	if err != nil {
		return Peer{}, t.connectError(err)
	}
	defer conn.Close()
	var peer Peer
	err = conn.Raw(func(c any) error {
		network := c.(interface{ NetConn() net.Conn }).NetConn()
		remote, isTCP := network.RemoteAddr().(*net.TCPAddr)
		if isTCP {
			peer, err = tcpPeer(network.LocalAddr().(*net.TCPAddr).AddrPort(), remote.AddrPort())
			return err
		}
		peer, err = unixPeer(network.(syscall.Conn), t.config.Addr)
		return err
	})
	if err != nil {
		err = fmt.Errorf("process behind %s: %w", t.config.Addr, err)
	}
	return peer, err
}

// unixPeer finds the process behind a Unix socket.
func unixPeer(conn syscall.Conn, path string) (Peer, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return Peer{}, err
	}
	var credentials *unix.Ucred
	var optionErr error
	if err := raw.Control(func(fd uintptr) {
		credentials, optionErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return Peer{}, err
	}
	if optionErr != nil {
		return Peer{}, optionErr
	}
	peer := peerOf(int(credentials.Pid))
	if peer.Server {
		return peer, nil
	}
	inode, err := unixListener(path)
	if err != nil {
		return peer, err
	}
	for _, pid := range holders(inode) {
		if other := peerOf(pid); other.Server {
			return other, nil
		}
	}
	return peer, nil
}

// tcpPeer finds the process that has the other end of a connection.
func tcpPeer(local, remote netip.AddrPort) (Peer, error) {
	inode, err := tcpSocket(remote, local)
	if inode == "" {
		return Peer{}, err
	}
	peer := Peer{Local: true}
	for _, pid := range holders(inode) {
		peer = peerOf(pid)
		if peer.Server {
			break
		}
	}
	return peer, nil
}

func peerOf(pid int) Peer {
	peer := Peer{Local: true, PID: pid}
	if stat, err := readStat(pid); err == nil {
		peer.Name = string(stat.Name)
	}
	_, peer.Server = serverProcess(pid)
	return peer
}

// unixListener is the inode of the socket that listens on a path, "" for none.
// Lines are "address: refs protocol flags type state inode path". The path is
// the one that was bound, so it may lead through other links.
func unixListener(path string) (inode string, err error) {
	const accepting = "00010000"
	same := resolved(path)
	err = eachLine("/proc/net/unix", func(f []string) {
		if len(f) < 8 || f[3] != accepting {
			return
		}
		if bound := strings.Join(f[7:], " "); bound == path || resolved(bound) == same {
			inode = f[6]
		}
	})
	return inode, err
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// tcpSocket is the inode of the socket of this machine with these ends, "" when
// there is none. Lines are "n: local remote state queues timer retransmits uid
// timeout inode ...".
// https://docs.kernel.org/networking/proc_net_tcp.html
func tcpSocket(local, remote netip.AddrPort) (inode string, err error) {
	for _, path := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		err = eachLine(path, func(f []string) {
			if len(f) > 9 && isAddress(f[1], local) && isAddress(f[2], remote) {
				inode = f[9]
			}
		})
		if err != nil && !os.IsNotExist(err) { // there is no tcp6 without IPv6
			return "", err
		}
	}
	return inode, nil
}

// isAddress compares an address as the kernel prints it, hexadecimal words of
// four bytes in the machine's order and a port.
func isAddress(text string, want netip.AddrPort) bool {
	address, port, _ := strings.Cut(text, ":")
	if n, err := strconv.ParseUint(port, 16, 16); err != nil || uint16(n) != want.Port() {
		return false
	}
	raw, err := hex.DecodeString(address)
	if err != nil || len(raw)%4 != 0 {
		return false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	got, ok := netip.AddrFromSlice(raw)
	return ok && got.Unmap() == want.Addr().Unmap().WithZone("")
}

// holders are the processes that have a socket open, as far as this user may see.
func holders(inode string) []int {
	link := "socket:[" + inode + "]"
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*") // its only error is a bad pattern
	var pids []int
	for _, file := range files {
		if got, err := os.Readlink(file); err != nil || got != link {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err == nil && (len(pids) == 0 || pids[len(pids)-1] != pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// eachLine hands the fields of each line of a file on.
func eachLine(path string, line func(fields []string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line(strings.Fields(lines.Text()))
	}
	return lines.Err()
}
