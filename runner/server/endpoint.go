package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

const (
	defaultPort           = 3306
	defaultConnectTimeout = 10 * time.Second
)

// defaultSockets are where servers of the usual distributions put theirs.
var defaultSockets = []string{
	"/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/run/mariadb/mariadb.sock", "/tmp/mysql.sock",
}

// Endpoint names an existing server as the mysql client does: no host, or
// localhost without a port, means the socket.
type Endpoint struct {
	// Host is a name, IPv4 or IPv6 with or without brackets; host:port and [host]:port too.
	Host   string
	Port   int    // 0: not given, 3306
	Socket string // empty: the first of the usual places that exists
	// User is taken literally; empty: the name of the system account.
	User     string
	Password string
	// PasswordFrom is where the password comes from, as messages name it; "": none was given. With
	// it, an empty Password is one that was given.
	PasswordFrom string
	Database     string // "" : none
	TLS          TLS
	PublicKey    string // PEM file with the server's RSA key, for passwords without TLS; "": none
	GetPublicKey bool   // without one, take the key that the server sends
	// ConnectTimeout of 0 means 10 s.
	ConnectTimeout time.Duration
	// DSN is go-sql-driver's user:password@net(addr)/db?params; the fields above override it.
	DSN string
}

// Validate returns every mistake that can be seen without asking the server.
func (e Endpoint) Validate() error {
	var mistakes []error
	if _, _, err := splitHost(e.Host, e.Port); err != nil {
		mistakes = append(mistakes, err)
	}
	if e.DSN != "" {
		if _, err := parseDSN(e.DSN); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	if len(e.Socket) > maxSocketPath {
		mistakes = append(mistakes, fmt.Errorf("invalid socket path of %d bytes: the system allows %d: use a symbolic link with a shorter path", len(e.Socket), maxSocketPath))
	}
	if err := e.TLS.validate(); err != nil {
		mistakes = append(mistakes, err)
	}
	return errors.Join(mistakes...)
}

// WithLogin takes user and password out of the DSN where the fields do not say
// them, so that they win over what is filled in later.
func (e Endpoint) WithLogin() (Endpoint, error) {
	if e.DSN == "" {
		return e, nil
	}
	parsed, err := parseDSN(e.DSN)
	if err != nil {
		return e, err
	}
	fill(&e.User, parsed.User)
	if e.PasswordFrom == "" && parsed.Passwd != "" {
		e.Password, e.PasswordFrom = parsed.Passwd, "dsn"
	}
	return e, nil
}

// Name is what the server is called in texts: its address, never its password.
func (e Endpoint) Name() string {
	config, err := e.config()
	if err != nil {
		return e.Host
	}
	return config.Addr
}

// Machine is the name of the machine that the server is on: own for a socket and
// for loopback addresses.
func (e Endpoint) Machine(own string) string {
	host, _, err := net.SplitHostPort(e.Name())
	if err != nil || strings.HasPrefix(e.Name(), "/") || host == "localhost" {
		return own
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return own
	}
	return host
}

// config fills the driver's structure. No text is put together for it to take
// apart again, so a user, password or database may have every character.
func (e Endpoint) config() (config *mysql.Config, err error) {
	config = mysql.NewConfig()
	if e.DSN != "" {
		parsed, err := parseDSN(e.DSN)
		if err != nil {
			return nil, err
		}
		config = parsed
	}
	if err := e.address(config); err != nil {
		return nil, err
	}
	if e.User != "" {
		config.User = e.User
	}
	if config.User == "" {
		if own, err := user.Current(); err == nil {
			config.User = own.Username
		}
	}
	if e.Password != "" || e.PasswordFrom != "" {
		config.Passwd = e.Password
	}
	if e.Database != "" {
		config.DBName = e.Database
	}
	config.Timeout = e.ConnectTimeout
	if config.Timeout <= 0 {
		config.Timeout = defaultConnectTimeout
	}
	config.Logger = &mysql.NopLogger{} // what it would print comes back as errors as well
	if e.PublicKey != "" {
		if config.ServerPubKey, err = login.ReadKey(e.PublicKey); err != nil {
			return nil, err
		}
	}
	return config, e.TLS.apply(config)
}

// address decides between socket and TCP.
func (e Endpoint) address(config *mysql.Config) error {
	if e.DSN != "" && e.Host == "" && e.Socket == "" && e.Port == 0 {
		return nil
	}
	host, port, err := splitHost(e.Host, e.Port)
	if err != nil {
		return err
	}
	local := host == "" || host == "localhost"
	switch {
	case local && (e.Socket != "" || port == 0):
		config.Net, config.Addr = "unix", e.Socket
		if e.Socket == "" {
			config.Addr = usualSocket()
		}
		return nil
	case host == "":
		host = "localhost"
	}
	if port == 0 {
		port = defaultPort
	}
	config.Net, config.Addr = "tcp", net.JoinHostPort(host, strconv.Itoa(port))
	return nil
}

func usualSocket() string {
	for _, path := range defaultSockets {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return defaultSockets[0]
}

// splitHost takes the brackets and a port off a host. port 0 is not given.
func splitHost(host string, port int) (string, int, error) {
	if port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("invalid port %d: must be between 1 and 65535", port)
	}
	name, rest := host, ""
	switch {
	case strings.HasPrefix(host, "["):
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return "", 0, fmt.Errorf("invalid host %q: missing ]", host)
		}
		name, rest = host[1:end], host[end+1:]
		if rest != "" && rest[0] != ':' {
			return "", 0, fmt.Errorf("invalid host %q: expected :port after ]", host)
		}
	case strings.Count(host, ":") == 1:
		name, rest, _ = strings.Cut(host, ":")
		rest = ":" + rest
	}
	if strings.ContainsAny(name, "/ @") {
		return "", 0, fmt.Errorf("invalid host %q: use --socket for a socket, --user for a user", host)
	}
	if rest == "" {
		return name, port, nil
	}
	own, err := strconv.Atoi(rest[1:])
	if err != nil || own < 1 || own > 65535 {
		return "", 0, fmt.Errorf("invalid host %q: invalid port %q", host, rest[1:])
	}
	if port != 0 && port != own {
		return "", 0, fmt.Errorf("host %q has port %d, but --port is %d: give only one of them", host, own, port)
	}
	return name, own, nil
}

// parseDSN reads go-sql-driver's form. Its errors do not repeat the text, which
// may hold a password.
func parseDSN(text string) (*mysql.Config, error) {
	const form = "expected user@tcp(host:port)/database or user@unix(/path)/database;" +
		" use --user and --password-file for a user name with : or a password with @ or /"
	if scheme, _, ok := strings.Cut(text, "://"); ok && !strings.ContainsAny(scheme, ":@/(") {
		return nil, fmt.Errorf("invalid dsn: unsupported scheme %s://: %s", scheme, form)
	}
	config, err := mysql.ParseDSN(text)
	if err != nil {
		return nil, fmt.Errorf("invalid dsn: %s: %s", strings.TrimPrefix(err.Error(), "invalid DSN: "), form)
	}
	return config, nil
}
