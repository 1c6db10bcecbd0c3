package server

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// How the load reaches a server.
const (
	TransportSocket = "socket"
	TransportTCP    = "tcp"
	TransportTLS    = "tls" // TCP with TLS; TLS over a socket stays TransportSocket, with a Cipher
)

// Target is a server that was reached: what is asked of it beside the load goes
// over one connection of its own, which is opened again when it is lost.
type Target struct {
	Endpoint   Endpoint
	Transport  string // socket, tcp or tls
	Cipher     string // of TLS, empty without
	TLSVersion string // such as TLSv1.3, empty without
	AuthPlugin string // of the account, empty when the server does not report
	Flavour    string // see flavourOf
	Version    string // major.minor.patch
	Notes      []Note

	config     *mysql.Config
	observer   *sql.DB
	session    atomic.Pointer[Session]
	statements atomic.Int64
	version    string   // as SELECT VERSION() says it
	comment    string   // @@version_comment
	untold     []string // variables that the server does not have, or does not report
}

// Open logs in and finds out how. A TLS mode of "preferred" is settled here, so
// that every connection of the load does the same. The database of the endpoint
// need not exist.
func Open(ctx context.Context, e Endpoint) (*Target, error) {
	t := &Target{Endpoint: e}
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Target) open(ctx context.Context) error {
	if err := t.Endpoint.Validate(); err != nil {
		return err
	}
	config, err := t.Endpoint.config()
	if err != nil {
		return err
	}
	t.config = config
	if err := t.connect(ctx); err != nil {
		return err
	}
	if err := t.identify(ctx); err != nil {
		t.Close()
		return err
	}
	return nil
}

func (t *Target) connect(ctx context.Context) error {
	db, err := t.pool(1)
	if err != nil {
		return t.connectError(err)
	}
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return t.connectError(err)
	}
	t.observer = db
	return nil
}

// pool gives connections without a database, so that a missing one is no fault here.
func (t *Target) pool(size int) (*sql.DB, error) { return t.poolOf(t.withSession(t.config), size) }

func (t *Target) poolOf(config *mysql.Config, size int) (*sql.DB, error) {
	config = config.Clone()
	config.DBName = ""
	connector, err := login.NewConnector(config, t.Endpoint.fetchesKey())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// identify reads what decides about the figures: kind of server and transport.
func (t *Target) identify(ctx context.Context) error {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	t.statements.Add(1)
	if err := t.observer.QueryRowContext(ctx, "SELECT VERSION() LIMIT 1").Scan(&t.version); err != nil {
		return fmt.Errorf("version of %s: %w", t.config.Addr, err)
	}
	// As the mysql client asks: ProxySQL answers this text itself.
	if err := t.ask(ctx, "version_comment", "SELECT @@version_comment LIMIT 1", &t.comment); err != nil {
		return err
	}
	t.Version, t.Flavour = serverVersion(t.version, t.comment)
	if t.Flavour == MySQL && t.isAurora(ctx) {
		t.Flavour = Aurora
	}
	if err := t.settleSession(ctx); err != nil {
		return err
	}
	if err := t.identifyTransport(ctx); err != nil {
		return err
	}
	t.keepServerKey(ctx)
	t.AuthPlugin = t.authPlugin(ctx)
	return nil
}

func (t *Target) identifyTransport(ctx context.Context) error {
	status, err := t.show(ctx, "SHOW SESSION STATUS LIKE 'Ssl\\_%'")
	if err != nil && !isRefused(err) {
		return fmt.Errorf("transport of %s: %w", t.config.Addr, err)
	}
	t.Cipher, t.TLSVersion = status["Ssl_cipher"], status["Ssl_version"]
	switch {
	case t.config.Net == "unix":
		t.Transport = TransportSocket
	case t.Cipher != "":
		t.Transport = TransportTLS
	default:
		t.Transport = TransportTCP
	}
	if t.config.AllowFallbackToPlaintext {
		t.config.AllowFallbackToPlaintext = false
		if t.Cipher == "" {
			t.config.TLS = nil
		}
	}
	return nil
}

// settleSession has the observer's session set what every other one does.
func (t *Target) settleSession(ctx context.Context) error {
	session, err := t.ReadSession(ctx)
	if err != nil || len(session.Set) == 0 {
		return err
	}
	t.Close()
	return t.connect(ctx)
}

// serverVersion takes apart what SELECT VERSION() says, such as
// 10.11.19-MariaDB-0+deb12u1 or 5.5.5-10.11.19-MariaDB behind some proxies.
func serverVersion(version, comment string) (number, flavour string) {
	flavour = flavourOf(version, comment)
	if !likeMySQL(flavour) {
		version = strings.TrimPrefix(version, "5.5.5-")
	}
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(version)
	}
	number = strings.TrimRight(version[:end], ".")
	return number, flavour
}

// authPlugin asks for the plugin of the account. Not every server and proxy answers.
func (t *Target) authPlugin(ctx context.Context) string {
	var text string
	t.statements.Add(1)
	if err := t.observer.QueryRowContext(ctx, "SHOW CREATE USER CURRENT_USER()").Scan(&text); err != nil {
		return ""
	}
	return parseAuthPlugin(text)
}

func parseAuthPlugin(text string) string {
	for _, word := range []string{" IDENTIFIED VIA ", " IDENTIFIED WITH "} {
		if _, rest, ok := strings.Cut(text, word); ok {
			plugin, _, _ := strings.Cut(strings.TrimLeft(rest, "'`"), " ")
			return strings.Trim(plugin, "'`")
		}
	}
	// The form without a plugin: IDENTIFIED BY PASSWORD, or no password.
	return "mysql_native_password"
}

// Config is how the load connects; the caller may change its copy.
func (t *Target) Config() *mysql.Config { return t.withSession(t.config) }

// Pool is for set-up work beside the measured load: connections of up to size.
// The caller closes it.
func (t *Target) Pool(size int) (*sql.DB, error) {
	db, err := t.pool(size)
	if err != nil {
		return nil, t.connectError(err)
	}
	return db, nil
}

// Statements is how many statements the observer has sent so far. The server
// counts them as well; who compares counters subtracts the difference.
func (t *Target) Statements() int64 { return t.statements.Load() }

// Close ends the observer's connection.
func (t *Target) Close() error {
	if t.observer == nil {
		return nil
	}
	err := t.observer.Close()
	t.observer = nil
	return err
}

// answerTime bounds what is asked of a server beside the load: as long as one
// that was there is waited for.
const answerTime = 30 * time.Second

func withinAnswer(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("no answer within %s", answerTime))
}

// show runs a statement of two columns, name and value.
func (t *Target) show(ctx context.Context, query string) (map[string]string, error) {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	t.statements.Add(1)
	rows, err := t.observer.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := map[string]string{}
	for rows.Next() {
		var name string
		var value sql.NullString
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		values[name] = value.String
	}
	return values, rows.Err()
}
