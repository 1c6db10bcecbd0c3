package load

import (
	"bytes"
	"encoding/binary"
	"net"
	"time"
)

// wire stands between the driver and the socket of either engine. The driver reports every fault of the network as
// "invalid connection", so the wire keeps the first real cause; and it reads the connection's id from the server's
// greeting, by which a hung statement can be ended from another connection.
type wire struct {
	net.Conn
	id     uint32 // the server's id of the connection, 0 = not known yet
	head   []byte // the greeting as far as it has come
	cause  error  // the first fault of the network
	linger bool   // Close waits until the peer has closed
}

// lingerTime bounds the wait for a peer's close.
const lingerTime = time.Second

// Close closes our end, if it is to linger after the peer has closed its own.
func (w *wire) Close() error {
	if w.linger && w.cause == nil {
		w.Conn.SetDeadline(time.Now().Add(lingerTime))
		var rest [64]byte
		for {
			if _, err := w.Conn.Read(rest[:]); err != nil {
				break
			}
		}
	}
	return w.Conn.Close()
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if w.id == 0 && n > 0 {
		w.greet(p[:n])
	}
	if err != nil && w.cause == nil {
		w.cause = err
	}
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	if err != nil && w.cause == nil {
		w.cause = err
	}
	return n, err
}

// greet reads the id from the greeting: 4 bytes packet header, 1 byte protocol version, the server's version up to a zero
// byte, 4 bytes id (MySQL documentation, Protocol::HandshakeV10).
func (w *wire) greet(p []byte) {
	const beforeVersion, longest = 5, 512
	if len(w.head) > longest {
		return // no greeting of a MySQL server
	}
	w.head = append(w.head, p...)
	if len(w.head) < beforeVersion {
		return
	}
	end := bytes.IndexByte(w.head[beforeVersion:], 0)
	if end < 0 || len(w.head) < beforeVersion+end+1+4 {
		return
	}
	w.id = binary.LittleEndian.Uint32(w.head[beforeVersion+end+1:])
	w.head = nil
}
