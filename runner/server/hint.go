package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// Error numbers of the server, see mysqld_error.h.
const (
	errAccessDenied     = 1045
	errDatabaseDenied   = 1044
	errNoDatabase       = 1049
	errTooMany          = 1040
	errHostDenied       = 1130
	errHostBlocked      = 1129
	errTooManyOfUser    = 1226
	errNoPassword       = 1698
	errExpired          = 1820
	errSecureTransport  = 3159
	errSecureTransport2 = 4031 // MariaDB 11.4
	errUnknownVariable  = 1193
)

func (t *Target) connectError(cause error) error {
	return connectError(t.config, t.Endpoint.PasswordFrom, cause)
}

// connectError says who, where and what, and the setting that mends it. passwordFrom names where
// the password comes from, "" without one.
func connectError(config *mysql.Config, passwordFrom string, cause error) error {
	text := "connect " + config.Addr
	if config.User != "" {
		text += fmt.Sprintf(" as %q", config.User)
	}
	if unsupported := unsupportedLogin(cause); unsupported != "" {
		return fmt.Errorf("%s: %s: use an account with caching_sha2_password, mysql_native_password or ed25519", text, unsupported)
	}
	if hint := connectHint(config, passwordFrom, cause); hint != "" {
		return fmt.Errorf("%s: %w (%s)", text, cause, hint)
	}
	return fmt.Errorf("%s: %w", text, cause)
}

// unsupportedLogin says why an account cannot log in with mysweep at all, "" when the cause is
// another one. The driver's own texts name settings of its DSN, which mysweep does not take.
func unsupportedLogin(cause error) string {
	switch {
	case errors.Is(cause, mysql.ErrCleartextPassword):
		return "the account's authentication plugin asks for the password in clear text, which mysweep does not send"
	case errors.Is(cause, mysql.ErrOldPassword):
		return "the account has a password hash of before MySQL 4.1, which mysweep does not support"
	case errors.Is(cause, mysql.ErrUnknownPlugin):
		return "the account's authentication plugin is not supported by mysweep"
	}
	return ""
}

func connectHint(config *mysql.Config, passwordFrom string, cause error) string {
	var refused *mysql.MySQLError
	if errors.As(cause, &refused) {
		return refusedHint(config, passwordFrom, refused.Number)
	}
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	switch {
	case errors.As(cause, &certificate) && isOtherName(certificate.Err):
		return "use the host name of the certificate (--host), or skip host name verification: --ssl-mode verify-ca"
	case errors.As(cause, &certificate):
		return "name the authority that signed it with --ssl-ca, or skip verification: --ssl-mode required"
	case errors.Is(cause, login.ErrServerKey):
		return "encrypt the connection (--ssl-mode required), name the server's own key (--server-public-key-path FILE)," +
			" or, on a network that you trust, take the one it sends (--get-server-public-key)"
	case errors.Is(cause, context.DeadlineExceeded):
		return "it accepts connections but does not answer: is it stopped, overloaded, or not a MySQL server?"
	case errors.Is(cause, login.ErrGarbage):
		return "is this the port of a MySQL server?"
	case errors.Is(cause, mysql.ErrNoTLS):
		return "the server has no TLS: --ssl-mode preferred or disabled"
	case errors.As(cause, &alert), errors.As(cause, &record):
		return "TLS handshake failed: check --ssl-mode, --ssl-cert and --ssl-key; the server must support TLS 1.2 or newer"
	case errors.Is(cause, syscall.ENOENT) && config.Net == "unix":
		return "no such socket: is the server running? Else name its socket with --socket, or use TCP: --host 127.0.0.1"
	case errors.Is(cause, syscall.ECONNREFUSED):
		return "is the server running, and does it listen on this address (bind_address, skip_networking)?"
	case errors.Is(cause, mysql.ErrInvalidConn), errors.Is(cause, io.EOF):
		return "the server closed the connection during login: see its error log"
	}
	return ""
}

// isOtherName reports whether a certificate is valid, but for another name.
func isOtherName(err error) bool {
	var host x509.HostnameError
	var name nameError
	return errors.As(err, &host) || errors.As(err, &name)
}

func refusedHint(config *mysql.Config, passwordFrom string, number uint16) string {
	switch number {
	case errAccessDenied:
		hint := "no password was given: use --password-file, [client] in an option file, or MYSQL_PWD"
		switch {
		case passwordFrom != "":
			hint = "check --user and the password, which comes from " + passwordFrom
		case config.Passwd != "":
			hint = "check --user and the password"
		}
		// MariaDB before 11.4, and accounts with REQUIRE SSL.
		if config.TLS == nil && config.Net != "unix" {
			hint += "; a server or account that requires TLS gives the same error: --ssl-mode required"
		}
		return hint
	case errNoPassword:
		return "the account logs in without a password (plugin unix_socket or auth_socket): run mysweep as the system user of" +
			" that name and connect by socket, or use another account (--user)"
	case errDatabaseDenied, errNoDatabase:
		return fmt.Sprintf("grant the account its privileges on database %q, or use another one (--database)", config.DBName)
	case errTooMany, errTooManyOfUser:
		return "raise max_connections or the limit of the account, or use fewer threads"
	case errHostDenied:
		return "no account may log in from this host: create one (CREATE USER name@host)"
	case errHostBlocked:
		return "run FLUSH HOSTS on the server"
	case errExpired:
		return "the password has expired: change it (ALTER USER)"
	case errSecureTransport, errSecureTransport2:
		return "the server requires TLS (require_secure_transport): --ssl-mode required"
	}
	return ""
}
