package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// reaper ends statements that hang, with KILL from a connection of its own. Closing our end is not
// enough: a server that sleeps or waits for a lock does not notice, and would go on with it into
// the next trial. Behind a balancer or proxy its connection may reach another server, where the
// same number is a stranger's session: so it kills only what it knows to be ours, and says of the
// rest that it may still run.
type reaper struct {
	config *mysql.Config
	sent   atomic.Int64 // statements

	mu       sync.Mutex
	server   login.Identity // of a load connection
	pending  []victim
	busy     bool
	left     int64 // statements that may still run
	whyLeft  string
	finished sync.WaitGroup
}

// victim is a statement that was given up, with what the server's list of sessions should say of
// it.
type victim struct {
	id   uint32 // of its connection
	port string // our own end's, "" for a Unix socket
	text string // with ? for values
}

// reapTime bounds the login for one batch of connections, and then each of its statements: a server
// that takes a connection and answers no more must not hold up the trial's end.
const reapTime = 2 * time.Second

func newReaper(config *mysql.Config) *reaper {
	config.ReadTimeout, config.WriteTimeout, config.Timeout = reapTime, reapTime, reapTime
	return &reaper{config: config}
}

// victim is the statement under way on the session's connection.
func (s *session) victim(st *statement) victim {
	v := victim{id: s.wire.login.ID(), text: st.text()}
	if tcp, ok := s.wire.LocalAddr().(*net.TCPAddr); ok {
		v.port = strconv.Itoa(tcp.Port)
	}
	return v
}

// kill has the server end a connection and its statement; it does not wait. The id 0 stands for one
// that was never greeted.
func (r *reaper) kill(v victim) {
	if v.id == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(r.pending, v)
	if !r.busy {
		r.busy = true
		r.finished.Go(r.reap)
	}
}

// wait returns when all that was to be killed has been.
func (r *reaper) wait() { r.finished.Wait() }

func (r *reaper) reap() {
	for {
		r.mu.Lock()
		victims := r.pending
		r.pending = nil
		r.busy = len(victims) > 0
		r.mu.Unlock()
		if len(victims) == 0 {
			return
		}
		r.reapAll(victims)
	}
}

// leave notes that statements may still run.
func (r *reaper) leave(n int, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left == 0 {
		r.whyLeft = login.CutError(why).Error()
	}
	r.left += int64(n)
}

// reapAll kills what it can over one connection.
func (r *reaper) reapAll(victims []victim) {
	ctx, cancel := context.WithTimeout(context.Background(), reapTime)
	defer cancel()
	conn, hangUp, err := r.connect(ctx)
	if err != nil {
		r.leave(len(victims), fmt.Errorf("no connection for KILL: %w", err))
		return
	}
	defer hangUp()
	r.sent.Add(1) // the goodbye
	here, err := r.identify(conn)
	r.mu.Lock()
	same := err == nil && here.Is(r.server)
	r.mu.Unlock()
	for i, v := range victims {
		if err = r.reapOne(conn, v, same); err == nil {
			continue
		}
		var server *mysql.MySQLError
		if !errors.As(err, &server) && !errors.Is(err, errNotOurs) {
			r.leave(len(victims)-i, err) // the network's: nothing more will be answered here
			return
		}
		r.leave(1, err)
	}
}

func (r *reaper) connect(ctx context.Context) (conn *sql.Conn, hangUp func(), err error) {
	connector, err := login.NewConnector(r.config, false)
	if err != nil {
		return nil, nil, err
	}
	db := sql.OpenDB(connector)
	if conn, err = db.Conn(ctx); err != nil {
		db.Close()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); db.Close() }, nil
}

// errNotOurs says that a session was not killed because it may be somebody else's.
var errNotOurs = errors.New("no KILL was sent")

// reapOne kills a victim's connection. same reports whether this server is the one that the load is
// on. The error says why the statement may still run.
func (r *reaper) reapOne(conn *sql.Conn, v victim, same bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), reapTime)
	defer cancel()
	var user, host string
	var text sql.NullString
	r.sent.Add(1)
	// A statement of its own text, sent as one: with arguments the driver would prepare it.
	err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT USER, HOST, LEFT(INFO, %d) FROM information_schema.PROCESSLIST WHERE ID = %d LIMIT 1", longestText, v.id)).Scan(&user, &host, &text)
	found := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("list of sessions: %w", err)
	}
	port := host[strings.LastIndexByte(host, ':')+1:] // an IPv6 address has no brackets there
	// The server of the victim.
	reached := same || found && v.port != "" && port == v.port
	switch {
	case !reached:
		return fmt.Errorf("%w: the connection for it may have reached another server than the load's (a balancer or proxy)", errNotOurs)
	case !found || !text.Valid:
		return nil // it has ended by itself
	case user != r.config.User || !madeOf(v.text, text.String):
		return fmt.Errorf("%w: the server lists another statement for connection %d", errNotOurs, v.id)
	}
	r.sent.Add(1)
	_, err = conn.ExecContext(ctx, fmt.Sprintf("KILL %d", v.id))
	var server *mysql.MySQLError
	switch {
	case errors.As(err, &server) && server.Number == noSuchThread:
		return nil
	case err != nil:
		return fmt.Errorf("KILL %d: %w", v.id, err)
	}
	return nil
}

func (r *reaper) identify(conn *sql.Conn) (login.Identity, error) {
	ctx, cancel := context.WithTimeout(context.Background(), reapTime)
	defer cancel()
	return login.ReadIdentity(func(query string) (map[string]string, error) {
		r.sent.Add(1)
		rows, err := conn.QueryContext(ctx, query)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		values := map[string]string{}
		for rows.Next() {
			var name string
			var value sql.NullString
			if err := rows.Scan(&name, &value); err != nil {
				return nil, err
			}
			values[name] = value.String
		}
		return values, rows.Err()
	})
}
