package command_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// link is a network between mysweep and a server that can be cut.
type link struct {
	port int

	mutex sync.Mutex
	open  map[*net.TCPConn]bool
	stall bool // nothing is passed on, nobody is told
	down  bool // connections are refused at once
	loses bool // the server is not told that a connection has ended
	idle  *sync.Cond
}

func newLink(t *testing.T, backend string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{port: listener.Addr().(*net.TCPAddr).Port, open: map[*net.TCPConn]bool{}}
	l.idle = sync.NewCond(&l.mutex)
	t.Cleanup(func() {
		listener.Close()
		l.set(false, true)
		l.loses = false
		l.cut(false)
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go l.connect(client.(*net.TCPConn), backend)
		}
	}()
	return l
}

func (l *link) connect(client *net.TCPConn, backend string) {
	defer client.Close()
	other, err := net.Dial("tcp", backend)
	if err != nil {
		return
	}
	defer l.hangUp(other.(*net.TCPConn))
	if !l.add(client, other.(*net.TCPConn)) {
		return
	}
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{client, other}, {other, client}} {
		go func() {
			l.pass(way[1], way[0])
			done <- struct{}{}
		}()
	}
	<-done
}

// hangUp tells the server that a connection has ended; one that the network loses stays open there
// until the link goes.
func (l *link) hangUp(server *net.TCPConn) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.loses {
		server.Close()
		delete(l.open, server)
	}
}

// lose cuts all connections such that the server goes on with its ends of them.
func (l *link) lose(servers int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.loses = true
	for end := range l.open {
		if end.RemoteAddr().(*net.TCPAddr).Port != servers {
			end.SetLinger(0)
			end.Close()
			delete(l.open, end)
		}
	}
}

// add registers both ends of a connection; it reports whether the network is up.
func (l *link) add(ends ...*net.TCPConn) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, end := range ends {
		l.open[end] = true
	}
	return !l.down
}

func (l *link) pass(to io.Writer, from io.Reader) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		l.mutex.Lock()
		for l.stall {
			l.idle.Wait()
		}
		l.mutex.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *link) set(stall, down bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stall, l.down = stall, down
	l.idle.Broadcast()
}

// cut ends all connections, with a reset or in good order.
func (l *link) cut(reset bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for end := range l.open {
		if reset {
			end.SetLinger(0)
		}
		end.Close()
		delete(l.open, end)
	}
}
