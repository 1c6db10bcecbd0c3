// Package servertest starts private servers for tests. Under go test -short it
// skips the tests that need one.
package servertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/server"
)

// startTimeout is what no healthy server needs to start, even on a busy machine.
const startTimeout = 3 * time.Minute

// Needed skips the test under -short. Start and Shared.Get do so by themselves;
// tests that start servers in another way call it first.
func Needed(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server: run without -short")
	}
}

// Start starts a server that stops when the test ends. Its data directory is a
// copy of one that is made once per package, unless p says otherwise.
func Start(t testing.TB, p server.Private) *server.Server {
	t.Helper()
	Needed(t)
	s, err := start(p)
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

// Shared is one server for all tests of a package that leave it as they found
// it. It starts when the first test asks for it; Run stops it.
type Shared struct {
	Private server.Private
	Fill    func(*server.Server) error // runs once after the start; nil: nothing

	once   sync.Once
	server *server.Server
	err    error
}

// Get returns the running server.
func (s *Shared) Get(t testing.TB) *server.Server {
	t.Helper()
	Needed(t)
	s.once.Do(func() {
		s.server, s.err = start(s.Private)
		if s.err == nil && s.Fill != nil {
			s.err = s.Fill(s.server)
		}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.server
}

// Run runs the tests of a package, for its TestMain, stops the shared servers,
// removes the data directories that were copied, and returns the exit status.
func Run(m *testing.M, shared ...*Shared) int {
	code := m.Run()
	for _, s := range shared {
		if s.server != nil {
			s.server.Stop()
		}
	}
	removeTemplates()
	return code
}

func start(p server.Private) (*server.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if canCopy(p) {
		source, err := template(ctx, p.Mysqld)
		if err != nil {
			return nil, err
		}
		p.CopyDatadirFrom = source
	}
	return server.StartPrivate(ctx, p)
}
