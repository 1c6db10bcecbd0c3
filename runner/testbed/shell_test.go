package testbed

import (
	"strings"
	"testing"
	"time"
)

// What a command prints is reported when it fails; what it leaves in the background is not waited
// for; nothing is written to TMPDIR, which may be full or missing.
func TestRunShell(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent")
	if err := runShell(t.Context(), "echo hello"); err != nil {
		t.Error(err)
	}
	if err := runShell(t.Context(), "echo out; echo no such case >&2; exit 3"); err == nil || !strings.HasSuffix(err.Error(), "exit status 3: out\nno such case") {
		t.Errorf("%v; want the exit status and the output", err)
	}
	if err := runShell(t.Context(), "yes | head -c 100000; exit 1"); err == nil || len(err.Error()) > 600 {
		t.Errorf("an error of %d bytes; want the end of the output", len(err.Error()))
	}
	began := time.Now()
	if err := runShell(t.Context(), "sleep 20 & echo started"); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %s; want no wait for the background", err, time.Since(began))
	}
}
