package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// askTimeout bounds how long a binary may take to say who it is.
const askTimeout = 20 * time.Second

// Binary is a server program, or a script that stands for one.
type Binary struct {
	Path    string
	Flavour string // MariaDB or MySQL, as which Percona Server counts
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
		return Binary{}, fmt.Errorf("not a MySQL or MariaDB server: --version prints %q", firstLine(text))
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

// Unknown lists those options that the program does not know and would refuse
// to start with. As the server does, it takes the beginning of a name for the
// name, and asks nothing of loose_ options. Options of plugins that are loaded
// by other options cannot be known before; then it lists none.
func (b Binary) Unknown(ctx context.Context, options []Option) ([]string, error) {
	text, err := b.help(ctx)
	if err != nil {
		return nil, err
	}
	known := parseOptionNames(text)
	var unknown []string
	for _, option := range options {
		switch name := option.canonical(); {
		case strings.HasPrefix(name, "plugin_load"):
			return nil, nil
		case strings.HasPrefix(strings.ToLower(option.Name), "loose"):
		case !knows(known, name):
			unknown = append(unknown, option.Name)
		}
	}
	return unknown, nil
}

func knows(known []string, name string) bool {
	for _, prefix := range []string{"", "skip_", "disable_", "enable_"} {
		bare := strings.TrimPrefix(name, prefix)
		for _, other := range known {
			if strings.HasPrefix(other, bare) || strings.HasPrefix(strings.TrimPrefix(other, "skip_"), bare) {
				return true
			}
		}
	}
	return false
}

func (b Binary) help(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	// MySQL tests the file system of the data directory to choose the default of
	// lower_case_table_names. The folder is empty, ours alone, and removed at once.
	dir, err := os.MkdirTemp("", "mysweep-help-")
	if err != nil {
		return "", fmt.Errorf("mysqld %s: --help: %w", b.Path, err)
	}
	defer os.RemoveAll(dir)
	out, err := exec.CommandContext(ctx, b.Path, "--no-defaults", "--verbose", "--help", "--user=root", "--datadir="+dir).Output()
	if !strings.Contains(string(out), "\n-----") {
		return "", fmt.Errorf("mysqld %s: --verbose --help does not list options: %w", b.Path, errors.Join(err, ctx.Err()))
	}
	return string(out), nil
}

// parseDefaults reads the table at the end of --verbose --help.
func parseDefaults(text string) map[string]string {
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

// optionLine is "  --name=#" or "  -n, --name" in the text above that table.
var optionLine = regexp.MustCompile(`(?m)^\s+(?:-\S, )?--([a-z0-9-]+)`)

// parseOptionNames gives the options of the text and of the table: not all are in both.
func parseOptionNames(text string) []string {
	names := parseDefaults(text)
	for _, match := range optionLine.FindAllStringSubmatch(text, -1) {
		names[Option{Name: match[1]}.canonical()] = ""
	}
	return slices.Sorted(maps.Keys(names))
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
