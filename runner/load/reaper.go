package load

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// reaper ends statements that hang, with KILL from a connection of its own. Closing our end is not enough: a server that
// sleeps or waits for a lock does not notice, and would go on with it into the next trial.
type reaper struct {
	config *mysql.Config
	sent   atomic.Int64 // statements

	mu      sync.Mutex
	pending []uint32 // ids of connections
	busy    bool
	idle    sync.WaitGroup
}

// reapTime bounds the login for one batch of connections, and then each of its statements: a server that takes a connection
// and answers no more must not hold up the trial's end.
const reapTime = 2 * time.Second

func newReaper(config *mysql.Config) *reaper {
	config.ReadTimeout, config.WriteTimeout, config.Timeout = reapTime, reapTime, reapTime
	return &reaper{config: config}
}

// kill has the server end a connection and its statement; it does not wait. The id 0 stands for one that was never greeted.
func (r *reaper) kill(id uint32) {
	if id == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(r.pending, id)
	if !r.busy {
		r.busy = true
		r.idle.Go(r.reap)
	}
}

// wait returns when all that was to be killed has been.
func (r *reaper) wait() { r.idle.Wait() }

func (r *reaper) reap() {
	for {
		r.mu.Lock()
		ids := r.pending
		r.pending = nil
		r.busy = len(ids) > 0
		r.mu.Unlock()
		if len(ids) == 0 {
			return
		}
		r.reapAll(ids)
	}
}

// reapAll kills what it can; a connection that cannot be killed is gone already, or the server is.
func (r *reaper) reapAll(ids []uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), reapTime)
	defer cancel()
	connector, err := mysql.NewConnector(r.config)
	if err != nil {
		return
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	r.sent.Add(1) // the goodbye
	for _, id := range ids {
		_, err := conn.(serverConn).Exec("KILL "+strconv.FormatUint(uint64(id), 10), nil)
		var server *mysql.MySQLError // e.g. that there is no such connection any more
		if err != nil && !errors.As(err, &server) {
			return // the network's: nothing more will be answered here
		}
		r.sent.Add(1)
	}
}
