package server

import (
	"os"
	"strings"
	"testing"
)

// Oracle's MySQL, beside whatever server the other tests found.
func TestMySQL(t *testing.T) {
	mysqld := os.Getenv("MYSWEEP_TEST_MYSQLD")
	if mysqld == "" {
		t.Skip("MYSWEEP_TEST_MYSQLD names no mysqld")
	}
	ctx := testContext(t)
	s := startServer(t, Private{Mysqld: mysqld, TCP: true, MaxConnections: 60, Options: []Option{{Name: "performance_schema", Value: "OFF"}}})
	if s.Flavour != MySQL || s.Binary.Flavour != MySQL || s.Version != s.Binary.Version || s.Transport != TransportTCP {
		t.Errorf("%+v: %s %s over %s", s.Binary, s.Flavour, s.Version, s.Transport)
	}
	if _, ok := serverProcess(s.PID()); !ok {
		t.Errorf("pid %d is no server", s.PID())
	}
	for query, want := range map[string]string{
		"SELECT @@GLOBAL.max_connections":    "60",
		"SELECT @@GLOBAL.performance_schema": "0",
		"SELECT @@secure_file_priv":          "NULL", // no folder outside of ours
		"SELECT PLUGIN_STATUS FROM information_schema.PLUGINS WHERE PLUGIN_NAME='mysqlx'": "DISABLED",
	} {
		if got := ask(t, s.Target, query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}

	// Logging in for the first time takes the server's key without TLS, later ones its cache.
	exec1(t, s.Target, `CREATE USER 'u:x'@'localhost' IDENTIFIED WITH caching_sha2_password BY 'p@ss:w/o#r?d&x=1%41'`)
	e := Endpoint{Host: loopback, Port: s.port, User: "u:x", Password: "p@ss:w/o#r?d&x=1%41"}
	e.TLS.Mode = TLSDisabled
	if _, err := Open(ctx, e); err == nil || !contains(err, "--get-server-public-key") {
		t.Errorf("the server's key was taken without being asked for: %v", err)
	}
	e.GetPublicKey = true
	for _, row := range []struct {
		mode      TLSMode
		transport string
	}{{TLSDisabled, TransportTCP}, {TLSDisabled, TransportTCP}, {TLSPreferred, TransportTLS}, {TLSRequired, TransportTLS}} {
		e.TLS.Mode = row.mode
		target, err := Open(ctx, e)
		if err != nil {
			t.Errorf("%s: %v", row.mode, err)
			continue
		}
		if target.Transport != row.transport || target.AuthPlugin != "caching_sha2_password" {
			t.Errorf("%s: %s, %s", row.mode, target.Transport, target.AuthPlugin)
		}
		target.Close()
	}
	exec1(t, s.Target, "SET GLOBAL require_secure_transport=ON")
	e.TLS.Mode = TLSDisabled
	if _, err := Open(ctx, e); err == nil || !strings.Contains(err.Error(), "3159") || !contains(err, "--ssl-mode required") {
		t.Errorf("without TLS: %v", err)
	}
	exec1(t, s.Target, "SET GLOBAL require_secure_transport=OFF")

	undo, err := s.SetGlobal(ctx, []Option{{Name: "innodb_io_capacity", Value: "333"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := undo(ctx); err != nil {
		t.Error(err)
	}
	if err := s.Restart(ctx, nil); err != nil {
		t.Error(err)
	}
}
