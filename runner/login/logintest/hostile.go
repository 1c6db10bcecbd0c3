// Package logintest is a server for tests that tries to get at passwords: on
// connections without TLS it offers an RSA key of its own.
package logintest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"io"
	"net"
	"sync"
	"testing"
)

// Mode is how a hostile server asks.
type Mode string

// The ways to ask for a password.
const (
	FullAuth      Mode = "caching_sha2_password asks for full authentication"
	Switch        Mode = "the server switches to sha256_password"
	Greeting      Mode = "the greeting names sha256_password"
	KeyUnasked    Mode = "sha256_password, and an unrequested key"
	InOnePiece    Mode = "the switch and the key come in one piece"
	ByteAfterByte Mode = "the key comes byte after byte"
	LongErrors    Mode = "anybody is let in, and each statement fails with a text of 5 MB"
)

// Modes are those that offer a key.
var Modes = []Mode{FullAuth, Switch, Greeting, KeyUnasked, InOnePiece, ByteAfterByte}

var scramble = []byte("abcdefghijklmnopqrst")

// Hostile is a server that offers its own key.
type Hostile struct {
	Addr string

	mode Mode
	key  *rsa.PrivateKey
	mu   sync.Mutex
	got  []string // passwords
}

// Serve starts a hostile server on the loopback, until the test ends.
func Serve(t *testing.T, mode Mode) *Hostile {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	h := &Hostile{Addr: listener.Addr().String(), mode: mode, key: key}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				h.ask(conn)
			}()
		}
	}()
	return h
}

// Passwords are those that it got.
func (h *Hostile) Passwords() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.got
}

func packet(sequence byte, body []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	head[3] = sequence
	return append(head, body...)
}

func receive(r io.Reader) (sequence byte, body []byte, err error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, nil, err
	}
	body = make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	_, err = io.ReadFull(r, body)
	return head[3], body, err
}

// greeting is that of a server without TLS (Protocol::HandshakeV10).
func greeting(plugin string) []byte {
	const clientCompress, clientSSL = 1 << 5, 1 << 11
	capabilities := uint32(0xffffffff &^ (clientCompress | clientSSL))
	body := append([]byte("\x0a8.0.30\x00"), 7, 0, 0, 0)
	body = append(append(body, scramble[:8]...), 0)
	body = binary.LittleEndian.AppendUint16(body, uint16(capabilities))
	body = append(body, 45, 2, 0)
	body = binary.LittleEndian.AppendUint16(body, uint16(capabilities>>16))
	body = append(append(body, 21), make([]byte, 10)...)
	body = append(append(body, scramble[8:]...), 0)
	return append(append(body, plugin...), 0)
}

func (h *Hostile) ask(conn net.Conn) {
	plugin := "caching_sha2_password"
	if h.mode == Greeting {
		plugin = "sha256_password"
	}
	conn.Write(packet(0, greeting(plugin)))
	r := bufio.NewReader(conn)
	sequence, _, err := receive(r)
	if err != nil {
		return
	}
	public, _ := x509.MarshalPKIXPublicKey(&h.key.PublicKey) // never fails for RSA
	offer := append([]byte{1}, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})...)
	toSHA256 := append(append([]byte("\xfesha256_password\x00"), scramble...), 0)
	switch h.mode {
	case LongErrors:
		conn.Write(packet(sequence+1, []byte{0, 0, 0, 2, 0, 0, 0}))
		// 1105 ER_UNKNOWN_ERROR.
		refusal := append([]byte("\xff\x51\x04#HY000"), bytes.Repeat([]byte("x"), 5<<20)...)
		for err == nil {
			_, _, err = receive(r)
			conn.Write(packet(1, refusal))
		}
		return
	case FullAuth:
		conn.Write(packet(sequence+1, []byte{1, 4}))
		sequence, _, _ = receive(r)
	case Switch, KeyUnasked:
		conn.Write(packet(sequence+1, toSHA256))
		sequence, _, _ = receive(r)
	case InOnePiece:
		conn.Write(append(packet(sequence+1, toSHA256), packet(sequence+3, offer)...))
		receive(r)
		h.keep(r)
		return
	case ByteAfterByte:
		for _, b := range packet(sequence+1, offer) {
			conn.Write([]byte{b})
		}
		h.keep(r)
		return
	}
	conn.Write(packet(sequence+1, offer))
	h.keep(r)
}

// keep decrypts what comes next, if it is a password.
func (h *Hostile) keep(r io.Reader) {
	_, encrypted, err := receive(r)
	if err != nil {
		return
	}
	plain, err := rsa.DecryptOAEP(sha1.New(), rand.Reader, h.key, encrypted, nil)
	if err != nil {
		return
	}
	for i := range plain {
		plain[i] ^= append(scramble, 0)[i%(len(scramble)+1)]
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, string(plain))
}
