package servertest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// Proxy stands between a client and real servers and changes what they say to each other, so that
// they look like servers that cannot be installed here. It speaks the protocol without TLS and
// compression.
type Proxy struct {
	// Backends are the servers' addresses; connections go to them in turn.
	Backends []string
	// Version replaces the one in the greeting; "" leaves it.
	Version string
	// Rewrite changes the text of a statement that is sent or prepared; nil leaves all as they are.
	Rewrite func(sql string) string
	// Drops reports whether the connection is closed instead of sending a statement on; nil: never.
	Drops func(sql string) bool
	// CutStream closes the connection after so many packets of what LOAD DATA LOCAL is sent; 0:
	// never.
	CutStream int

	turn atomic.Int64
}

// Serve starts the proxy on the loopback until the test ends, and returns its address.
func (p *Proxy) Serve(t testing.TB) string {
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
			go p.forward(client)
		}
	}()
	return listener.Addr().String()
}

func (p *Proxy) forward(client net.Conn) {
	defer client.Close()
	backend := p.Backends[(p.turn.Add(1)-1)%int64(len(p.Backends))]
	server, err := net.Dial("tcp", backend)
	if err != nil {
		return
	}
	defer server.Close()
	answers := bufio.NewReader(server)
	sequence, greeting, err := readPacket(answers)
	if err != nil || writePacket(client, sequence, p.greet(greeting)) != nil {
		return
	}
	go func() {
		io.Copy(client, answers)
		client.Close()
	}()
	requests := bufio.NewReader(client)
	for streamed, loading := 0, false; ; {
		sequence, body, err := readPacket(requests)
		if err != nil {
			return
		}
		const query, prepare = 0x03, 0x16
		if sequence > 0 && loading {
			if streamed++; p.CutStream > 0 && streamed > p.CutStream {
				return
			}
		}
		if sequence == 0 && len(body) > 0 && (body[0] == query || body[0] == prepare) {
			sql := string(body[1:])
			loading = strings.HasPrefix(sql, "LOAD DATA")
			if p.Drops != nil && p.Drops(sql) {
				return
			}
			if p.Rewrite != nil {
				body = append(body[:1:1], p.Rewrite(sql)...)
			}
		}
		if writePacket(server, sequence, body) != nil {
			return
		}
	}
}

// greet replaces the version, which follows the number of the protocol.
func (p *Proxy) greet(greeting []byte) []byte {
	const protocol = 10
	if p.Version == "" || len(greeting) == 0 || greeting[0] != protocol {
		return greeting
	}
	_, rest, _ := bytes.Cut(greeting[1:], []byte{0})
	changed := append([]byte{protocol}, p.Version...)
	return append(append(changed, 0), rest...)
}

func readPacket(r *bufio.Reader) (sequence byte, body []byte, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	sequence, head[3] = head[3], 0
	body = make([]byte, binary.LittleEndian.Uint32(head[:]))
	_, err = io.ReadFull(r, body)
	return sequence, body, err
}

func writePacket(w io.Writer, sequence byte, body []byte) error {
	head := make([]byte, 4, 4+len(body))
	binary.LittleEndian.PutUint32(head, uint32(len(body)))
	head[3] = sequence
	_, err := w.Write(append(head, body...))
	return err
}
