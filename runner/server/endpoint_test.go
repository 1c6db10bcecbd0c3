package server

import (
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

func TestEndpointAddress(t *testing.T) {
	usual := usualSocket()
	for _, row := range []struct {
		endpoint  Endpoint
		net, addr string
	}{
		{Endpoint{}, "unix", usual},
		{Endpoint{Host: "localhost"}, "unix", usual}, // as the mysql client
		{Endpoint{Socket: "/s"}, "unix", "/s"},
		{Endpoint{Host: "localhost", Socket: "/s"}, "unix", "/s"},
		{Endpoint{Host: "localhost", Port: 3307}, "tcp", "localhost:3307"}, // a port means TCP
		{Endpoint{Port: 3307}, "tcp", "localhost:3307"},
		{Endpoint{Host: "localhost", Port: 3307, Socket: "/s"}, "unix", "/s"},
		// Another machine has no socket here.
		{Endpoint{Host: "db1", Socket: "/s"}, "tcp", "db1:3306"},
		{Endpoint{Host: "127.0.0.1"}, "tcp", "127.0.0.1:3306"},
		{Endpoint{Host: "db1:3307"}, "tcp", "db1:3307"},
		{Endpoint{Host: "db1:3307", Port: 3307}, "tcp", "db1:3307"},
		{Endpoint{Host: "::1"}, "tcp", "[::1]:3306"},
		{Endpoint{Host: "[::1]"}, "tcp", "[::1]:3306"},
		{Endpoint{Host: "[::1]:3307"}, "tcp", "[::1]:3307"},
		{Endpoint{Host: "2001:db8::3306", Port: 3307}, "tcp", "[2001:db8::3306]:3307"},
		{Endpoint{Host: "fe80::1%eth0"}, "tcp", "[fe80::1%eth0]:3306"},
		{Endpoint{DSN: "u:p@tcp(db1:3307)/d"}, "tcp", "db1:3307"},
		{Endpoint{DSN: "u:p@tcp([::1]:3307)/d"}, "tcp", "[::1]:3307"},
		{Endpoint{DSN: "u:p@unix(/s)/d"}, "unix", "/s"},
		{Endpoint{DSN: "u:p@tcp(db1:3307)/d", Host: "db2"}, "tcp", "db2:3306"}, // a flag wins
	} {
		config, err := row.endpoint.config()
		if err != nil || config.Net != row.net || config.Addr != row.addr {
			t.Errorf("%+v: got %s %s %v, want %s %s", row.endpoint, config.Net, config.Addr, err, row.net, row.addr)
		}
	}
}

func TestEndpointValidate(t *testing.T) {
	for _, row := range []struct {
		endpoint Endpoint
		want     string
	}{
		{Endpoint{Port: -1}, "port -1"},
		{Endpoint{Port: 70000}, "port 70000"},
		{Endpoint{Host: "[::1"}, "missing ]"},
		{Endpoint{Host: "[::1]x"}, "expected :port after ]"},
		{Endpoint{Host: "db1:x"}, `invalid port "x"`},
		{Endpoint{Host: "db1:3306", Port: 3307}, "give only one of them"},
		{Endpoint{Host: "/run/mysqld.sock"}, "--socket"},
		{Endpoint{Socket: "/" + strings.Repeat("s", 107)}, "invalid socket path of 108 bytes: the system allows 107"},
		{Endpoint{Host: "me@db1"}, "--user"},
		{Endpoint{DSN: "mysql://u:hidden@db1/d"}, "unsupported scheme mysql://"},
		{Endpoint{DSN: "u:hidden@db1"}, "dsn:"},
		{Endpoint{DSN: "u:hidden@tcp(db1)/d?timeout=x"}, "dsn:"},
		{Endpoint{TLS: TLS{Mode: "maybe"}}, `ssl-mode "maybe"`},
		{Endpoint{TLS: TLS{Cert: "c.pem"}}, "ssl-cert and ssl-key: both are required"},
	} {
		err := row.endpoint.Validate()
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%+v: got %v, want %q", row.endpoint, err, row.want)
		}
	}
	all := Endpoint{Port: -1, DSN: "x", TLS: TLS{Mode: "maybe"}}.Validate()
	if n := strings.Count(all.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d of 3 mistakes: %v", n, all)
	}
}

func TestClientOptions(t *testing.T) {
	file := []Option{
		{Name: "user", Value: "filed"}, {Name: "password", Value: "p@ss:w/o#r?d&x=1%41"}, {Name: "host", Value: "db1"}, {Name: "port", Value: "3307"},
		{Name: "ssl-ca", Value: "/ca"}, {Name: "ssl-mode", Value: "VERIFY_CA"}, {Name: "default-character-set", Value: "utf8mb4"},
	}
	got, err := Endpoint{User: "flag", Host: "db2"}.ClientOptions(Source{"option file x", file})
	if err != nil {
		t.Fatal(err)
	}
	want := Endpoint{User: "flag", Host: "db2", Port: 3307, Password: "p@ss:w/o#r?d&x=1%41", PasswordFrom: "option file x", TLS: TLS{Mode: TLSVerifyCA, CA: "/ca"}}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	for _, row := range []struct {
		name, value string
		switched    bool
		want        TLSMode
	}{
		{"ssl", "", true, TLSRequired},
		{"ssl", "0", false, TLSDisabled},
		{"skip-ssl", "", true, TLSDisabled},
		{"ssl-verify-server-cert", "", true, TLSVerifyIdentity},
		{"ssl-verify-server-cert", "OFF", false, ""},
		{"ssl-mode", "REQUIRED", false, TLSRequired},
	} {
		got, err := Endpoint{}.ClientOptions(Source{Options: []Option{{Name: row.name, Value: row.value, NoValue: row.switched}}})
		if err != nil || got.TLS.Mode != row.want {
			t.Errorf("%s=%s: %q %v", row.name, row.value, got.TLS.Mode, err)
		}
	}
	if _, err := (Endpoint{}).ClientOptions(Source{Options: []Option{{Name: "port", Value: "x"}}}); err == nil {
		t.Error("port x was taken")
	}
}

func TestParseAuthPlugin(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"CREATE USER `a`@`localhost` IDENTIFIED BY PASSWORD '*0'", "mysql_native_password"},
		{"CREATE USER `a`@`localhost`", "mysql_native_password"},
		{"CREATE USER `root`@`localhost` IDENTIFIED VIA unix_socket OR mysql_native_password USING '*0'", "unix_socket"},
		{"CREATE USER `a`@`%` IDENTIFIED WITH 'caching_sha2_password' AS '$A$005$x' REQUIRE NONE", "caching_sha2_password"},
	} {
		if got := parseAuthPlugin(row.text); got != row.want {
			t.Errorf("%s: %s", row.text, got)
		}
	}
}

func TestServerVersion(t *testing.T) {
	for _, row := range []struct{ version, comment, number, flavour string }{
		{"10.11.19-MariaDB-0+deb12u1", "Debian 12", "10.11.19", MariaDB},
		{"5.5.5-10.6.12-MariaDB-log", "", "10.6.12", MariaDB},
		{"10.6.12-8-log", "MariaDB Enterprise Server", "10.6.12", MariaDB},
		{"9.1.0", "MySQL Community Server - GPL", "9.1.0", MySQL},
		{"8.0.36-28", "Percona Server (GPL), Release 28", "8.0.36", Percona},
		{"8.0.39", "Source distribution", "8.0.39", MySQL},
		{"8.0.42-0ubuntu0.24.04.1", "(Ubuntu)", "8.0.42", MySQL},
		{"5.7.mysql_aurora.2.11.2", "MySQL Community Server (GPL)", "5.7", Aurora},
		{"8.0.11-TiDB-v7.5.0", "TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible", "8.0.11", TiDB},
		{"8.0.30-Vitess", "", "8.0.30", Vitess},
		{"8.0.33", "Dolt", "8.0.33", Dolt},
		{"8.0.36", "(ProxySQL)", "8.0.36", ProxySQL},
		{"5.5.5-10.11.6 24.02.1-maxscale", "MariaDB Server", "10.11.6", MaxScale},
		{"8.0.31", "", "8.0.31", ""},
		{"1.2.3", "some database", "1.2.3", ""},
	} {
		number, flavour := serverVersion(row.version, row.comment)
		if number != row.number || flavour != row.flavour {
			t.Errorf("%s: %s %s", row.version, number, flavour)
		}
	}
}

// Every character may stand in a user, a password and a database.
func TestAwkwardCredentials(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	for _, row := range []struct{ user, password string }{
		{"u:x", "p@ss:w/o#r?d&x=1%41"},
		{"u", `a b'"\`},
		{"u@h/d", ""},
		{"ü", "pässwörd€"},
	} {
		for _, host := range []string{"localhost", loopback} {
			account := quoteSQL(row.user) + "@'" + host + "'"
			password := strings.NewReplacer("'", "''", `\`, `\\`).Replace(row.password)
			exec1(t, s.Target, "CREATE USER "+account+" IDENTIFIED BY '"+password+"'")
			defer exec1(t, s.Target, "DROP USER "+account)
		}
		// As it comes from a flag, and as it comes from an option file.
		path := writeFile(t, t.TempDir()+"/my.cnf", "[client]\n"+Option{Name: "user", Value: row.user}.String()+"\n"+Option{Name: "password", Value: row.password}.String()+"\n")
		file, err := ReadOptionFile(path)
		if err != nil {
			t.Fatal(err)
		}
		filed, err := Endpoint{Socket: s.folder.socket}.ClientOptions(file.ClientSource("x"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []Endpoint{
			{Socket: s.folder.socket, User: row.user, Password: row.password},
			{Host: loopback, Port: s.port, User: row.user, Password: row.password, Database: "a/b?c"},
			filed,
		} {
			target, err := Open(ctx, e)
			if err != nil {
				t.Errorf("%q: %v", row.user, err)
				continue
			}
			if got := ask(t, target, "SELECT USER()"); !strings.HasPrefix(got, row.user+"@") {
				t.Errorf("%q is logged in as %s", row.user, got)
			}
			target.Close()
		}
		wrong := Endpoint{Socket: s.folder.socket, User: row.user, Password: "hidden" + row.password}
		if _, err := Open(ctx, wrong); err == nil || strings.Contains(err.Error(), "hidden") || !strings.Contains(err.Error(), "check --user and the password") {
			t.Errorf("%q with a wrong password: %v", row.user, err)
		}
	}
}

// The private server listens on IPv4 only, so a small proxy stands before it.
func TestIPv6(t *testing.T) {
	s := commonServer(t)
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	defer listener.Close()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", net.JoinHostPort(loopback, strconv.Itoa(s.port)))
			if err != nil {
				client.Close()
				return
			}
			go func() {
				io.Copy(server, client)
				server.Close()
			}()
			go io.Copy(client, server)
		}
	}()
	port := listener.Addr().(*net.TCPAddr).Port
	for _, e := range []Endpoint{{Host: "::1", Port: port}, {Host: "[::1]", Port: port}, {Host: listener.Addr().String()}} {
		e.User, e.Password = privateUser, s.password
		target, err := Open(testContext(t), e)
		if err != nil {
			t.Errorf("%s: %v", e.Host, err)
			continue
		}
		target.Close()
	}
}

func TestConnectFaults(t *testing.T) {
	ctx := testContext(t)
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		endpoint Endpoint
		want     string
	}{
		{Endpoint{Socket: "/nonexistent.sock", User: "me"}, `connect /nonexistent.sock as "me"`},
		{Endpoint{Socket: "/nonexistent.sock"}, "name its socket with --socket, or use TCP"},
		{Endpoint{Host: loopback, Port: port}, "does it listen on this address"},
		{Endpoint{Host: "no-such-host.invalid"}, "no-such-host.invalid:3306"},
	} {
		_, err := Open(ctx, row.endpoint)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: got %v, want %q", row.endpoint, err, row.want)
		}
	}
	if hint := connectHint(&mysql.Config{}, "", &mysql.MySQLError{Number: errNoPassword}); !strings.Contains(hint, "--user") {
		t.Errorf("1698: %q", hint)
	}
}
