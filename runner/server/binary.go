package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The flavours of servers. Percona Server is MySQL by this word.
const (
	MariaDB = "mariadb"
	MySQL   = "mysql"
)

// askTimeout bounds how long a binary may take to say who it is.
const askTimeout = 20 * time.Second

// Binary is a server program, or a script that stands for one.
type Binary struct {
	Path    string
	Flavour string // MariaDB or MySQL
	Version string // major.minor.patch, such as 10.11.19
	Text    string // what --version said
}

// FindBinary looks at the program that is named, or for the first mariadbd or
// mysqld on PATH and in the folders where distributions put it, and asks it for
// its flavour and version.
func FindBinary(ctx context.Context, path string) (Binary, error) {
	path, err := binaryPath(path)
	if err != nil {
		return Binary{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--no-defaults", "--version").CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return Binary{}, fmt.Errorf("mysqld %s: --version: %w%s", path, err, tailOf(text))
	}
	binary, err := parseVersion(text)
	if err != nil {
		return Binary{}, fmt.Errorf("mysqld %s: %w", path, err)
	}
	binary.Path = path
	return binary, nil
}

func binaryPath(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("mysqld %s: %w", path, errors.Unwrap(err))
		}
		return filepath.Abs(found)
	}
	for _, dir := range []string{"", "/usr/sbin", "/usr/libexec", "/usr/local/mysql/bin"} {
		for _, name := range []string{"mariadbd", "mysqld"} {
			if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return filepath.Abs(found)
			}
		}
	}
	return "", errors.New("neither mariadbd nor mysqld is on PATH, in /usr/sbin, /usr/libexec or /usr/local/mysql/bin:" +
		" install one (Debian: mariadb-server-core), name one (--mysqld PATH), or name a running server (--host, --socket)")
}

// The program's own name comes first and may be anything, so only what follows
// Ver counts.
var versionText = regexp.MustCompile(`\sVer\s+(\d+\.\d+\.\d+)(\S*)(.*)`)

func parseVersion(text string) (Binary, error) {
	match := versionText.FindStringSubmatch(" " + text)
	if match == nil {
		return Binary{}, fmt.Errorf("--version does not say a server version after the word Ver, but %q", firstLine(text))
	}
	flavour := MySQL
	if strings.Contains(match[2]+match[3], "MariaDB") {
		flavour = MariaDB
	}
	return Binary{Flavour: flavour, Version: match[1], Text: firstLine(text)}, nil
}

// atLeast compares versions of one flavour.
func (b Binary) atLeast(major, minor, patch int) bool {
	return versionAtLeast(b.Version, major, minor, patch)
}

func versionAtLeast(version string, wanted ...int) bool {
	parts := strings.Split(version, ".")
	for i, want := range wanted {
		have := 0
		if i < len(parts) {
			have, _ = strconv.Atoi(parts[i])
		}
		if have != want {
			return have > want
		}
	}
	return true
}

// supported refuses versions without ALTER USER, which the private account needs.
func (b Binary) supported() error {
	if b.Flavour == MariaDB && !b.atLeast(10, 2, 0) || b.Flavour == MySQL && !b.atLeast(5, 7, 0) {
		return fmt.Errorf("mysqld %s: version %s is too old for a private server (MariaDB 10.2, MySQL 5.7 or newer):"+
			" start it by hand and name it (--socket or --host)", b.Path, b.Version)
	}
	return nil
}

// Defaults asks the program for the options that it knows and their compiled
// defaults, by variable name. It shows beforehand whether a server knows an option.
func (b Binary) Defaults(ctx context.Context) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "mysweep-help-")
	if err != nil {
		return nil, fmt.Errorf("mysqld %s: --help: %w", b.Path, err)
	}
	defer os.RemoveAll(dir)
	out, err := exec.CommandContext(ctx, b.Path, "--no-defaults", "--verbose", "--help", "--user=root", "--datadir="+dir).Output()
	values := parseHelp(string(out))
	if len(values) == 0 {
		return nil, fmt.Errorf("mysqld %s: --verbose --help lists no options: %v", b.Path, err)
	}
	return values, nil
}

// parseHelp reads the table at the end of --verbose --help.
func parseHelp(text string) map[string]string {
	values := map[string]string{}
	inTable := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "-----"):
			inTable = true
		case inTable && line == "":
			return values
		case inTable:
			name, value, _ := strings.Cut(line, " ")
			values[Option{Name: name}.canonical()] = strings.TrimSpace(value)
		}
	}
	return values
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

func tailOf(text string) string {
	if text == "" {
		return ""
	}
	return ": " + firstLine(text)
}
