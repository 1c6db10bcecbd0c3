// Package login makes connections to MySQL servers, with what the driver leaves
// to its caller: a limit on the whole login and not only on the dial, no
// password under a key that the server offers without TLS, and error texts of a
// bounded length. The load generator dials in its own way and uses the parts.
package login

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

// defaultLimit is how long a login may take.
const defaultLimit = 10 * time.Second

// Connector logs in for database/sql.
type Connector struct {
	config   *mysql.Config
	fetchKey bool
}

// NewConnector makes a connector. The config's Timeout, 10 s when it is 0,
// bounds the whole login: dial, greeting, TLS, authentication and Params.
// fetchKey lets it take an RSA key from the server without TLS.
func NewConnector(config *mysql.Config, fetchKey bool) (*Connector, error) {
	if _, err := mysql.NewConnector(config); err != nil { // it checks the config
		return nil, err
	}
	return &Connector{config.Clone(), fetchKey}, nil
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return &mysql.MySQLDriver{} }

// Connect implements driver.Connector.
func (c *Connector) Connect(ctx context.Context) (conn driver.Conn, err error) {
	limit := c.config.Timeout
	if limit <= 0 {
		limit = defaultLimit
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var wire *watched
	defer func() {
		if v := recover(); v != nil { // the driver's way to meet a greeting that is none
			conn, err = nil, fmt.Errorf("%w: %v", ErrGarbage, v)
			if wire != nil {
				wire.Close()
			}
		}
	}()
	config := c.config.Clone() // the driver writes into it
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		var dialer net.Dialer
		dialed, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		wire = &watched{Conn: dialed, watch: Watch{FetchKey: c.fetchKey}}
		return wire, nil
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	made, err := connector.Connect(within)
	switch {
	case err == nil:
		return &cutting{made.(driverConn), wire.Conn}, nil
	case ctx.Err() == nil && within.Err() != nil:
		return nil, fmt.Errorf("no login within %s: %w", limit, within.Err())
	case wire != nil && wire.cause != nil:
		return nil, fmt.Errorf("%w: %w", CutError(err), wire.cause)
	}
	return nil, CutError(err)
}

// watched is a connection under watch. The driver reports every fault of the
// network as "invalid connection", so it keeps the first real one.
type watched struct {
	net.Conn
	watch Watch
	cause error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if n > 0 && !w.watch.Done() {
		if refused := w.watch.Received(p[:n]); refused != nil {
			n, err = 0, refused
		}
	}
	if err != nil && w.cause == nil {
		w.cause = err
	}
	return n, err
}

func (w *watched) Write(p []byte) (int, error) {
	if !w.watch.Done() {
		w.watch.Sent(p)
	}
	return w.Conn.Write(p)
}

// SyscallConn lets the driver look whether an idle connection still stands.
func (w *watched) SyscallConn() (syscall.RawConn, error) {
	return w.Conn.(syscall.Conn).SyscallConn() // a TCP or Unix connection of net
}
