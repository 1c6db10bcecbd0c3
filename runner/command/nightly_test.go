package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/server/servertest"
)

// small makes a run of seconds of one on a private server.
const small = "--private --rows 500 --threads 1 --queries 5 --min-time 0 --repeat 1 --confirm 0 --warmup 0s "

// TestCronExample runs the line of the crontab with a requirement that nothing meets: its mail is
// sent, nothing is printed, and the exit status is that of the requirement.
func TestCronExample(t *testing.T) {
	servertest.Needed(t)
	_, line, found := strings.Cut(exampleText(t, "cron/mysweep"), "mysweep run ")
	if !found {
		t.Fatal("the crontab runs no mysweep")
	}
	line = strings.ReplaceAll(line, `\%`, "%")
	line = strings.Replace(line, "--defaults-file /etc/mysweep.cnf", small, 1)
	runNightly(t, strings.Replace(line, "qps>=20000", "qps>=1000000000", 1))
}

// TestSystemdExample checks the units, and runs the command of the service in the same way.
func TestSystemdExample(t *testing.T) {
	servertest.Needed(t)
	service := exampleText(t, "systemd/mysweep.service")
	_, line, found := strings.Cut(service, "ExecStart=/usr/bin/mysweep run ")
	line, _, _ = strings.Cut(line, "\n")
	if !found {
		t.Fatal("the service runs no mysweep")
	}
	line = strings.ReplaceAll(line, "%%", "%")
	line = strings.Replace(line, "--smtp localhost:25", "--require qps\\>=1000000000", 1)
	runNightly(t, small+strings.Replace(line, "--datadir-parent /var/lib/mysweep", "", 1))

	program, err := exec.LookPath("mysweep")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	units := []string{
		write("mysweep.service", strings.Replace(service, "/usr/bin/mysweep", program, 1)),
		write("mysweep.timer", exampleText(t, "systemd/mysweep.timer")),
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("the units are not checked: systemd-analyze is missing")
	}
	out, err := exec.Command("systemd-analyze", append([]string{"verify", "--man=no"}, units...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

func exampleText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runNightly runs mysweep with flags as a shell reads them, in a folder for its archive, with a
// program sendmail that keeps the mail. There must be one mail, about a requirement that is not
// met.
func runNightly(t *testing.T, flags string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\ntr -d '\\r' >" + dir + "/mail\n"
	if err := os.WriteFile(filepath.Join(dir, "sendmail"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	flags = strings.ReplaceAll(flags, "/var/lib/mysweep", filepath.Join(dir, "archive"))
	sh := exec.Command("sh", "-c", "mysweep run "+flags)
	sh.Dir, sh.Env = dir, append(os.Environ(), "HOME="+dir, "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := sh.CombinedOutput()
	if status := sh.ProcessState.ExitCode(); status != 4 || len(out) > 0 {
		t.Fatalf("mysweep run %s: exit status %d, want 4 and nothing printed: %v\n%s", flags, status, err, out)
	}
	mail, err := os.ReadFile(filepath.Join(dir, "mail"))
	if err != nil || !strings.Contains(string(mail), "FAIL") || !strings.Contains(string(mail), "nightly") {
		t.Errorf("the mail of %s: %v\n%.600s", flags, err, mail)
	}
}
