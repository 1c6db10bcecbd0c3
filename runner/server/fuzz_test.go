package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzOptionFile: no option file panics, hangs or brings an option without a name.
func FuzzOptionFile(f *testing.F) {
	for _, seed := range []string{"[client]\nuser=x\npassword=\"a\\\"b\"\n", "\ufeff[mysweep]\nhost = h # no\n", "!include f.cnf\n", "!includedir .\n", "[a\n", "x\n",
		"[client]\n=1\n", "[client]\nskip-ssl\nport='\n", "[client]\r\nuser\r\n", "[]\nx=\\\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "f.cnf")
		if strings.Contains(string(text), "!include") && strings.ContainsAny(string(text), "/\\") {
			return // what is elsewhere on this machine is not read
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := ReadOptionFile(path)
		if err != nil {
			return
		}
		Endpoint{}.ClientOptions(file.ClientSource(path))
	})
}

// FuzzTexts: nothing that servers, their programs and users write panics.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"", "u:p@tcp(h:3306)/db?tls=true", "u@unix(/x)/", "mysqld  Ver 9.1.0 for Linux on x86_64 (MySQL Community Server - GPL)",
		"mariadbd  Ver 10.11.14-MariaDB-0+deb12u2 for debian-linux-gnu on x86_64 (Debian 12)", "--port=#  the port\n", "port  3306\nsocket (No default value)\n",
		"% time     seconds  usecs/call     calls    errors syscall\n100.00 0.1 1 2 3 read\n", "mysqld 1 2.0: 1 cycles:\n\tffff main+0x1 (/x)\n\n",
		"max_connections=10", "=1", "CREATE USER x IDENTIFIED WITH caching_sha2_password AS '$A$'", "2026-01-01 [ERROR] InnoDB: no\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseDSN(text); err != nil && strings.Contains(text, "SECRETPASSWORD") && strings.Contains(err.Error(), "SECRETPASSWORD") {
			t.Errorf("the error repeats the text: %v", err)
		}
		parseVersion(text)
		parseDefaults(text)
		parseOptionNames(text)
		parseAuthPlugin(text)
		parseStrace(text)
		parsePerf(text, "mysqld")
		if option, err := ParseOption(text); err == nil && option.Name == "" {
			t.Errorf("option %q has no name", text)
		}
		ParseTLSMode(text)
	})
}
