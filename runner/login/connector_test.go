package login_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/login/logintest"
)

func config(addr string) *mysql.Config {
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd = "tcp", addr, "me", "secret"
	c.Logger = &mysql.NopLogger{}
	return c
}

// connect logs in once.
func connect(t *testing.T, c *mysql.Config, fetchKey bool) error {
	t.Helper()
	connector, err := login.NewConnector(c, fetchKey)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connector.Connect(t.Context())
	if err == nil {
		conn.Close()
	}
	return err
}

// TestOfferedKey: a server gets no password under a key that it offers without TLS, however it
// asks, unless it may.
func TestOfferedKey(t *testing.T) {
	pemFile := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(pemFile, []byte(otherKey), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := login.ReadKey(pemFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range logintest.Modes {
		for _, key := range []string{"", known} {
			hostile := logintest.Serve(t, mode)
			c := config(hostile.Addr)
			c.ServerPubKey = key
			err := connect(t, c, false)
			if key == "" && !errors.Is(err, login.ErrServerKey) || err == nil {
				t.Errorf("%s, key %.9s: %v", mode, key, err)
			}
			if got := hostile.Passwords(); len(got) > 0 {
				t.Errorf("%s, key %.9s: the server got %q", mode, key, got)
			}
		}
	}
	// The test would see it.
	hostile := logintest.Serve(t, logintest.FullAuth)
	connect(t, config(hostile.Addr), true)
	if got := hostile.Passwords(); len(got) != 1 || strings.TrimRight(got[0], "\x00") != "secret" {
		t.Errorf("with leave to take the key, the server got %q", got)
	}
}

// TestLimit: a server that accepts and says nothing, stops within the greeting, or is slow, does
// not hold up the login.
func TestLimit(t *testing.T) {
	for name, talk := range map[string]func(net.Conn){
		"silent": func(net.Conn) {},
		"stops":  func(conn net.Conn) { io.WriteString(conn, "\x4a\x00\x00\x00\x0a8.0") },
		"drips": func(conn net.Conn) {
			for {
				if _, err := io.WriteString(conn, "\x4a\x00\x00\x00\x0a8.0.3000000"[:1]); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		},
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				talk(conn)
				defer conn.Close()
			}
		}()
		c := config(listener.Addr().String())
		c.Timeout = 200 * time.Millisecond
		began := time.Now()
		err = connect(t, c, false)
		if took := time.Since(began); err == nil || took > 5*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
		if name == "silent" && (!errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no login within 200ms")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGarbage: what is no MySQL server is told as such, and endless packets are not read.
func TestGarbage(t *testing.T) {
	for _, text := range []string{
		"HTTP/1.1 400 Bad Request\r\n\r\n",
		"\x05\x00\x00\x00\x0a5.5\x00", // a greeting that ends too soon
		"\xff\xff\xff\x00" + strings.Repeat("\x0aA", 1<<20),
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			if conn, err := listener.Accept(); err == nil {
				io.WriteString(conn, text)
				io.Copy(io.Discard, conn)
			}
		}()
		c := config(listener.Addr().String())
		c.Timeout = 2 * time.Second
		if err := connect(t, c, false); !errors.Is(err, login.ErrGarbage) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestLongErrors: the text of a server's error is cut, whatever was asked.
func TestLongErrors(t *testing.T) {
	long := &mysql.MySQLError{Number: 1105, Message: strings.Repeat("\u00e4", 3<<20)}
	if err := login.CutError(long); len(err.Error()) > 1100 || !strings.HasSuffix(err.Error(), "\u00e4...") {
		t.Errorf("%d bytes", len(err.Error()))
	}
	if err := login.CutError(io.EOF); err != io.EOF {
		t.Errorf("another error became %v", err)
	}
	connector, err := login.NewConnector(config(logintest.Serve(t, logintest.LongErrors).Addr), false)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for name, ask := range map[string]func() error{
		"exec":    func() error { _, err := db.Exec("DO 1"); return err },
		"query":   func() error { _, err := db.Query("SELECT 1"); return err },
		"prepare": func() error { _, err := db.Prepare("SELECT ?"); return err },
		"args":    func() error { _, err := db.Exec("DO ?", 1); return err },
		"begin":   func() error { _, err := db.Begin(); return err },
		"ping":    func() error { return db.Ping() },
	} {
		var server *mysql.MySQLError
		if err := ask(); !errors.As(err, &server) || len(err.Error()) > 1100 {
			t.Errorf("%s: an error of %d bytes, %.80v", name, len(err.Error()), err)
		}
	}
}

// otherKey is the RSA key of another server.
const otherKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnxucfQl3U3uINMVtLllU
6lVR00GyF3sIdDSxIxg+qwE8OwCEoZNdKNffkdQGhm9o2UvSkemUXTumkKFOXzW3
mSCoRGCP9JoY/5OZDQn/JJN7rrN9KjtwACwpX8IYzhC1u98VTM/TcfpEgQpb83uC
6WQuUzn/zCZdTVwMAF7ZKz/T6SrLmRfJL8Es0JSaU+O+Aulu+BtpiUQlw+pvc2Tl
Cq+S6nuSp7NDTXEIO72k5JnD3QYjU14VZjJtdNpFYmAcT1cjfjwu6iIc5LyaGgiv
mnLjR+LmbOOhGcWl9Y+493r+Oqff7spubkiEg+XvER8hlmoQkghZ+1klHidul4FD
ywIDAQAB
-----END PUBLIC KEY-----
`
