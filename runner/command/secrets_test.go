package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A password on the command line is refused and never repeated.
func TestNoPasswordOnTheCommandLine(t *testing.T) {
	const secret = "SeCrEt"
	for _, args := range [][]string{
		{"run", "-p" + secret}, {"run", "-p" + secret + "=x"}, {"run", "--p" + secret}, {"run", "-h", "db3", "-p" + secret, "plan.yaml"},
		{"run", "plan.yaml", "-p" + secret}, {"run", "plan.yaml", "--dsn=u:" + secret + "@tcp(h)/"}, {"run", "--password=" + secret},
		{"run", "--password", secret}, {"run", "-p", secret},
		{"run", "--dsn", "u:" + secret + "@tcp(h:3306)/"}, {"plan", "--dsn", "u:" + secret + "@unix(/s)/"}, {"cleanup", "--dsn", "u:a@b" + secret + "@tcp(h)/"},
		{"run", "--private", "--replica", "u:" + secret + "@tcp(h)/"},
	} {
		status, stdout, stderr := called(t, args...)
		if status != exitUsage || strings.Contains(stdout+stderr, secret) {
			t.Errorf("%v: exit %d: %s%s", args, status, stdout, stderr)
		}
		if !strings.Contains(stderr, "--password-file") && !strings.Contains(stderr, "flags must come before") {
			t.Errorf("%v: no way out: %s", args, stderr)
		}
	}
	if _, _, stderr := called(t, "run", "-p", secret); strings.Contains(stderr, "did you mean") {
		t.Errorf("-p is no slip: %s", stderr)
	}
	// A DSN without one, and a slip of the finger, are what they were.
	if status, _, stderr := called(t, "plan", "--dsn", "u@tcp(127.0.0.1:1)/", "-t", "1", "-q", "1"); status != 0 {
		t.Errorf("a DSN without a password: exit %d: %s", status, stderr)
	}
	if _, _, stderr := called(t, "run", "--protocal", "text"); !strings.Contains(stderr, "--protocol") {
		t.Errorf("no suggestion: %s", stderr)
	}
}

func TestPasswordFile(t *testing.T) {
	dir := t.TempDir()
	for mode, taken := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o620: false, 0o644: false} {
		path := filepath.Join(dir, mode.String())
		if err := os.WriteFile(path, []byte("SeCrEt\nmore\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		password, err := passwordFile("--password-file", path)
		if (err == nil) != taken || taken && password != "SeCrEt" || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %v: %q, %v", mode, password, err)
		}
	}
	if _, err := passwordFile("--password-file", filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there")
	}
}
