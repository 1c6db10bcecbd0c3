package server

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// likeClient is an option file, flags and an environment. SOCKET and PORT are those of a server,
// SOCKET2 and PORT2 those of another one.
type likeClient struct {
	name  string
	file  string
	flags string // -h, -P, -S and -u, each with its value attached
	env   string // NAME=value ...
}

var likeClients = []likeClient{
	{name: "socket", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "host and port", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\nport=PORT2\n"},
	{name: "port of localhost", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\nport=PORT2\n"},
	{name: "host, port and socket", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\nport=PORT2\nsocket=SOCKET\n"},
	{name: "localhost, port and socket", file: "[client]\nuser=alice\npassword=secret\nhost=localhost\nport=PORT2\nsocket=SOCKET\n"},
	{name: "protocol tcp", file: "[client]\nuser=alice\npassword=secret\nprotocol=tcp\nport=PORT2\nsocket=SOCKET\n"},
	{name: "protocol TCP", file: "[client]\nuser=alice\npassword=secret\nprotocol=TCP\nport=PORT2\nsocket=SOCKET\n"},
	{name: "protocol socket", file: "[client]\nuser=alice\npassword=secret\nprotocol=socket\nport=PORT2\nsocket=SOCKET\n"},
	{name: "port flag", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", flags: "-PPORT2"},
	{name: "port flag over the file's", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\nport=PORT\n", flags: "-PPORT2"},
	{name: "socket flag over the file's", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", flags: "-SSOCKET2"},
	{name: "socket flag over protocol", file: "[client]\nuser=alice\npassword=secret\nprotocol=tcp\nport=PORT\n", flags: "-SSOCKET2"},
	{name: "host flag", file: "[client]\nuser=alice\npassword=secret\nport=PORT2\nsocket=SOCKET\n", flags: "-h127.0.0.1"},
	{name: "localhost flag", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\nport=PORT2\nsocket=SOCKET\n", flags: "-hlocalhost"},
	{name: "user flag", file: "[client]\nuser=bob\npassword=secret\nsocket=SOCKET\n", flags: "-ualice"},
	{name: "user flag, other password", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", flags: "-ubob"},
	{name: "last one of a name", file: "[client]\nuser=bob\nuser=alice\npassword=p#q\npassword=secret\nsocket=SOCKET2\nsocket=SOCKET\n"},
	{name: "client-server", file: "[client-server]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "client-mariadb", file: "[client-mariadb]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "CLIENT", file: "[CLIENT]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "order of the file", file: "[client-server]\nuser=bob\n[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "order of the file, reversed", file: "[client]\nuser=bob\npassword=secret\nsocket=SOCKET\n[client-server]\nuser=alice\n"},
	{name: "group with a blank before ]", file: "[client ]\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "text after ]", file: "[client] # here\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "other groups", file: "[mysqld]\nuser=bob\nsocket=SOCKET2\n[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n[mysqldump]\nuser=bob\n"},
	{name: "blanks and tabs", file: "  [client]\n\tuser \t= alice  \n password= secret\t\n socket\t=\tSOCKET\n"},
	{name: "CRLF", file: "[client]\r\nuser=alice\r\npassword=secret\r\nsocket=SOCKET\r\n"},
	{name: "no line feed at the end", file: "[client]\nuser=alice\nsocket=SOCKET\npassword=secret"},
	{name: "comments", file: "# a\n; b\n[client]\n# c\nuser=alice # d\n;user=bob\npassword=secret#e\nsocket=SOCKET\n"},
	{name: "double quotes", file: "[client]\nuser=\"alice\"\npassword=\"secret\"\nsocket=\"SOCKET\"\n"},
	{name: "single quotes", file: "[client]\nuser='bob'\npassword='p#q'\nsocket='SOCKET'\n"},
	{name: "comment sign without quotes", file: "[client]\nuser=bob\npassword=p#q\nsocket=SOCKET\n"},
	{name: "escaped quotes and backslash", file: "[client]\nuser=dave\npassword=\"a'\\\"\\\\ b\"\nsocket=SOCKET\n"},
	{name: "escaped blank", file: "[client]\nuser=dave\npassword=a'\\\"\\\\\\sb\nsocket=SOCKET\n"},
	{name: "one quote", file: "[client]\nuser=alice\npassword=\"secret\nsocket=SOCKET\n"},
	{name: "equals sign", file: "[client]\nuser=erin\npassword=x=y\nsocket=SOCKET\n"},
	{name: "no password", file: "[client]\nuser=carol\nsocket=SOCKET\n"},
	{name: "empty password", file: "[client]\nuser=carol\npassword=\nsocket=SOCKET\n"},
	{name: "empty password over MYSQL_PWD", file: "[client]\nuser=carol\npassword=\nsocket=SOCKET\n", env: "MYSQL_PWD=secret"},
	{name: "skip-password", file: "[client]\nuser=carol\npassword=secret\nskip-password\nsocket=SOCKET\n"},
	{name: "MYSQL_PWD", file: "[client]\nuser=alice\nsocket=SOCKET\n", env: "MYSQL_PWD=secret"},
	{name: "password over MYSQL_PWD", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", env: "MYSQL_PWD=wrong"},
	{name: "MYSQL_TCP_PORT", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\n", env: "MYSQL_TCP_PORT=PORT2"},
	{name: "port over MYSQL_TCP_PORT", file: "[client]\nuser=alice\npassword=secret\nhost=127.0.0.1\nport=PORT2\n", env: "MYSQL_TCP_PORT=PORT"},
	{name: "MYSQL_TCP_PORT of localhost", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", env: "MYSQL_TCP_PORT=PORT2"},
	{name: "MYSQL_UNIX_PORT", file: "[client]\nuser=alice\npassword=secret\n", env: "MYSQL_UNIX_PORT=SOCKET2"},
	{name: "socket over MYSQL_UNIX_PORT", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n", env: "MYSQL_UNIX_PORT=SOCKET2"},
	{name: "MYSQL_HOST", file: "[client]\nuser=alice\npassword=secret\nport=PORT2\nsocket=SOCKET\n", env: "MYSQL_HOST=127.0.0.1"},
	{name: "host over MYSQL_HOST", file: "[client]\nuser=alice\npassword=secret\nhost=localhost\nport=PORT2\nsocket=SOCKET\n", env: "MYSQL_HOST=127.0.0.1"},
	{name: "include", file: "[client]\nuser=bob\n!include more.cnf\nsocket=SOCKET\n"},
	{name: "tab after include", file: "!include\tmore.cnf\n[client]\nsocket=SOCKET\n"},
	{name: "missing include", file: "[client]\nuser=alice\npassword=secret\n!include missing.cnf\nsocket=SOCKET\n"},
	{name: "include of a folder", file: "[client]\nuser=alice\npassword=secret\n!include folder.d\nsocket=SOCKET\n"},
	{name: "includedir", file: "[client]\nsocket=SOCKET\n!includedir folder.d\n"},
	{name: "tab after includedir", file: "[client]\nsocket=SOCKET\n!includedir\tfolder.d\n"},
	{name: "missing includedir", file: "[client]\nuser=alice\npassword=secret\nsocket=SOCKET\n!includedir missing.d\n"},
	{name: "option before a group", file: "user=alice\n[client]\npassword=secret\nsocket=SOCKET\n"},
	{name: "group without ]", file: "[client\nuser=alice\npassword=secret\nsocket=SOCKET\n"},
	{name: "loose prefix", file: "[client]\nloose-user=alice\nloose_password=secret\nsocket=SOCKET\nloose-no-such-option=1\n"},
}

// Files, flags and environment lead to the same server, by the same transport, as the same user,
// as they lead the client of MariaDB or MySQL to; what the client refuses is refused.
func TestOptionsAsTheClient(t *testing.T) {
	client, err := exec.LookPath("mariadb")
	if err != nil {
		t.Skip("the client mariadb is not installed")
	}
	first := commonServer(t)
	if first.Flavour != MariaDB {
		t.Skip("MariaDB's client cannot log in to every MySQL")
	}
	second, err := StartPrivate(testContext(t), Private{TCP: true})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Stop()
	for _, s := range []*Server{first, second} {
		for user, password := range map[string]string{"alice": "secret", "bob": "p#q", "carol": "", "dave": `a'"\ b`, "erin": "x=y"} {
			for _, host := range []string{"localhost", loopback} {
				account := quoteSQL(user) + "@" + quoteSQL(host)
				exec1(t, s.Target, "CREATE USER "+account+" IDENTIFIED BY "+"'"+strings.NewReplacer("'", "''", `\`, `\\`).Replace(password)+"'")
				defer exec1(t, s.Target, "DROP USER "+account)
			}
		}
	}
	// The longer names first.
	places := strings.NewReplacer("SOCKET2", second.folder.socket, "PORT2", fmt.Sprint(second.port), "SOCKET", first.folder.socket, "MYSQL_TCP_PORT", "MYSQL_TCP_PORT",
		"MYSQL_UNIX_PORT", "MYSQL_UNIX_PORT", "PORT", fmt.Sprint(first.port))
	for _, row := range likeClients {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			path := writeFile(t, filepath.Join(dir, "my.cnf"), places.Replace(row.file))
			writeFile(t, filepath.Join(dir, "more.cnf"), "[client]\nuser=alice\npassword=secret\n")
			writeFile(t, filepath.Join(dir, "folder.d/a.cnf"), "[client]\nuser=alice\npassword=secret\n")
			writeFile(t, filepath.Join(dir, "folder.d/b.txt"), "[client]\nuser=bob\n")
			if err := os.Mkdir(filepath.Join(dir, "folder.d/x.cnf"), 0o755); err != nil {
				t.Fatal(err)
			}
			flags, env := strings.Fields(places.Replace(row.flags)), strings.Fields(places.Replace(row.env))
			want := asClient(t, client, dir, path, flags, env)
			t.Log(want)
			if got := asEndpoint(t, path, flags, env); got != want {
				t.Errorf("%s\n%s %s\nmysweep: %s\nclient:  %s", row.file, row.env, row.flags, got, want)
			}
		})
	}
}

// whereAmI names the server, the user, and whether the connection is a socket ("") or not.
const whereAmI = "SELECT CONCAT(@@port, ' ', USER(), ' ', (SELECT SUBSTRING(HOST, 1, 9) FROM information_schema.PROCESSLIST WHERE ID=CONNECTION_ID()))"

const refusedLogin = "refused"

func asClient(t *testing.T, client, dir, path string, flags, env []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, client, slices.Concat([]string{"--defaults-file=" + path, "--skip-ssl", "-N", "-B", "-e", whereAmI}, flags)...)
	cmd.Env, cmd.Dir = append(env, "HOME="+dir, "PATH="+os.Getenv("PATH")), dir
	out, err := cmd.Output()
	if err != nil {
		return refusedLogin
	}
	return strings.TrimSpace(string(out))
}

func asEndpoint(t *testing.T, path string, flags, env []string) string {
	t.Helper()
	e := Endpoint{TLS: TLS{Mode: TLSDisabled}}
	for _, flag := range flags {
		switch value := flag[2:]; flag[:2] {
		case "-h":
			e.Host = value
		case "-P":
			fmt.Sscan(value, &e.Port)
		case "-S":
			e.Socket = value
		case "-u":
			e.User = value
		}
	}
	set := maps.Collect(func(yield func(string, string) bool) {
		for _, setting := range env {
			name, value, _ := strings.Cut(setting, "=")
			yield(name, value)
		}
	})
	file, err := ReadOptionFile(path)
	if err != nil {
		return refusedLogin
	}
	e, err = e.ClientOptions(EnvironmentSource(func(name string) string { return set[name] }), file.ClientSource(path))
	if err != nil {
		return refusedLogin
	}
	target, err := Open(testContext(t), e)
	if err != nil {
		return refusedLogin
	}
	defer target.Close()
	return ask(t, target, whereAmI)
}

// The error of a login says where its password came from.
func TestPasswordFrom(t *testing.T) {
	s := commonServer(t)
	for _, row := range []struct {
		sources []Source
		want    string
	}{
		{nil, "no password was given"},
		{[]Source{{"MYSQL_PWD", []Option{{Name: "password", Value: "wrong"}}}}, "comes from MYSQL_PWD"},
		{[]Source{{"MYSQL_PWD", []Option{{Name: "password", Value: "wrong"}}}, {"option file a.cnf", []Option{{Name: "password", Value: "bad"}}}}, "comes from option file a.cnf"},
	} {
		e, err := Endpoint{Socket: s.folder.socket, User: privateUser}.ClientOptions(row.sources...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(testContext(t), e); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v: got %v, want %q", row.sources, err, row.want)
		}
	}
}
