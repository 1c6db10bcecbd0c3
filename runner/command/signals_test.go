package command

import (
	"bytes"
	"context"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// heard is a writer for several goroutines.
type heard struct {
	sync.Mutex
	bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.Lock()
	defer h.Unlock()
	return h.Buffer.Write(p)
}

// caughtSignals catches signals that are sent to this very process.
func caughtSignals(t *testing.T) (ctx context.Context, s *signals, exits chan int, said *heard) {
	t.Helper()
	said, exits = &heard{}, make(chan int, 4)
	ctx, s = catchSignals(t.Context(), said)
	s.exit = func(status int) { exits <- status }
	t.Cleanup(func() { s.stop() })
	return ctx, s, exits, said
}

func raise(t *testing.T, signals ...syscall.Signal) {
	t.Helper()
	for _, s := range signals {
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // the kernel merges equal signals that wait
	}
}

func ended(ctx context.Context, within time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(within):
		return false
	}
}

// What was ignored when the process began stays ignored, as nohup wants it.
func TestInheritedIgnores(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	ctx, s, _, _ := caughtSignals(t)
	raise(t, syscall.SIGHUP)
	if ended(ctx, 200*time.Millisecond) || s.caught() != nil {
		t.Error("an ignored SIGHUP ended the run")
	}
	raise(t, syscall.SIGTERM)
	if !ended(ctx, 10*time.Second) || s.caught() != syscall.SIGTERM {
		t.Errorf("SIGTERM: %v", s.caught())
	}
}

// One event told twice, as GNU timeout does, leaves the time to finish; so does any second signal
// but SIGINT.
func TestSecondSignal(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second syscall.Signal
		after         time.Duration
		leaves        bool
	}{
		{"timeout", syscall.SIGTERM, syscall.SIGTERM, 0, false},
		{"timeout -s INT", syscall.SIGINT, syscall.SIGINT, 0, false},
		{"SIGTERM later", syscall.SIGTERM, syscall.SIGTERM, impatience, false},
		{"Ctrl-C twice", syscall.SIGINT, syscall.SIGINT, impatience, true},
		{"Ctrl-C after SIGTERM", syscall.SIGTERM, syscall.SIGINT, impatience, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, s, exits, said := caughtSignals(t)
			release := s.holdServers()
			raise(t, c.first)
			if !ended(ctx, 10*time.Second) {
				t.Fatal("the first signal did not end the context")
			}
			time.Sleep(c.after)
			raise(t, c.second)
			select {
			case status := <-exits:
				t.Fatalf("exit %d although a server is not as it was", status)
			case <-time.After(100 * time.Millisecond):
			}
			release()
			select {
			case status := <-exits:
				if !c.leaves || status != exitSignals+int(c.second) {
					t.Errorf("exit %d", status)
				}
			case <-time.After(2 * time.Second):
				if c.leaves {
					t.Error("no exit")
				}
			}
			said.Lock()
			defer said.Unlock()
			if told := strings.Contains(said.String(), "press Ctrl-C again to stop at once"); told != (c.first == syscall.SIGINT) {
				t.Errorf("said %q", said.String())
			}
		})
	}
}
