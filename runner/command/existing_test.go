package command_test

import (
	"testing"

	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
)

// startExisting starts a server that stands for one that somebody else runs,
// and returns the option file that names it.
func startExisting(t *testing.T) string {
	t.Helper()
	return servertest.Start(t, server.Private{MaxConnections: 200, AllowMemory: true}).ClientFile()
}
