package login

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrServerKey says that the server wants the password encrypted with an RSA key
// that it sends itself, over a connection without TLS. Whoever answers on the
// network could send a key of its own, and decrypt the password.
var ErrServerKey = errors.New("the server offers an RSA key for the password on a connection without TLS")

// ErrGarbage says that what answers speaks no MySQL protocol.
var ErrGarbage = errors.New("the server's answer is no MySQL packet")

const (
	packetHead   = 4        // bytes: length (3, little endian) and sequence number
	maxLogin     = 64 << 10 // bytes of a packet during the login; real ones have hundreds
	maxGreeting  = 512      // bytes in which the greeting's connection id is found
	longestProof = 2        // bytes of caching_sha2_password's own AuthMoreData, 0x01 and a status
	sslRequest   = 32       // bytes of the packet with which the client begins TLS
	clientSSL    = 0x0800   // its capability flag
)

// First bytes of the server's packets (MySQL documentation, Connection Phase Packets).
const (
	packetOK       = 0x00
	packetAuthMore = 0x01
	packetError    = 0xff
)

// Watch follows the packets of a connection until it is logged in or TLS
// begins. It reads the connection's id from the greeting, and finds a key that
// the server offers: the driver has no setting to refuse one, and for
// sha256_password it takes the offered key even when it was given another.
type Watch struct {
	FetchKey bool // a key may be taken from the server

	id       uint32
	done     bool
	packets  int // that the server has begun to send
	head     [packetHead + 1]byte
	have     int // bytes of head
	rest     int // bytes of the present packet that are to come
	greeting []byte
}

// ID is the server's id of the connection, 0 as long as it is not known.
func (w *Watch) ID() uint32 { return w.id }

// Done reports whether there is nothing more to watch.
func (w *Watch) Done() bool { return w.done }

// Received takes what has come from the server. After an error the driver must
// not see it.
func (w *Watch) Received(p []byte) error {
	for len(p) > 0 && !w.done {
		if w.have < len(w.head) {
			n := copy(w.head[w.have:], p)
			w.have += n
			p = p[n:]
			if w.have < len(w.head) {
				return nil
			}
			if err := w.begins(); err != nil {
				return err
			}
		}
		n := min(len(p), w.rest)
		if w.packets == 1 {
			w.greet(p[:n])
		}
		w.rest -= n
		p = p[n:]
		if w.rest == 0 {
			w.have = 0
		}
	}
	return nil
}

// begins looks at a packet of which the header and the first byte are there.
func (w *Watch) begins() error {
	length := int(w.head[0]) | int(w.head[1])<<8 | int(w.head[2])<<16
	if length == 0 || length > maxLogin {
		return fmt.Errorf("%w: %d bytes in one packet of the login", ErrGarbage, length)
	}
	w.packets++
	w.rest = length - 1
	first := w.head[packetHead]
	switch {
	case first == packetError:
		w.done = true
	case w.packets == 1:
		w.greet(w.head[packetHead:])
	case first == packetOK:
		w.done = true
	case first == packetAuthMore && length > longestProof && !w.FetchKey:
		return ErrServerKey
	}
	return nil
}

// greet reads the id from the greeting: 1 byte protocol version, the server's
// version up to a zero byte, 4 bytes id (Protocol::HandshakeV10).
func (w *Watch) greet(p []byte) {
	if w.id != 0 || len(w.greeting) > maxGreeting {
		return
	}
	w.greeting = append(w.greeting, p...)
	if end := bytes.IndexByte(w.greeting[1:], 0); end >= 0 && len(w.greeting) >= 1+end+1+4 {
		w.id = binary.LittleEndian.Uint32(w.greeting[1+end+1:])
		w.greeting = nil
	}
}

// Sent takes what goes to the server: after the request for TLS, what comes is
// encrypted.
func (w *Watch) Sent(p []byte) {
	if w.packets == 1 && len(p) == packetHead+sslRequest && binary.LittleEndian.Uint16(p[packetHead:])&clientSSL != 0 {
		w.done = true
	}
}
