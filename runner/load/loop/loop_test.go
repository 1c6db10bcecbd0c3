package loop_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mysweep/mysweep/runner/load/loop"
)

// TestEcho: many tasks at once get back what they sent, small and larger than any socket buffer, in
// every kind of network.
func TestEcho(t *testing.T) { onEachPoller(t, testEcho) }

func testEcho(t *testing.T, poller loop.Poller) {
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			address := serve(t, network, echo)
			task := func(task *loop.Task) {
				conn := dial(t, task, address)
				if conn == nil {
					return
				}
				defer conn.Close()
				for _, size := range []int{1, 100, 70_000} {
					sent := bytes.Repeat([]byte{byte(size), 'x', 7}, size)
					got := make([]byte, len(sent))
					if _, err := conn.Write(sent); err != nil {
						t.Error(err)
					}
					if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, sent) {
						t.Errorf("%d bytes did not come back as they were: %v", len(sent), err)
					}
				}
			}
			if _, err := run(t, loop.Config{Poller: poller}, task, task, task, task, task, task, task, task); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFlood: a peer that does not read makes the writer wait, not the loop; what was written comes
// complete.
func TestFlood(t *testing.T) { onEachPoller(t, testFlood) }

func testFlood(t *testing.T, poller loop.Poller) {
	const size = 8 << 20
	for _, network := range networks {
		t.Run(network, func(t *testing.T) {
			go1 := make(chan struct{})
			got := make(chan int64, 1)
			address := serve(t, network, func(conn net.Conn) {
				<-go1
				n, _ := io.Copy(io.Discard, conn)
				got <- n
			})
			writer := func(task *loop.Task) {
				conn := dial(t, task, address)
				if n, err := conn.Write(make([]byte, size)); err != nil || n != size {
					t.Errorf("wrote %d: %v", n, err)
				}
				conn.Close()
			}
			other := func(task *loop.Task) { // runs only if the writer lets it
				task.SleepUntil(time.Now().Add(20 * time.Millisecond))
				close(go1)
			}
			if _, err := run(t, loop.Config{Poller: poller}, writer, other); err != nil {
				t.Error(err)
			}
			if n := <-got; n != size {
				t.Errorf("%d bytes of %d arrived", n, size)
			}
		})
	}
}

// TestFaultyPeers: what a peer does wrong ends the read with the right error, and only that
// connection's.
func TestFaultyPeers(t *testing.T) { onEachPoller(t, testFaultyPeers) }

func testFaultyPeers(t *testing.T, poller loop.Poller) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for _, c := range []struct {
		name     string
		networks []string
		peer     func(net.Conn)
		want     error
	}{
		{"hangs", networks, func(net.Conn) { <-hang }, os.ErrDeadlineExceeded},
		{"closes at once", networks, func(net.Conn) {}, io.EOF},
		{"closes after a part", networks, func(conn net.Conn) { conn.Write([]byte("ab")) }, io.ErrUnexpectedEOF},
		{"resets", networks[1:], func(conn net.Conn) {
			time.Sleep(20 * time.Millisecond) // else the reset may meet the dialling already
			conn.(*net.TCPConn).SetLinger(0)
		}, syscall.ECONNRESET},
	} {
		for _, network := range c.networks {
			faulty, healthy := serve(t, network, c.peer), serve(t, network, echo)
			victim := func(task *loop.Task) {
				conn := dial(t, task, faulty)
				began := time.Now()
				conn.SetDeadline(began.Add(200 * time.Millisecond))
				_, err := io.ReadFull(conn, make([]byte, 10))
				if !errors.Is(err, c.want) {
					t.Errorf("%s, %s: %v, want %v", c.name, network, err, c.want)
				}
				if took := time.Since(began); c.want == os.ErrDeadlineExceeded && took < 200*time.Millisecond {
					t.Errorf("%s: the deadline came after %v already", network, took)
				}
				conn.Close()
			}
			bystander := func(task *loop.Task) {
				conn := dial(t, task, healthy)
				defer conn.Close()
				for range 100 {
					if _, err := conn.Write([]byte("x")); err != nil {
						t.Error(err)
					}
					if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
						t.Error(err)
					}
				}
			}
			if _, err := run(t, loop.Config{Poller: poller}, victim, bystander); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDeadlineMoves: a limit that is set anew before each read, as for queries, holds for the last
// one only.
func TestDeadlineMoves(t *testing.T) { onEachPoller(t, testDeadlineMoves) }

func testDeadlineMoves(t *testing.T, poller loop.Poller) {
	address := serve(t, "unix", func(conn net.Conn) {
		one := make([]byte, 1)
		for range 5 {
			io.ReadFull(conn, one)
			time.Sleep(60 * time.Millisecond)
			conn.Write(one)
		}
		io.Copy(io.Discard, conn)
	})
	_, err := run(t, loop.Config{Poller: poller}, func(task *loop.Task) {
		conn := dial(t, task, address)
		defer conn.Close()
		for range 5 { // 300 ms in all, each within its own second
			conn.SetDeadline(time.Now().Add(time.Second))
			conn.Write([]byte("x"))
			if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
				t.Error(err)
			}
		}
		conn.SetDeadline(time.Now().Add(50 * time.Millisecond)) // earlier than the last
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
		conn.SetDeadline(time.Time{})
		go func() { time.Sleep(100 * time.Millisecond); task.Loop().Abort(errors.New("enough")) }()
		if _, err := conn.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("without a limit: %v", err)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestAbort: from outside, every kind of wait ends with the cause, and so does what is begun
// afterwards.
func TestAbort(t *testing.T) { onEachPoller(t, testAbort) }

func testAbort(t *testing.T, poller loop.Poller) {
	stop := errors.New("stop")
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	address := serve(t, "unix", func(net.Conn) { <-never })
	full := fullSocket(t)
	ended := 0
	check := func(what string, err error) {
		ended++
		if !errors.Is(err, stop) {
			t.Errorf("%s ended with %v", what, err)
		}
	}
	l, err := loop.New(loop.Config{Poller: poller})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.Go(func(task *loop.Task) {
		_, err := dial(t, task, address).Read(make([]byte, 1))
		check("read", err)
		check("sleep after the abort", task.SleepUntil(time.Now().Add(time.Hour)))
	})
	l.Go(func(task *loop.Task) {
		_, err := dial(t, task, address).Write(make([]byte, 64<<20))
		check("write", err)
	})
	l.Go(func(task *loop.Task) { check("sleep", task.SleepUntil(time.Now().Add(time.Hour))) })
	l.Go(func(task *loop.Task) { check("wait", task.Wait(time.Time{})) })
	l.Go(func(task *loop.Task) {
		_, _, err := l.Dial(time.Time{}, full)
		check("dial", err)
	})
	time.AfterFunc(100*time.Millisecond, func() { l.Abort(stop) })
	if err := finish(t, l); err != nil {
		t.Error(err)
	}
	if ended != 6 {
		t.Errorf("%d waits ended, want 6", ended)
	}
}

// fullSocket is a socket file whose listen queue is full.
func fullSocket(t *testing.T) *loop.Address {
	t.Helper()
	path := filepath.Join(t.TempDir(), "full")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: path}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	for {
		client, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(client) })
		if unix.Connect(client, &unix.SockaddrUnix{Name: path}) == unix.EAGAIN {
			break
		}
	}
	address, err := loop.Resolve(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// TestDialFaults: no address, nobody there, and a queue that stays full until the limit.
func TestDialFaults(t *testing.T) { onEachPoller(t, testDialFaults) }

func testDialFaults(t *testing.T, poller loop.Poller) {
	missing, _ := loop.Resolve(t.Context(), "unix", filepath.Join(t.TempDir(), "missing"))
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused, _ := loop.Resolve(t.Context(), "tcp", listener.Addr().String())
	listener.Close()
	full := fullSocket(t)
	if _, err := loop.Resolve(t.Context(), "tcp", "no port"); err == nil {
		t.Error("an address without a port was resolved")
	}
	_, err = run(t, loop.Config{Poller: poller}, func(task *loop.Task) {
		for _, c := range []struct {
			address *loop.Address
			want    error
			retries bool
		}{
			{missing, syscall.ENOENT, false},
			{refused, syscall.ECONNREFUSED, false},
			{full, os.ErrDeadlineExceeded, true},
		} {
			_, retries, err := task.Loop().Dial(time.Now().Add(100*time.Millisecond), c.address)
			if !errors.Is(err, c.want) || (retries > 0) != c.retries {
				t.Errorf("%s: %v after %d retries, want %v", c.address, err, retries, c.want)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLimitWithoutWaiting: a limit holds as well for a peer that never has the task wait.
func TestLimitWithoutWaiting(t *testing.T) { onEachPoller(t, testLimitWithoutWaiting) }

func testLimitWithoutWaiting(t *testing.T, poller loop.Poller) {
	flood := func(conn net.Conn) {
		go io.Copy(io.Discard, conn)
		for piece := make([]byte, 64<<10); ; {
			if _, err := conn.Write(piece); err != nil {
				return
			}
		}
	}
	for _, network := range networks {
		address := serve(t, network, flood)
		for name, step := range map[string]func(net.Conn) error{
			"read":  func(c net.Conn) error { _, err := c.Read(make([]byte, 1)); return err },
			"write": func(c net.Conn) error { _, err := c.Write(make([]byte, 1)); return err },
		} {
			_, err := run(t, loop.Config{Poller: poller}, func(task *loop.Task) {
				conn := dial(t, task, address)
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
				for began := time.Now(); ; {
					if err := step(conn); err != nil {
						if !errors.Is(err, os.ErrDeadlineExceeded) {
							t.Errorf("%s, %s: %v", network, name, err)
						}
						return
					}
					if time.Since(began) > 5*time.Second {
						t.Errorf("%s, %s: goes on %v after its limit", network, name, time.Since(began))
						return
					}
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPanic: a panic ends its task, is reported with its place, and lets the others finish.
func TestPanic(t *testing.T) { onEachPoller(t, testPanic) }

func testPanic(t *testing.T, poller loop.Poller) {
	finished := false
	_, err := run(t, loop.Config{Poller: poller},
		func(task *loop.Task) { task.Yield(); panic("oh dear") },
		func(task *loop.Task) { task.SleepUntil(time.Now().Add(10 * time.Millisecond)); finished = true })
	var p *loop.PanicError
	if !errors.As(err, &p) || p.Value != "oh dear" || !bytes.Contains(p.Stack, []byte("testPanic")) {
		t.Errorf("run: %v", err)
	}
	if !finished {
		t.Error("the other task did not finish")
	}
}

// TestSleepOrder: sleepers wake in the order of their times, none early.
func TestSleepOrder(t *testing.T) { onEachPoller(t, testSleepOrder) }

func testSleepOrder(t *testing.T, poller loop.Poller) {
	var order []int
	var tasks []func(*loop.Task)
	began := time.Now()
	for i := range 20 {
		tasks = append(tasks, func(task *loop.Task) {
			when := began.Add(20*time.Millisecond + time.Duration((i*7)%20)*time.Millisecond)
			task.SleepUntil(when)
			if time.Now().Before(when) {
				t.Errorf("sleeper %d woke early", i)
			}
			order = append(order, (i*7)%20)
		})
	}
	if _, err := run(t, loop.Config{Poller: poller}, tasks...); err != nil {
		t.Error(err)
	}
	for i, n := range order {
		if i != n {
			t.Fatalf("order of waking: %v", order)
		}
	}
}

// TestWake: tasks of one loop wake each other directly, those of others by Post.
func TestWake(t *testing.T) { onEachPoller(t, testWake) }

func testWake(t *testing.T, poller loop.Poller) {
	const hops = 1000
	var loops [2]*loop.Loop
	var tasks [2]*loop.Task
	for i := range loops {
		l, err := loop.New(loop.Config{Poller: poller})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		loops[i] = l
	}
	hopped := [2]int{}
	for i := range loops {
		other := 1 - i
		tasks[i] = loops[i].Go(func(task *loop.Task) {
			for range hops {
				if i == 1 || hopped[0] > 0 {
					if err := task.Wait(time.Time{}); err != nil {
						t.Error(err)
					}
				}
				hopped[i]++
				loops[other].Post(func() { tasks[other].Wake() })
			}
		})
	}
	second := make(chan error)
	go func() { second <- loops[1].Run() }()
	if err := errors.Join(finish(t, loops[0]), <-second); err != nil {
		t.Error(err)
	}
	if hopped != [2]int{hops, hops} {
		t.Errorf("hops: %v", hopped)
	}
}

// TestCloseEndsRead: closing a connection under a waiting reader ends the read, and its descriptor
// can be used again.
func TestCloseEndsRead(t *testing.T) { onEachPoller(t, testCloseEndsRead) }

func testCloseEndsRead(t *testing.T, poller loop.Poller) {
	silent := serve(t, "unix", func(conn net.Conn) { io.Copy(io.Discard, conn) })
	talking := serve(t, "unix", echo)
	var first net.Conn
	_, err := run(t, loop.Config{Poller: poller},
		func(task *loop.Task) {
			first = dial(t, task, silent)
			if _, err := first.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("read: %v", err)
			}
		},
		func(task *loop.Task) {
			task.SleepUntil(time.Now().Add(20 * time.Millisecond))
			first.Close()
			for range 100 { // each takes the descriptor that the last gave back
				conn := dial(t, task, talking)
				conn.Write([]byte("x"))
				if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
					t.Error(err)
				}
				conn.Close()
			}
			if first.Close() == nil {
				t.Error("a second close went well")
			}
		})
	if err != nil {
		t.Error(err)
	}
}

// TestTasksOfTasks: a task may add tasks, and thousands of them end.
func TestTasksOfTasks(t *testing.T) { onEachPoller(t, testTasksOfTasks) }

func testTasksOfTasks(t *testing.T, poller loop.Poller) {
	ended := 0
	var l *loop.Loop
	_, err := run(t, loop.Config{Poller: poller}, func(task *loop.Task) {
		l = task.Loop()
		for range 2000 {
			l.Go(func(task *loop.Task) {
				task.Yield()
				ended++
			})
		}
	})
	if err != nil || ended != 2000 {
		t.Errorf("%d ended, %v", ended, err)
	}
}
