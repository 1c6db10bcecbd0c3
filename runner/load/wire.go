package load

import (
	"net"
	"time"

	"github.com/mysweep/mysweep/runner/login"
)

// wire stands between the driver and the socket of either engine. The driver reports every fault of
// the network as "invalid connection", so the wire keeps the first real cause; and it watches the
// login, in which the server tells the id by which a hung statement can be ended from another
// connection.
type wire struct {
	net.Conn
	login  login.Watch
	cause  error // the first fault of the network
	linger bool  // Close waits until the peer has closed
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
	if n > 0 && !w.login.Done() {
		if refused := w.login.Received(p[:n]); refused != nil {
			n, err = 0, refused
		}
	}
	if err != nil && w.cause == nil {
		w.cause = err
	}
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	if !w.login.Done() {
		w.login.Sent(p)
	}
	n, err := w.Conn.Write(p)
	if err != nil && w.cause == nil {
		w.cause = err
	}
	return n, err
}
