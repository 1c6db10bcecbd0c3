package server

import (
	"context"
	"os"
	"testing"
	"time"
)

// testContext ends with the test, and after a time that no healthy server needs.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// startServer starts a private server that the test's end stops.
func startServer(t *testing.T, p Private) *Server {
	t.Helper()
	if p.DatadirParent == "" {
		p.DatadirParent = parentFolder(t)
	}
	s, err := StartPrivate(testContext(t), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// parentFolder is on a disk and open to the server's account.
func parentFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "mysweep-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestStartAndStop(t *testing.T) {
	parent := parentFolder(t)
	ctx := testContext(t)
	s, err := StartPrivate(ctx, Private{DatadirParent: parent, MaxConnections: 321})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s %s: initialize %.2f s, start %.2f s, auth %s", s.Flavour, s.Version, s.Transport, s.InitializeSeconds, s.StartSeconds, s.AuthPlugin)
	facts, err := s.Facts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if facts.Variables["max_connections"] != "321" {
		t.Errorf("max_connections is %s", facts.Variables["max_connections"])
	}
	for _, c := range facts.Changed {
		t.Log(c)
	}
	began := time.Now()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	t.Logf("stop %.2f s", time.Since(began).Seconds())
	left, err := os.ReadDir(parent)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
