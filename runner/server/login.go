package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// privateUser is the account on a private server. It may do everything there.
const privateUser = "mysweep"

// newPassword is 144 bits of chance and one character of each kind that
// password-checking plugins ask for.
func newPassword() (string, error) {
	var bits [18]byte
	if _, err := rand.Read(bits[:]); err != nil {
		return "", fmt.Errorf("password of the private server: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(bits[:]) + "aA1-", nil
}

// initSQL makes our account before the server listens. It is not logged for
// replicas, which have accounts of their own. One statement a line, as init_file asks.
func (s *Server) initSQL() string {
	lines := []string{"SET SESSION sql_log_bin=0;"}
	hosts := []string{"localhost"}
	if s.private.listens() {
		hosts = append(hosts, loopback) // skip_name_resolve makes it another host
	}
	for _, host := range hosts {
		account := fmt.Sprintf("'%s'@'%s'", privateUser, host)
		lines = append(lines,
			fmt.Sprintf("CREATE USER IF NOT EXISTS %s IDENTIFIED BY '%s';", account, s.password),
			fmt.Sprintf("ALTER USER %s IDENTIFIED BY '%s';", account, s.password),
			fmt.Sprintf("GRANT ALL PRIVILEGES ON *.* TO %s WITH GRANT OPTION;", account))
	}
	if s.private.CopyDatadirFrom == "" {
		// An empty datadir has a root without a password, which matters over TCP.
		lines = append(lines, fmt.Sprintf("ALTER USER 'root'@'localhost' IDENTIFIED BY '%s';", s.password))
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s *Server) clientCnf() string {
	options := []Option{{Name: "user", Value: privateUser}, {Name: "password", Value: s.password}, {Name: "socket", Value: s.folder.socket}}
	return strings.Replace(formatMyCnf(options), "[mysqld]", "[client]", 1)
}

// freePort asks the kernel for a port that is free at this moment.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return 0, fmt.Errorf("free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// denied says whether the server itself refused the login.
func denied(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == errAccessDenied || refused.Number == errHostDenied)
}
