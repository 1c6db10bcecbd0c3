package command_test

import (
	"testing"

	"github.com/mysweep/mysweep/runner/server"
)

// startExisting starts a server that stands for one that somebody else runs,
// and returns the option file that names it.
func startExisting(t *testing.T) string {
	t.Helper()
	s, err := server.StartPrivate(t.Context(), server.Private{MaxConnections: 200, AllowMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s.ClientFile()
}
