package load

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// memoryServer is a server in memory that knows one answer to each command: a net.Conn without
// network or other goroutines, so that what a benchmark finds is the cost on our side.
type memoryServer struct {
	answer []byte // not read yet
	logged bool
}

// packet puts the protocol's head before a payload.
func packet(sequence byte, payload ...byte) []byte {
	return append([]byte{byte(len(payload)), byte(len(payload) >> 8), 0, sequence}, payload...)
}

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// The answers, as MySQL documents them: HandshakeV10, OK, COM_STMT_PREPARE response, and results of
// one text column.
var (
	okBody     = []byte{0, 0, 0, 2, 0, 0, 0}
	columnBody = join([]byte("\x03def\x00\x01t\x01t\x01c\x01c\x0c"), []byte{45, 0, 120, 0, 0, 0, 253, 0, 0, 0, 0, 0})
	endBody    = []byte{0xfe, 0, 0, 2, 0, 0, 0}
	value      = []byte("\x28a text of forty characters, as c would be")
	greeting   = packet(0, join([]byte("\x0a8.0.0\x00"), []byte{1, 0, 0, 0}, []byte("12345678\x00"), []byte{0x09, 0x82, 45, 2, 0, 0x08, 0x01, 21},
		make([]byte, 10), []byte("123456789012\x00"), []byte("mysql_native_password\x00"))...)
	prepared = join(packet(1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0), packet(2, columnBody...), packet(3, columnBody...))
	inBinary = join(packet(1, 1), packet(2, columnBody...), packet(3, join([]byte{0, 0}, value)...), packet(4, endBody...))
	asText   = join(packet(1, 1), packet(2, columnBody...), packet(3, value...), packet(4, endBody...))
)

func newMemoryServer() *memoryServer { return &memoryServer{answer: greeting} }

func (m *memoryServer) Write(p []byte) (int, error) {
	switch command := p[4]; {
	case !m.logged:
		m.logged = true
		m.answer = packet(p[3]+1, okBody...)
	case command == 0x16: // COM_STMT_PREPARE
		m.answer = prepared
	case command == 0x17: // COM_STMT_EXECUTE
		m.answer = inBinary
	case command == 0x03: // COM_QUERY
		m.answer = asText
	}
	return len(p), nil
}

func (m *memoryServer) Read(p []byte) (int, error) {
	if len(m.answer) == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.answer)
	m.answer = m.answer[n:]
	return n, nil
}

func (m *memoryServer) Close() error                     { return nil }
func (m *memoryServer) LocalAddr() net.Addr              { return &net.UnixAddr{} }
func (m *memoryServer) RemoteAddr() net.Addr             { return &net.UnixAddr{} }
func (m *memoryServer) SetDeadline(time.Time) error      { return nil }
func (m *memoryServer) SetReadDeadline(time.Time) error  { return nil }
func (m *memoryServer) SetWriteDeadline(time.Time) error { return nil }

// memoryPlace lets a thread run where it is.
type memoryPlace struct{}

func (memoryPlace) shard() int                            { return 0 }
func (memoryPlace) dial(time.Time) (net.Conn, int, error) { return newMemoryServer(), 0, nil }
func (memoryPlace) wait() error                           { return errors.New("a lone thread has nobody to wait for") }
func (memoryPlace) wake()                                 {}
func (memoryPlace) sleepUntil(time.Time) error            { return nil }

// memoryConfig is the way to the server in memory.
func memoryConfig() *mysql.Config {
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User = "unix", "/memory", "root"
	c.InterpolateParams = true
	c.DialFunc = func(context.Context, string, string) (net.Conn, error) { return newMemoryServer(), nil }
	return c
}

// pointSelect asks for a row by a random key.
func pointSelect(s workload.Session) (workload.Round, error) {
	h := s.Declare(workload.Statement{Type: "point", Kind: workload.Read, SQL: "SELECT c FROM t WHERE id=?"})
	args := make(workload.Args, 1)
	return func() error {
		args.SetInt(0, 1000+s.Rand().Int64N(1_000_000))
		_, err := s.Query(h, args)
		return err
	}, nil
}

type oneWorkload struct{}

func (oneWorkload) Tables() []workload.Table                          { return nil }
func (oneWorkload) Thread(s workload.Session) (workload.Round, error) { return pointSelect(s) }

// memoryThread is a thread that is connected to the server in memory, with the clock running.
func memoryThread(tb testing.TB, inText bool) *thread {
	tb.Helper()
	trial := Trial{Threads: 1, Time: time.Hour, Prepared: !inText, QueryTimeout: time.Minute, Seed: 1}
	r, err := newRun(context.Background(), Target{Config: memoryConfig()}, oneWorkload{}, trial)
	if err != nil {
		tb.Fatal(err)
	}
	r.tallies = []*tally{newTally()}
	t := r.threads[0]
	t.place, t.tally, t.burst = memoryPlace{}, r.tallies[0], newBurst(r, nil)
	t.burst.deadline = time.Hour
	if err := t.ready(); err != nil {
		tb.Fatal(err)
	}
	return t
}

// driverAlone returns a function that sends the same statement through the bare driver: what it
// allocates is not ours.
func driverAlone(tb testing.TB, inText bool) func() {
	tb.Helper()
	connector, err := mysql.NewConnector(memoryConfig())
	if err != nil {
		tb.Fatal(err)
	}
	opened, err := connector.Connect(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	conn := opened.(serverConn)
	st, err := conn.Prepare("SELECT c FROM t WHERE id=?")
	if err != nil {
		tb.Fatal(err)
	}
	args := make(workload.Args, 1)
	var b binder
	return func() {
		args.SetInt(0, 1000+rand.Int64N(1_000_000))
		var rows driver.Rows
		var err error
		if inText {
			rows, err = conn.Query("SELECT c FROM t WHERE id=?", b.bind(args))
		} else {
			rows, err = st.(preparedStatement).Query(b.bind(args))
		}
		if err != nil {
			tb.Fatal(err)
		}
		if n, err := drain(rows); n != 1 || err != nil {
			tb.Fatalf("%d rows, %v", n, err)
		}
	}
}

// TestNoAllocations: a whole round, with clocks, limits, tallies and arguments, allocates nothing
// beyond what the driver does by itself.
func TestNoAllocations(t *testing.T) {
	for _, inText := range []bool{false, true} {
		thread := memoryThread(t, inText)
		alone := testing.AllocsPerRun(1000, driverAlone(t, inText))
		ours := testing.AllocsPerRun(1000, func() { thread.oneRound(0) })
		if thread.errors != 0 || thread.queries < 1000 {
			t.Fatalf("text %v: queries=%d errors=%d", inText, thread.queries, thread.errors)
		}
		if ours != alone {
			t.Errorf("text %v: %g allocations a round, of them %g the driver's", inText, ours, alone)
		}
		t.Logf("text %v: the driver allocates %g times a query, we %g", inText, alone, ours-alone)
	}
}

// BenchmarkRound is one round of one statement; BenchmarkDriver the driver's part of it.
func BenchmarkRound(b *testing.B) {
	for name, inText := range map[string]bool{"prepared": false, "text": true} {
		b.Run(name, func(b *testing.B) {
			thread := memoryThread(b, inText)
			b.ReportAllocs()
			for b.Loop() {
				thread.oneRound(0)
			}
		})
	}
}

func BenchmarkDriver(b *testing.B) {
	for name, inText := range map[string]bool{"prepared": false, "text": true} {
		b.Run(name, func(b *testing.B) {
			query := driverAlone(b, inText)
			b.ReportAllocs()
			for b.Loop() {
				query()
			}
		})
	}
}
