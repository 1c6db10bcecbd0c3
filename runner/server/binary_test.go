package server

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for _, row := range []struct{ text, flavour, version string }{
		{"mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)", MariaDB, "10.11.19"},
		{"/usr/sbin/mysqld  Ver 8.4.3 for Linux on x86_64 (MySQL Community Server - GPL)", MySQL, "8.4.3"},
		// The path says mariadb, Ver does not.
		{"/opt/mariadb-build/bin/mysqld  Ver 9.1.0 for Linux on x86_64 (Source distribution)", MySQL, "9.1.0"},
		{"/opt/mysql/mysqld  Ver 11.4.2-MariaDB-log for Linux on aarch64 (MariaDB Server)", MariaDB, "11.4.2"},
		{"/usr/sbin/mysqld  Ver 8.0.36-28 for Linux on x86_64 (Percona Server (GPL), Release 28, Revision 47601f19)", MySQL, "8.0.36"},
		{"2026-01-01 0 [Warning] something\nmysqld  Ver 5.7.44 for Linux on x86_64 (MySQL Community Server (GPL))", MySQL, "5.7.44"},
	} {
		got, err := parseVersion(row.text)
		if err != nil || got.Flavour != row.flavour || got.Version != row.version {
			t.Errorf("%s: got %+v, %v", row.text, got, err)
		}
	}
	if _, err := parseVersion("GNU bash, version 5.2"); err == nil {
		t.Error("a shell was taken for a server")
	}
}

func TestVersionAtLeast(t *testing.T) {
	for _, row := range []struct {
		version string
		wanted  []int
		want    bool
	}{
		{"10.11.19", []int{10, 2, 0}, true},
		{"9.1.0", []int{8, 0, 26}, true},
		{"8.0.11", []int{8, 0, 26}, false},
		{"8.0.26", []int{8, 0, 26}, true},
		{"5.7.44", []int{8, 0, 0}, false},
	} {
		if got := versionAtLeast(row.version, row.wanted...); got != row.want {
			t.Errorf("%s at least %v: %v", row.version, row.wanted, got)
		}
	}
}

func TestFindBinaryFaults(t *testing.T) {
	ctx := testContext(t)
	broken := writeScript(t, "echo cannot open shared object >&2; exit 127")
	other := writeScript(t, "echo GNU bash")
	for _, row := range []struct{ path, want string }{
		{filepath.Join(t.TempDir(), "mysqld"), "no such file"},
		{"no-such-mysqld", "not found"},
		{broken, "cannot open shared object"},
		{other, "not a MySQL or MariaDB server"},
	} {
		_, err := FindBinary(ctx, row.path)
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), row.path) {
			t.Errorf("%s: got %v, want %q", row.path, err, row.want)
		}
	}
}

func TestUnknownOptions(t *testing.T) {
	needServer(t)
	ctx := testContext(t)
	binary, err := FindBinary(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	var options []Option
	for _, name := range []string{
		"max_connections", "Max-Connections", "skip-name-resolve", "skip_networking", "disable-log-bin", "innodb_io_capacity",
		"performance_schema_instrument", "loose_no_such_option", "loose-other", "default_time_zone", "skip-external-locking",
		"general_log", "skip-performance-schema", "max_connect", // a beginning
		"no_such_option", "innodb_thread_sleep_delays",
	} {
		options = append(options, Option{Name: name})
	}
	unknown, err := binary.Unknown(ctx, options)
	if err != nil || !slices.Equal(unknown, []string{"no_such_option", "innodb_thread_sleep_delays"}) {
		t.Errorf("unknown: %v %v", unknown, err)
	}
	options = append(options, Option{Name: "plugin_load_add", Value: "ha_x"})
	if unknown, err := binary.Unknown(ctx, options); err != nil || len(unknown) > 0 {
		t.Errorf("a plugin may know them: %v %v", unknown, err)
	}
	if _, err := (Binary{Path: writeScript(t, "exit 1")}).Unknown(ctx, options); err == nil {
		t.Error("a program without help knows everything")
	}
}
