package loop_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mysweep/mysweep/runner/load/loop"
)

// TestStress: requests of random sizes come back as they were sent, in order, over many connections
// of which some end and restart. With MYSWEEP_TEST_ALL there are ten million.
func TestStress(t *testing.T) { onEachPoller(t, testStress) }

func testStress(t *testing.T, poller loop.Poller) {
	const tasks, perConnection = 64, 500
	total := 100_000
	if os.Getenv("MYSWEEP_TEST_ALL") != "" {
		total = 10_000_000
	}
	address := serve(t, "unix", echo)
	done := 0
	task := func(task *loop.Task) {
		random := rand.New(rand.NewPCG(1, uint64(done)))
		sent, got := make([]byte, 9000), make([]byte, 9000)
		for done < total && !t.Failed() {
			conn := dial(t, task, address)
			if conn == nil {
				return
			}
			for range perConnection {
				size := 8 + random.IntN(100)
				if random.IntN(100) == 0 {
					size = len(sent)
				}
				binary.LittleEndian.PutUint64(sent, random.Uint64())
				sent[size-1] = byte(size)
				if _, err := conn.Write(sent[:size/2]); err != nil {
					t.Error(err)
				}
				if _, err := conn.Write(sent[size/2 : size]); err != nil {
					t.Error(err)
				}
				if _, err := io.ReadFull(conn, got[:size]); err != nil || !bytes.Equal(got[:size], sent[:size]) {
					t.Errorf("request %d of %d bytes did not come back as it was: %v", done, size, err)
					break
				}
				done++
			}
			conn.Close()
		}
	}
	l, err := loop.New(loop.Config{Poller: poller})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range tasks {
		l.Go(task)
	}
	if err := l.Run(); err != nil {
		t.Error(err)
	}
}
