package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Option files that include each other without end, or that have none themselves, are refused soon.
func TestOptionFileLimits(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a file that includes itself": {"!include a.cnf\n", "include"},
		"and does so often":           {strings.Repeat("!include a.cnf\n", 1000), "include"},
		"a folder that it is in":      {"!includedir .\n", "include"},
		"a device without an end":     {"!include /dev/zero\n", "MiB"},
	} {
		path := filepath.Join(t.TempDir(), "a.cnf")
		if err := os.WriteFile(path, []byte("[client]\nuser=x\n"+c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { _, err := ReadOptionFile(path); done <- err }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 4000 {
				t.Errorf("%s: %.300v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: no end", name)
		}
	}
}
