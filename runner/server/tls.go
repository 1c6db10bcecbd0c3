package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// TLSMode is what the mysql client calls --ssl-mode.
type TLSMode string

// The modes. The empty mode is TLSPreferred, or what a DSN says.
const (
	TLSDisabled TLSMode = "disabled" // never
	// TLS where the server offers it, but not over a socket. The certificate is not verified.
	TLSPreferred TLSMode = "preferred"
	TLSRequired  TLSMode = "required"  // always; the certificate is not looked at
	TLSVerifyCA  TLSMode = "verify-ca" // always, with a certificate that the CA has signed
	// The certificate must also name the host.
	TLSVerifyIdentity TLSMode = "verify-identity"
)

// ParseTLSMode reads a mode in the mysql client's spellings.
func ParseTLSMode(text string) (TLSMode, error) {
	mode := TLSMode(strings.ReplaceAll(strings.ToLower(text), "_", "-"))
	switch mode {
	case "", TLSDisabled, TLSPreferred, TLSRequired, TLSVerifyCA, TLSVerifyIdentity:
		return mode, nil
	}
	return "", fmt.Errorf("invalid ssl-mode %q: expected disabled, preferred, required, verify-ca or verify-identity", text)
}

// TLS is how a connection is encrypted. The files are PEM; without CA the
// machine's own authorities count.
type TLS struct {
	Mode          TLSMode
	CA, Cert, Key string
}

func (t TLS) validate() error {
	_, err := ParseTLSMode(string(t.Mode))
	if (t.Cert == "") != (t.Key == "") {
		err = errors.Join(err, errors.New("ssl-cert and ssl-key: both are required"))
	}
	return err
}

// apply sets the driver's TLS. It looks at the address, so that comes first.
func (t TLS) apply(config *mysql.Config) error {
	mode := t.Mode
	if mode == "" {
		if config.TLSConfig != "" { // the DSN said it
			return nil
		}
		mode = TLSPreferred
		if t.CA != "" { // as the mysql client: a CA that is named is looked at
			mode = TLSVerifyCA
		}
	}
	config.TLS, config.TLSConfig, config.AllowFallbackToPlaintext = nil, "", false
	if mode == TLSDisabled || mode == TLSPreferred && config.Net == "unix" {
		return nil
	}
	// The name is for servers with several certificates, and for proxies that choose the server by
	// it. An address is not sent.
	settings := &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12, ServerName: hostOf(config)}
	if err := t.files(settings); err != nil {
		return err
	}
	switch mode {
	case TLSPreferred:
		config.AllowFallbackToPlaintext = true
	case TLSVerifyCA, TLSVerifyIdentity:
		// InsecureSkipVerify only turns off the check that Go would make, which
		// cannot leave out the name and knows no common names.
		settings.VerifyConnection = func(state tls.ConnectionState) error {
			return verify(state, settings.RootCAs, identity(mode, config))
		}
	}
	config.TLS = settings
	return nil
}

// Check reads the files, so that a wrong one is an error before the server is contacted.
func (t TLS) Check() error { return t.files(&tls.Config{}) }

func (t TLS) files(settings *tls.Config) error {
	if t.CA != "" {
		pem, err := os.ReadFile(t.CA)
		if err != nil {
			return fmt.Errorf("ssl-ca: %w", err)
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("ssl-ca %s: no PEM certificate found", t.CA)
		}
	}
	if t.Cert != "" {
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return fmt.Errorf("ssl-cert %s and ssl-key %s: %w", t.Cert, t.Key, err)
		}
		settings.Certificates = []tls.Certificate{pair}
	}
	return nil
}

// identity is the name that the certificate must bear, empty for any.
func identity(mode TLSMode, config *mysql.Config) string {
	if mode != TLSVerifyIdentity {
		return ""
	}
	return hostOf(config)
}

// hostOf is the host of an address, localhost for a socket.
func hostOf(config *mysql.Config) string {
	host, _, err := net.SplitHostPort(config.Addr)
	if err != nil {
		return "localhost"
	}
	return host
}

func verify(state tls.ConnectionState, roots *x509.CertPool, name string) error {
	leaf := state.PeerCertificates[0]
	options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
	for _, certificate := range state.PeerCertificates[1:] {
		options.Intermediates.AddCert(certificate)
	}
	if _, err := leaf.Verify(options); err != nil {
		return &tls.CertificateVerificationError{UnverifiedCertificates: state.PeerCertificates, Err: err}
	}
	if name == "" {
		return nil
	}
	// Certificates that servers make for themselves have a common name only.
	bare := len(leaf.DNSNames)+len(leaf.IPAddresses) == 0
	if bare && strings.EqualFold(leaf.Subject.CommonName, name) {
		return nil
	}
	if err := leaf.VerifyHostname(name); err != nil {
		if bare {
			err = nameError{leaf.Subject.CommonName, name}
		}
		return &tls.CertificateVerificationError{UnverifiedCertificates: state.PeerCertificates, Err: err}
	}
	return nil
}

// nameError tells a certificate that bears another name.
type nameError struct{ is, asked string }

func (e nameError) Error() string {
	return fmt.Sprintf("the certificate is for %q, not for %q", e.is, e.asked)
}

// mariadbTLS reads MariaDB's own options: ssl switches it, and
// ssl-verify-server-cert adds the check of the name.
func mariadbTLS(option Option, before TLSMode) TLSMode {
	name := option.canonical()
	off := strings.HasPrefix(name, "skip_") || strings.HasPrefix(name, "disable_")
	switch strings.ToLower(option.Value) {
	case "0", "off", "false":
		off = !off
	}
	verifies := strings.HasSuffix(name, "verify_server_cert")
	switch {
	case verifies && off:
		return before
	case verifies:
		return TLSVerifyIdentity
	case off:
		return TLSDisabled
	case before == TLSVerifyIdentity:
		return before
	}
	return TLSRequired
}
