package server

import (
	"path/filepath"
	"strings"
	"testing"
)

// Each mode does what its name says, and what fails names the setting to change.
func TestTLSMatrix(t *testing.T) {
	without := Option{Name: "ssl", Value: "OFF"} // from 11.4 on, MariaDB makes itself a certificate
	if strings.Contains(commonServer(t).Flavour, MySQL) {
		without = Option{Name: "tls_version"} // as MySQL does
	}
	plain := startServer(t, Private{TCP: true, Options: []Option{without}})
	strict := startServer(t, Private{TCP: true, TLS: true, Options: []Option{{Name: "require_secure_transport", Value: "ON"}}})
	ca := filepath.Join(strict.Folder(), "server.pem")
	other, _, err := selfSigned()
	if err != nil {
		t.Fatal(err)
	}
	stranger := writeFile(t, filepath.Join(t.TempDir(), "other.pem"), other)
	const failed = ""
	for _, row := range []struct {
		name      string
		server    *Server
		host      string // empty: the socket
		tls       TLS
		transport string // failed: it must not connect
		cipher    bool
		want      string // of the message
	}{
		{"strict, disabled", strict, loopback, TLS{Mode: TLSDisabled}, failed, false, "--ssl-mode required"},
		{"strict, default", strict, loopback, TLS{}, TransportTLS, true, ""},
		{"strict, preferred", strict, loopback, TLS{Mode: TLSPreferred}, TransportTLS, true, ""},
		{"strict, required", strict, loopback, TLS{Mode: TLSRequired}, TransportTLS, true, ""},
		{"strict, verify-ca", strict, loopback, TLS{Mode: TLSVerifyCA, CA: ca}, TransportTLS, true, ""},
		{"strict, ca alone", strict, loopback, TLS{CA: ca}, TransportTLS, true, ""},
		{"strict, ca of another", strict, loopback, TLS{CA: stranger}, failed, false, "--ssl-ca"},
		{"strict, verify-ca without it", strict, loopback, TLS{Mode: TLSVerifyCA}, failed, false, "--ssl-ca"},
		{"strict, verify-ca of another", strict, loopback, TLS{Mode: TLSVerifyCA, CA: stranger}, failed, false, "--ssl-ca"},
		{"strict, verify-identity", strict, loopback, TLS{Mode: TLSVerifyIdentity, CA: ca}, TransportTLS, true, ""},
		{"strict, verify-identity, other name", strict, "127.0.0.2", TLS{Mode: TLSVerifyIdentity, CA: ca}, failed, false, "127.0.0.2"},
		{"strict, no such ca", strict, loopback, TLS{Mode: TLSVerifyCA, CA: "/nonexistent.pem"}, failed, false, "ssl-ca: open /nonexistent.pem"},
		{"strict, socket, disabled", strict, "", TLS{Mode: TLSDisabled}, TransportSocket, false, ""},
		{"strict, socket, preferred", strict, "", TLS{Mode: TLSPreferred}, TransportSocket, false, ""},
		{"strict, socket, required", strict, "", TLS{Mode: TLSRequired}, TransportSocket, true, ""},
		{"plain, disabled", plain, loopback, TLS{Mode: TLSDisabled}, TransportTCP, false, ""},
		{"plain, preferred", plain, loopback, TLS{Mode: TLSPreferred}, TransportTCP, false, ""},
		{"plain, required", plain, loopback, TLS{Mode: TLSRequired}, failed, false, "--ssl-mode preferred or disabled"},
		{"plain, verify-ca", plain, loopback, TLS{Mode: TLSVerifyCA, CA: ca}, failed, false, "--ssl-mode preferred or disabled"},
		{"plain, socket, preferred", plain, "", TLS{Mode: TLSPreferred}, TransportSocket, false, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := Endpoint{Host: row.host, Port: row.server.port, User: privateUser, Password: row.server.password, TLS: row.tls}
			if row.host == "" {
				e.Port, e.Socket = 0, row.server.folder.socket
			}
			target, err := Open(testContext(t), e)
			if err != nil {
				if row.transport != failed || !strings.Contains(err.Error(), row.want) {
					t.Errorf("got %v, want %q %q", err, row.transport, row.want)
				}
				return
			}
			defer target.Close()
			if target.Transport != row.transport || (target.Cipher != "") != row.cipher {
				t.Errorf("got %q with cipher %q, want %q", target.Transport, target.Cipher, row.transport)
			}
			// Every later connection does the same.
			db, err := target.Pool(1)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var name, cipher string
			if err := db.QueryRowContext(testContext(t), "SHOW SESSION STATUS LIKE 'Ssl_cipher'").Scan(&name, &cipher); err != nil || (cipher != "") != row.cipher {
				t.Errorf("a later connection has cipher %q, %v", cipher, err)
			}
		})
	}
}
