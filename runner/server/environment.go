package server

import (
	"os"
	"strings"
)

// inherited is our environment without what servers and their clients would
// take as settings or secrets, such as MYSQL_PWD.
func inherited() []string {
	var kept []string
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "MYSQL") && !strings.HasPrefix(setting, "MARIADB") {
			kept = append(kept, setting)
		}
	}
	return kept
}

// environment is what the server gets.
func (s *Server) environment() []string { return append(inherited(), s.private.Env...) }
