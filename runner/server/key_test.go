package server

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/login/logintest"
)

// Nothing that stands for us logs in under a key that the server offers without
// TLS, and the error says the ways out.
func TestOfferedKey(t *testing.T) {
	for _, mode := range logintest.Modes {
		hostile := logintest.Serve(t, mode)
		host, port, _ := net.SplitHostPort(hostile.Addr)
		number, _ := strconv.Atoi(port)
		_, err := Open(testContext(t), Endpoint{Host: host, Port: number, User: "me", Password: "secret"})
		if !errors.Is(err, login.ErrServerKey) || !strings.Contains(err.Error(), "--get-server-public-key") || !strings.Contains(err.Error(), "--ssl-mode required") {
			t.Errorf("%s: %v", mode, err)
		}
		if got := hostile.Passwords(); len(got) > 0 {
			t.Errorf("%s: the server got %q", mode, got)
		}
	}
}

// The option file's names are the mysql client's.
func TestPublicKeyOptions(t *testing.T) {
	e, err := Endpoint{}.ClientOptions(Source{Options: []Option{{Name: "server-public-key-path", Value: "/k.pem"}, {Name: "get-server-public-key", NoValue: true}}})
	if err != nil || e.PublicKey != "/k.pem" || !e.GetPublicKey || e.fetchesKey() {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := Open(testContext(t), Endpoint{Host: loopback, Port: 1, PublicKey: "/nonexistent.pem"}); err == nil || !strings.Contains(err.Error(), "server public key: open /nonexistent.pem") {
		t.Errorf("a missing key: %v", err)
	}
}

// A private MySQL server is reached without TLS by its own key; others need
// leave, or the file.
func TestPublicKeyOfMySQL(t *testing.T) {
	program := os.Getenv("MYSWEEP_TEST_MYSQLD")
	if program == "" {
		t.Skip("no MySQL: MYSWEEP_TEST_MYSQLD is not set")
	}
	s := startServer(t, Private{Mysqld: program, TCP: true})
	if s.Flavour != MySQL {
		t.Skipf("%s is no MySQL", program)
	}
	exec1(t, s.Target, "CREATE USER 'full'@'127.0.0.1' IDENTIFIED BY 'secret'")
	open := func(e Endpoint) error {
		exec1(t, s.Target, "FLUSH PRIVILEGES") // or the server remembers the password
		e.Host, e.Port, e.User, e.Password, e.TLS.Mode = loopback, s.port, "full", "secret", TLSDisabled
		target, err := Open(testContext(t), e)
		if err != nil {
			return err
		}
		defer target.Close()
		if e.GetPublicKey && target.config.ServerPubKey == "" {
			t.Error("the key is not kept for the other connections")
		}
		return nil
	}
	if err := open(Endpoint{}); !errors.Is(err, login.ErrServerKey) {
		t.Errorf("by default: %v", err)
	}
	if err := open(Endpoint{PublicKey: filepath.Join(s.Datadir(), publicKeyFile)}); err != nil {
		t.Errorf("with the file: %v", err)
	}
	if err := open(Endpoint{GetPublicKey: true}); err != nil {
		t.Errorf("with leave: %v", err)
	}
}
