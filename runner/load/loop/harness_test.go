package loop_test

import (
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load/loop"
)

// networks are the kinds of addresses that a loop connects to.
var networks = []string{"unix", "tcp4", "tcp6"}

// onEachPoller runs a test with each poller that this machine has.
func onEachPoller(t *testing.T, test func(*testing.T, loop.Poller)) {
	t.Run("epoll", func(t *testing.T) { test(t, loop.Epoll) })
	t.Run("uring", func(t *testing.T) {
		if err := loop.ProbeUring(); err != nil {
			t.Skip("no io_uring here: ", err)
		}
		test(t, loop.Uring)
	})
}

// serve listens and gives each connection to peer, in a goroutine of its own; it returns the
// address to dial.
func serve(t *testing.T, network string, peer func(net.Conn)) *loop.Address {
	t.Helper()
	address := map[string]string{"unix": filepath.Join(t.TempDir(), "s"), "tcp4": "127.0.0.1:0", "tcp6": "[::1]:0"}[network]
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Skipf("this machine has no %s: %v", network, err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				peer(conn)
			}()
		}
	}()
	resolved, err := loop.Resolve(t.Context(), network, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// run runs tasks on a new loop until all have ended. It fails the test when that takes more than a
// minute.
func run(t *testing.T, config loop.Config, tasks ...func(*loop.Task)) (*loop.Loop, error) {
	t.Helper()
	l, err := loop.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, task := range tasks {
		l.Go(task)
	}
	return l, finish(t, l)
}

func finish(t *testing.T, l *loop.Loop) error {
	t.Helper()
	done := make(chan error)
	go func() { done <- l.Run() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the loop hangs")
		return nil
	}
}

func dial(t *testing.T, task *loop.Task, address *loop.Address) net.Conn {
	conn, _, err := task.Loop().Dial(time.Time{}, address)
	if err != nil {
		t.Error(err)
		return nil
	}
	return conn
}

func echo(conn net.Conn) { io.Copy(conn, conn) }
