package server

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// clientGroups are the groups of an option file that clients of both families read, and our own.
var clientGroups = []string{"client", "client-server", "client-mariadb", "mysweep"}

// Source is a place that says how to log in: an option file or the environment.
type Source struct {
	Name    string // as it is named in messages, such as "MYSQL_PWD"
	Options []Option
}

// ClientSource is what an option file says to clients. path names the file in messages.
func (f *OptionFile) ClientSource(path string) Source {
	return Source{"option file " + path, f.Options(clientGroups...)}
}

// EnvironmentSource is what the environment says to clients.
// Variables: https://dev.mysql.com/doc/refman/8.4/en/environment-variables.html
func EnvironmentSource(getenv func(string) string) Source {
	s := Source{Name: "MYSQL_PWD"} // the only one that an error of the login asks for
	for _, v := range []struct{ variable, option string }{
		{"MYSQL_HOST", "host"}, {"MYSQL_TCP_PORT", "port"}, {"MYSQL_UNIX_PORT", "socket"}, {"MYSQL_PWD", "password"},
	} {
		if value := getenv(v.variable); value != "" {
			s.Options = append(s.Options, Option{Name: v.option, Value: value})
		}
	}
	return s
}

// ClientOptions fills the fields that are still empty from the sources, the weakest first, as the
// mysql client reads them; a later option wins.
func (e Endpoint) ClientOptions(sources ...Source) (Endpoint, error) {
	var said clientOptions
	for _, source := range sources {
		for _, option := range source.Options {
			if err := said.take(option, source.Name); err != nil {
				return e, fmt.Errorf("%s: %w", source.Name, err)
			}
		}
	}
	if e.DSN == "" {
		e.reach(&said)
	}
	fill(&e.User, said.User)
	if e.Password == "" && e.PasswordFrom == "" {
		e.Password, e.PasswordFrom = said.Password, said.PasswordFrom
	}
	fill(&e.Database, said.Database)
	fill(&e.PublicKey, said.PublicKey)
	e.GetPublicKey = e.GetPublicKey || said.GetPublicKey
	fill(&e.TLS.CA, said.TLS.CA)
	fill(&e.TLS.Cert, said.TLS.Cert)
	fill(&e.TLS.Key, said.TLS.Key)
	if e.TLS.Mode == "" {
		e.TLS.Mode = said.TLS.Mode
	}
	return e, nil
}

// reach decides between socket and TCP as the client does: localhost is the socket, unless a port
// is asked for (by us, not by a file) or protocol=tcp is said.
func (e *Endpoint) reach(said *clientOptions) {
	tcp := e.Socket == "" && (e.Port != 0 || said.protocol == "tcp")
	if e.Socket == "" {
		fill(&e.Host, said.Host)
	}
	local := e.Host == "" || e.Host == "localhost"
	switch {
	case local && !tcp:
		fill(&e.Socket, said.Socket)
	case e.Socket == "":
		e.Port = cmp.Or(e.Port, said.Port)
		if local {
			e.Port = cmp.Or(e.Port, defaultPort) // or the socket would be meant
		}
	}
}

func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// clientOptions are the options that sources say.
type clientOptions struct {
	Endpoint
	protocol string // tcp, socket, or "" when it is left to the host
}

func (c *clientOptions) take(option Option, from string) error {
	var err error
	switch option.canonical() {
	case "host":
		c.Host = option.Value
	case "port":
		if c.Port, err = strconv.Atoi(option.Value); err != nil || c.Port < 0 || c.Port > 65535 {
			return fmt.Errorf("invalid port %q: must be between 1 and 65535", option.Value)
		}
	case "protocol":
		c.protocol = strings.ToLower(option.Value)
	case "socket":
		c.Socket = option.Value
	case "user":
		c.User = option.Value
	case "password":
		c.Password, c.PasswordFrom = option.Value, from
	case "skip_password":
		c.Password, c.PasswordFrom = "", from
	case "database":
		c.Database = option.Value
	case "server_public_key_path":
		c.PublicKey = option.Value
	case "get_server_public_key":
		c.GetPublicKey = option.on()
	case "ssl_ca":
		c.TLS.CA = option.Value
	case "ssl_cert":
		c.TLS.Cert = option.Value
	case "ssl_key":
		c.TLS.Key = option.Value
	case "ssl_mode":
		c.TLS.Mode, err = ParseTLSMode(option.Value)
	case "ssl", "skip_ssl", "disable_ssl", "ssl_verify_server_cert", "disable_ssl_verify_server_cert", "skip_ssl_verify_server_cert":
		c.TLS.Mode = mariadbTLS(option, c.TLS.Mode)
	}
	return err
}
